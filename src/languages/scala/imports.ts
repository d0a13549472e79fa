/**
 * Reads the names in a Scala import from its text: `a.b.{C, D => E, _}`, `a.*, b.c as d`, `a.b.given`.
 *
 * Accepts the syntax of Scala 2 and 3 in both. Givens count as a star import. A hidden name (`C => _`) binds nothing.
 * Linear in the text.
 */
import type { ImportClause } from "../syntax.ts";

type Selected = { readonly names: ImportClause["names"]; readonly star: boolean };

/** The clauses of one `import` or `export`. */
export function readScalaImport(statement: string): readonly ImportClause[] {
  const text = statement
    .replace(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\/\/[^\n]*/g, " ")
    .replace(/^\s*(?:import|export)\b/, "")
    .replaceAll("`", "");
  return clausesOf(text).flatMap((clause) => readClause(clause) ?? []);
}

/** Splits clauses at the commas outside of braces. */
const clausesOf = (text: string): readonly string[] => text.match(/(?:[^,{]|\{[^}]*\}?)+/g) ?? [];

function readClause(clause: string): ImportClause | null {
  const brace = clause.indexOf("{");
  const path = (brace < 0 ? clause : clause.slice(0, brace)).trim().replace(/(?<!\s)\s*\.\s*/g, ".");
  if (brace >= 0) {
    const selectors = clause
      .slice(brace + 1)
      .replace("}", "")
      .split(",");
    return { specifier: path.replace(/\.$/, ""), ...together(selectors) };
  }
  const dot = path.lastIndexOf(".");
  const last = path.slice(dot + 1);
  if (dot >= 0) return { specifier: path.slice(0, dot), ...together([last]) };
  const [name = "", , alias = name] = last.split(" ");
  return name === "" ? null : { specifier: name, names: [{ name: "*", alias }], star: false };
}

function together(selectors: readonly string[]): Selected {
  const read = selectors.map((selector) => readSelector(selector.trim()));
  return { names: read.flatMap(({ names }) => names), star: read.some(({ star }) => star) };
}

const NOTHING: Selected = { names: [], star: false };

/** `C`, `C => D`, `C as D`, `C => _`, `_`, `*`, `given`, `given C`. */
function readSelector(selector: string): Selected {
  const [name = "", arrow, alias = name] = selector.split(/\s+|(?==>)|(?<==>)/).filter((word) => word !== "");
  if (name === "_" || name === "*" || name === "given") return { names: [], star: true };
  if (name === "" || (arrow !== undefined && alias === "_")) return NOTHING;
  return { names: [{ name, alias }], star: false };
}
