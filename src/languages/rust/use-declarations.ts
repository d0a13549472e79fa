/**
 * Reads the names that a Rust `use` imports. `use a::{self, b::{c as d, e::*}};` is a tree of any depth, which queries
 * cannot express.
 *
 * The specifier of a name is the path before it (`a::b` for `d`); a name without a path is a module itself. `pub use` also
 * exports the names.
 */
import type { ImportClause } from "../syntax.ts";

type Clause = { readonly specifier: string; readonly names: ImportClause["names"][number][]; star: boolean };

const COMMENTS = /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;
const HEAD = /^(?:#\[[^\]]*\]\s*)*(pub(?:\s*\([^)]*\))?\s+)?use\s+/;

/** The clauses of a statement, in order of their paths; empty if it is not a `use`. */
export function readRustUse(statement: string): readonly ImportClause[] {
  const text = statement.replace(COMMENTS, " ").trim();
  const head = HEAD.exec(text);
  if (head === null) return [];
  const clauses = new Map<string, Clause>();
  const clauseOf = (specifier: string): Clause => {
    const clause = clauses.get(specifier) ?? { specifier, names: [], star: false };
    clauses.set(specifier, clause);
    return clause;
  };

  const leaf = (outer: string, written: string): void => {
    const [path = "", alias] = written.split(/(?<!\s)\s+as\s+/).map((part) => part.replace(/\s+/g, ""));
    if (path === "") return;
    const whole = path === "self" && outer !== "" ? outer : outer === "" ? path : `${outer}::${path}`;
    const cut = whole.lastIndexOf("::");
    const name = cut < 0 ? whole : whole.slice(cut + 2);
    if (name === "*") {
      clauseOf(whole.slice(0, Math.max(cut, 0))).star = true;
      return;
    }
    const bound = alias === "_" ? null : (alias ?? name);
    if (cut <= 0) clauseOf(whole).names.push({ name: "*", alias: bound });
    else clauseOf(whole.slice(0, cut)).names.push({ name, alias: bound });
  };

  // `outer` are the paths before the open brackets; `word` is the text since the last separator.
  const outer: string[] = [""];
  let word = "";
  for (const char of text.slice(head[0].length)) {
    if (char === "{") {
      const before = word.replace(/\s+/g, "").replace(/::$/, "");
      const around = outer.at(-1) ?? "";
      outer.push(around === "" || before === "" ? `${around}${before}` : `${around}::${before}`);
      word = "";
    } else if (char === "," || char === "}" || char === ";") {
      leaf(outer.at(-1) ?? "", word.trim());
      word = "";
      if (char === "}" && outer.length > 1) outer.pop();
    } else word += char;
  }
  const found = [...clauses.values()];
  return head[1] === undefined ? found : found.map((clause) => ({ ...clause, kind: "reexport" }));
}
