/** Reads the imports, exports and parts of Dart. */
import type { ImportClause } from "../syntax.ts";

const WORD = /^(?:import(?:\s+augment)?|export|part(?:\s+of)?)\b/;
const STRING = /^(?:"([^"\n]*)"|'([^'\n]*)')/;
const CONDITION = /^if\s*\([^()]*\)\s*/;
const PREFIX = /\bas\s+(\w+)/;
const SHOWN = /\bshow\s+(\w+(?:\s*,\s*\w+)*)/g;
const HIDDEN = /\bhide\s+(\w+(?:\s*,\s*\w+)*)/g;

/**
 * One clause for each file: that of the import, and those of its conditions. An import brings all names of a library, unless `show` lists
 * them, or binds the library to the name behind `as`. The names behind `hide` have no name there.
 */
export function readImportClauses(statement: string): readonly ImportClause[] {
  const text = statement.replace(/\/\/.*|\/\*[^*]*\*\//g, " ");
  let rest = text.replace(WORD, "").trimStart();
  const specifiers: string[] = [];
  for (let found = STRING.exec(rest); found !== null; found = STRING.exec(rest)) {
    specifiers.push(found[1] ?? found[2] ?? "");
    rest = rest.slice(found[0].length).trimStart().replace(CONDITION, "");
  }
  if (/^part\b/.test(text)) return specifiers.map((specifier) => ({ specifier, names: [], star: true }));
  const prefix = PREFIX.exec(rest)?.[1];
  if (prefix !== undefined)
    return specifiers.map((specifier) => ({ specifier, names: [{ name: "*", alias: prefix }], star: false }));
  const shown = namesAfter(rest, SHOWN);
  const names =
    shown.length > 0
      ? shown.map((name) => ({ name, alias: name }))
      : namesAfter(rest, HIDDEN).map((alias) => ({ name: "", alias }));
  return specifiers.map((specifier) => ({ specifier, names, star: shown.length === 0 }));
}

const namesAfter = (text: string, words: RegExp): readonly string[] =>
  [...text.matchAll(words)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
