/** What a constant of Zig stands for: `const C = a.C`, `const Self = @This()`, `pub const a = @import("a.zig")`. */
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, isSymbol, type Resolution, weaker } from "../confidence.ts";
import { type FileSymbols, type Role, type SymbolRef, WHOLE_FILE } from "../declarations/file-symbols.ts";
import { TYPES_MAX } from "../types/classes.ts";
import type { ResolvePath } from "../types/resolve-path.ts";
import type { UnqualifiedNames } from "./unqualified.ts";

const ALIAS = /^(?:pub )?const [\p{L}_][\p{L}\p{N}_]* = ([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)$/u;
const THIS = /^(?:pub )?const \w+ = @This\(\)$/;
const IMPORT = /^(?:pub )?(?:const|var) \w+ = @import\(/;

/** Puts what a constant stands for in the place of the constant. */
export type Meant = (found: Resolution, role: Role, depth: number) => Resolution;

export function aliasedConstants(resolvePath: ResolvePath, bound: UnqualifiedNames["bound"]): Meant {
  const meaning = (found: Candidates, { file, symbol }: SymbolRef, role: Role, depth: number): Resolution => {
    const fact = file.facts.symbols[symbol];
    if (fact === undefined || !isConstant(fact) || depth > TYPES_MAX) return found;
    if (THIS.test(fact.signature)) return weaker(found, [{ file, symbol: fact.parent ?? WHOLE_FILE }], CONFIDENCE.self);
    const path = ALIAS.exec(fact.signature)?.[1];
    const meant =
      path === undefined
        ? imported(file, fact, role, depth)
        : resolvePath(file, fact.parent, path.split("."), role, depth + 1);
    return meant === null || meant === "external" ? (meant ?? found) : weaker(found, meant.targets, meant.confidence);
  };

  const imported = (file: FileSymbols, { name, signature }: OutlineSymbol, role: Role, depth: number): Resolution => {
    const binding = IMPORT.test(signature) ? file.bindings.get(name) : undefined;
    if (binding === undefined) return null;
    return candidates(bound(file, binding, role, depth), CONFIDENCE.imported) ?? "external";
  };

  return (found, role, depth) => {
    if (found === null || found === "external") return found;
    const only = found.targets.length === 1 ? found.targets[0] : undefined;
    if (only === undefined || !isSymbol(only)) return found;
    return only.file.scoping.constantsAlias === true ? meaning(found, only, role, depth) : found;
  };
}

const isConstant = ({ kind }: OutlineSymbol): boolean => kind === "variable" || kind === "property";
