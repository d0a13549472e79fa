/** `cra man`. */
import { VERSION } from "../../version.ts";
import type { Command, Context } from "../syntax/command.ts";
import { manPage } from "../syntax/man.ts";

export const MAN: Command = {
  name: "man",
  summary: "print the manual page",
  arguments: [],
  options: [],
  examples: [
    { line: "cra man | man -l -", does: "read it" },
    { line: "cra man > ~/.local/share/man/man1/cra.1", does: "install it for man cra" },
  ],
  run,
};

async function run({ output, table }: Context): Promise<number> {
  const page = manPage(VERSION.version, table);
  await output.result({ json: () => ({ schema_version: 1, page }), text: () => page });
  return 0;
}
