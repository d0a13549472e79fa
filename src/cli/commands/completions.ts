/** `cra completions`: the script of one shell, on stdout. */
import type { Runner } from "../syntax/command.ts";
import { completionScript } from "../syntax/completions.ts";
import { SHELLS } from "../syntax/names.ts";

export const run: Runner = async ({ values, output }) => {
  const shell = SHELLS.find((name) => name === values.argument("shell")) ?? "bash";
  const script = completionScript(shell);
  if (output.look.json) await output.json({ schema_version: 1, shell, script });
  else await output.data(script);
  return 0;
};
