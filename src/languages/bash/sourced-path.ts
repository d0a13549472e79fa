/** Reads the path of a `source`, `.` or `load` of Bash from the text of the command. */
import type { ImportClause } from "../syntax.ts";

/** An expansion without another one in it: `$1`, `${BASH_SOURCE%/*}`, `$(dirname "$0")`, and the same between backquotes. */
const EXPANSION = /\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$[\w@*#?!-]+/g;
const NESTED_MAX = 5;
const FIRST_WORD = /^(?:source|\\?\.|load)\s+((?:"[^"]*"|'[^']*'|[^\s"';&|<>()])+)/;

/** The file that is read, with `$` for each expansion; empty if the path is not in the text. */
export function readSourcedPath(command: string): readonly ImportClause[] {
  let text = command.replaceAll("\\\n", " ");
  for (let depth = 0; depth < NESTED_MAX; depth++) text = text.replace(EXPANSION, "\0");
  const path = FIRST_WORD.exec(text)?.[1]?.replace(/["']/g, "").replaceAll("\0", "$") ?? "";
  return /[^$/]/.test(path) ? [{ specifier: path, names: [], star: false }] : [];
}
