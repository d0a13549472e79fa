/** Reads the `@import` of Zig. */
import type { ImportClause } from "../syntax.ts";

const IMPORT = String.raw`@import\(\s*"([^"\\\n]+)",?\s*\)`;
const ALONE = new RegExp(`^${IMPORT}$`);
const PASSED_ON = new RegExp(String.raw`^pub\s+usingnamespace\s+${IMPORT}\s*;?$`);
const BOUND = new RegExp(
  String.raw`^(?:pub\s+)?(?:const|var)\s+([\p{L}_][\p{L}\p{N}_]*)\s*(?::[^=]*)?=\s*${IMPORT}((?:\.[\p{L}_][\p{L}\p{N}_]*)*)\s*;?$`,
  "u",
);

/** A constant binds a file or a name in it; `pub usingnamespace` passes all names on. */
export function readImportClauses(statement: string): readonly ImportClause[] {
  const alone = ALONE.exec(statement)?.[1];
  if (alone !== undefined) return [{ specifier: alone, names: [], star: false }];
  const all = PASSED_ON.exec(statement)?.[1];
  if (all !== undefined) return [{ specifier: all, names: [], star: true, kind: "reexport" }];
  const [, alias, specifier, path = ""] = BOUND.exec(statement) ?? [];
  if (alias === undefined || specifier === undefined || alias === "_") return [];
  return [{ specifier, names: [{ name: path === "" ? "*" : path.slice(1), alias }], star: false }];
}
