/** `cra man`: the manual page, on stdout. */
import { VERSION } from "../../version.ts";
import type { Runner } from "../syntax/command.ts";
import { manPage } from "../syntax/man.ts";

export const run: Runner = async ({ output }) => {
  const page = manPage(VERSION.version);
  if (output.look.json) await output.json({ schema_version: 1, page });
  else await output.data(page);
  return 0;
};
