/** The types that a type names as its bases, also for all its instances and in its other parts, and what an alias stands for. */
import type { OutlineSymbol, ReferenceFact } from "../../../syntax/facts/facts.ts";
import { memoized } from "../confidence.ts";
import { aliasedType } from "../declarations/declared-types.ts";
import type { FileSymbols, SymbolRef } from "../declarations/file-symbols.ts";
import { type Base, hooksOf, scopeOfBase } from "../declarations/mixins.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import { type ResolvePath, symbolsIn } from "./resolve-path.ts";
import type { FindTypes } from "./type-parameters.ts";

const NO_REFS: readonly SymbolRef[] = [];

/** The direct bases of a class; for a type alias, its target. */
export function baseTable(
  groups: VisibleNames,
  classNamed: FindTypes<readonly SymbolRef[]>,
  resolvePath: ResolvePath,
): (ref: Base, depth: number) => readonly Base[] {
  /** The class that an `inherit` reference names. */
  const cachedTargets = memoized<ReferenceFact, readonly SymbolRef[]>(NO_REFS, (file, symbol, base, depth) => {
    const path = base.qualifier === null ? [base.name] : [...base.qualifier.split("."), base.name];
    const targets = symbolsIn(resolvePath(file, scopeOfBase(file, base), path, "type", depth + 1));
    return targets.filter((target) => target.file !== file || target.symbol !== symbol);
  });
  const cachedAliases = memoized<OutlineSymbol, readonly SymbolRef[]>(NO_REFS, (file, symbol, fact, depth) => {
    const name = aliasedType(fact.signature, fact.name, file.rules);
    return name === null ? NO_REFS : classNamed(file, symbol, name, depth + 1);
  });

  const basesAt = (file: FileSymbols, symbol: number, depth: number): readonly SymbolRef[] =>
    (file.bases.get(symbol) ?? []).flatMap((base) => cachedTargets(file, symbol, base, depth));

  const basesOfPart = ({ file, symbol }: SymbolRef, depth: number): readonly Base[] => {
    const fact = file.facts.symbols[symbol];
    const extended = hooksOf(file, symbol).flatMap((hook) => basesAt(file, hook, depth));
    const named = [...basesAt(file, symbol, depth), ...extended.map((base) => ({ ...base, isExtension: true }))];
    const isAlias = fact?.kind === "type_alias" && file.rules.nominal;
    return isAlias ? [...named, ...cachedAliases(file, symbol, fact, depth)] : named;
  };
  const cachedBases = memoized<OutlineSymbol, readonly Base[]>(NO_REFS, (file, symbol, _fact, depth) =>
    groups.partsOf({ file, symbol }).flatMap((part) => basesOfPart(part, depth)),
  );

  return ({ file, symbol, isExtension }, depth) => {
    const fact = file.facts.symbols[symbol];
    const bases = fact === undefined ? NO_REFS : cachedBases(file, symbol, fact, depth);
    return isExtension === true ? bases.map((base) => ({ ...base, isExtension })) : bases;
  };
}
