/** Reads the `import` of Solidity. */
import type { ImportClause } from "../syntax.ts";

const COMMENT = /\/\/[^\n]*|\/\*.*?\*\//gs;
const STATEMENT = /^import\b(?:(.*?)\bfrom\b)?\s*(?:"([^"\n]*)"|'([^'\n]*)')(?:\s*as\s+([\p{L}\p{N}_$]+))?/su;
const WHOLE = /^\*\s*as\s+([\p{L}\p{N}_$]+)$/u;
const NAMED = /^([\p{L}\p{N}_$]+)(?:\s+as\s+([\p{L}\p{N}_$]+))?$/u;

/** A path alone brings all names of a file; `as` binds the file, and names in brackets are bound one by one. */
export function readImportClauses(statement: string): readonly ImportClause[] {
  // A path may have two slashes in it.
  const [, list = "", double, single, alias] =
    STATEMENT.exec(statement) ?? STATEMENT.exec(statement.replace(COMMENT, " ")) ?? [];
  const specifier = double ?? single ?? "";
  if (specifier === "") return [];
  const written = list.replace(COMMENT, " ").trim();
  const whole = alias ?? WHOLE.exec(written)?.[1];
  if (whole !== undefined) return [{ specifier, names: [{ name: "*", alias: whole }], star: false }];
  if (written === "") return [{ specifier, names: [], star: true }];
  const names = written
    .replace(/^\{|\}$/g, "")
    .split(",")
    .flatMap((each) => {
      const [, name, as] = NAMED.exec(each.trim()) ?? [];
      return name === undefined ? [] : { name, alias: as ?? name };
    });
  return [{ specifier, names, star: false }];
}
