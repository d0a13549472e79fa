/** `cra completions`. */
import type { Command, Context } from "../syntax/command.ts";
import { completionScript, SHELLS } from "../syntax/completions.ts";

export const COMPLETIONS: Command = {
  name: "completions",
  summary: "print a completion script for a shell",
  arguments: [{ name: "shell", summary: SHELLS.join(", "), required: true, choices: SHELLS }],
  options: [],
  examples: [
    { line: 'eval "$(cra completions bash)"', does: "in ~/.bashrc" },
    { line: "cra completions fish > ~/.config/fish/completions/cra.fish", does: "once, for fish" },
  ],
  run,
};

async function run({ values, output, table }: Context): Promise<number> {
  const shell = SHELLS.find((name) => name === values.argument("shell")) ?? "bash";
  const script = completionScript(shell, table);
  await output.result({ json: () => ({ schema_version: 1, shell, script }), text: () => script });
  return 0;
}
