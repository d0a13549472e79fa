/** The names that imports bring into a file. */
import type { Binding } from "../../imports/model.ts";
import { type Candidates, CONFIDENCE, isSymbol } from "../confidence.ts";
import type { Exports } from "../declarations/exports.ts";
import { type FileSymbols, isInRepository, type Role, type Target } from "../declarations/file-symbols.ts";
import { type Classes, TYPES_MAX } from "../types/classes.ts";

/** What an import binds. A name in a class (`Outer.member`) is its member. */
export type Bound = (file: FileSymbols, binding: Binding, role: Role, depth: number) => readonly Target[];

export function importedTargets(exports: Exports, classes: Classes): Bound {
  const bound: Bound = (file, binding, role, depth) => {
    const direct = exports.bound(file, binding, role);
    const dot = binding.name.lastIndexOf(".");
    // What is taken of a module of Lua is a member of the table that it returns.
    const isOfTable = file.family === "lua" && dot < 0 && binding.name !== "default";
    if (direct.length > 0 || (dot < 0 && !isOfTable) || depth > TYPES_MAX) return direct;
    const around = isOfTable ? "default" : binding.name.slice(0, dot);
    const outer = bound(file, { ...binding, name: around }, "type", depth + 1).filter(isSymbol);
    return classes.inherited(outer, binding.name.slice(dot + 1), role, false, depth + 1)?.targets ?? [];
  };
  return bound;
}

/** Searches what star imports bring, of the whole file or of one of its modules. The star of a class (`import static Outer.*`) brings its members. */
export function throughStars(
  bound: Bound,
  file: FileSymbols,
  name: string,
  role: Role,
  depth: number,
  within?: string,
): Candidates | null {
  for (const star of file.stars) {
    if (star.within !== within || !isInRepository(star)) continue;
    const path = star.name === "*" ? name : `${star.name}.${name}`;
    const targets = bound(file, { ...star, name: path }, role, depth).filter((target) => !isCallback(target));
    if (targets.length > 0) return { targets, confidence: CONFIDENCE.starred };
  }
  return null;
}

/** What a module of Elixir asks of others, which no import brings. */
const isCallback = (target: Target): boolean =>
  isSymbol(target) &&
  target.file.scoping.functionClauses === true &&
  target.file.facts.symbols[target.symbol]?.kind === "method";
