/** Reads the path of the file that a command of Bash reads in or runs, or that an assignment names, from the text. */
import type { ImportClause } from "../syntax.ts";

/** An expansion without another one in it: `$1`, `${BASH_SOURCE%/*}`, `$(dirname "$0")`, and the same between backquotes. */
const EXPANSION = /\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$[\w@*#?!-]+/g;
const NESTED_MAX = 5;
const WORD = String.raw`((?:"[^"]*"|'[^']*'|[^\s"';&|<>()])+)`;
const READ = new RegExp(String.raw`^(?:source|\\?\.|load)\s+${WORD}`);
const RUN = new RegExp(String.raw`^(?:run\s+(?:-\S+\s+)*)?(?:(?:ba)?sh\s+(?:-\S+\s+)*)?${WORD}`);
const ASSIGNED = new RegExp(String.raw`^\w+=${WORD}$`);

/** The file, with `$` for each expansion; empty if its path is not in the text. */
export function readNamedPath(statement: string): readonly ImportClause[] {
  let text = statement.replaceAll("\\\n", " ");
  for (let depth = 0; depth < NESTED_MAX; depth++) text = text.replace(EXPANSION, "\0");
  const path = pathOf(READ, text) ?? pathOf(ASSIGNED, text) ?? pathOf(RUN, text) ?? "";
  // Only what is read in is looked up without a folder; a program of that name is sought elsewhere.
  return /[^$/]/.test(path) && (path.includes("/") || READ.test(text))
    ? [{ specifier: path, names: [], star: false }]
    : [];
}

const pathOf = (pattern: RegExp, text: string): string | undefined =>
  pattern.exec(text)?.[1]?.replace(/["']/g, "").replaceAll("\0", "$");
