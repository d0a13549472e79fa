/**
 * The extension functions of Kotlin that a file sees: those that it imports by name, from an object or as part of a package, those
 * of its own package, and those of the classes around a use. One that it does not see is not what a name means, whatever it extends.
 */
import type { ReferenceFact } from "../../../syntax/facts/facts.ts";
import { isExternalMember, ownerOf } from "../../../syntax/facts/member-owner.ts";
import type { Binding } from "../../imports/model.ts";
import { byName, type Candidates, CONFIDENCE, candidates, isSymbol } from "../confidence.ts";
import { CANDIDATES_MAX } from "../declarations/disambiguation.ts";
import type { Exports } from "../declarations/exports.ts";
import {
  CLASS_KINDS,
  type FileSymbols,
  type Role,
  type SymbolRef,
  scopesOf,
  type Target,
} from "../declarations/file-symbols.ts";
import { extensionName } from "../declarations/symbol-table.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import { isCommonName } from "./common-names.ts";
import type { UnqualifiedNames } from "./unqualified.ts";

export type Extensions = {
  /** The candidates without extensions that the file does not see; null if none is left. */
  seen(file: FileSymbols, name: string, found: Candidates): Candidates | null;
  /** The extensions that the file imports by the name of a use; of text, those of `String` if there are any. */
  imported(file: FileSymbols, use: ReferenceFact, role: Role): readonly Target[];
  /** Those of the classes around a use, of its package and of packages that it imports, unless standard libraries use the name too. */
  around(file: FileSymbols, use: ReferenceFact, role: Role): readonly Target[];
  /** What the file sees by the name of a use, for a receiver of any type. */
  named(file: FileSymbols, use: ReferenceFact, role: Role): Candidates | null;
};

/** Members of numbers and of everything, written like operators. */
const OPERATORS: ReadonlySet<string> = new Set(["and", "downTo", "or", "shl", "shr", "to", "until", "ushr", "xor"]);

const NONE: readonly Target[] = [];

export function extensionsOf(exports: Exports, names: UnqualifiedNames, groups: VisibleNames): Extensions {
  /** `import a.Cart.Companion.toCart`: an extension that is a member of an object. */
  const inObject = (file: FileSymbols, binding: Binding): readonly Target[] => {
    const dot = binding.name.lastIndexOf(".");
    if (dot < 0) return NONE;
    const outer = { ...binding, name: binding.name.slice(0, dot) };
    return names.bound(file, outer, "type", 0).flatMap((target) => {
      return isSymbol(target) ? memberExtensions(target, binding.name.slice(dot + 1)) : [];
    });
  };

  const extensions: Extensions = {
    seen: (file, name, found) => {
      if (file.rules.extensions !== "imported" || !found.targets.some(isFree)) return found;
      const targets = found.targets.filter((target) => !isFree(target) || isSeen(file, name, target));
      return targets.length === found.targets.length ? found : candidates(targets, found.confidence);
    },
    imported: (file, { name, qualifier }, role) => {
      const binding = file.rules.extensions === "imported" && role === "call" ? file.bindings.get(name) : undefined;
      if (binding === undefined) return NONE;
      const found = exports.bound(file, { ...binding, name: extensionName(binding.name) }, role);
      const all = found.length > 0 ? found : inObject(file, binding);
      const ofText = qualifier?.startsWith('"') === true ? all.filter(extendsText) : NONE;
      return ofText.length > 0 ? ofText : all;
    },
    around: (file, { name, symbol }, role) => {
      if (file.rules.extensions !== "imported" || role !== "call" || OPERATORS.has(name)) return NONE;
      if (isCommonName(name, file.family, file.rules.nominal)) return NONE;
      const ofClasses = inClasses(file, symbol, name);
      if (ofClasses.length > 0) return ofClasses;
      const own = groups.around(file, extensionName(name), role);
      const found = own.length > 0 ? own : throughStars(groups, file, name, role);
      return found.length > CANDIDATES_MAX ? NONE : found;
    },
    named: (file, use, role) =>
      candidates(extensions.imported(file, use, role), CONFIDENCE.typed) ?? byName(extensions.around(file, use, role)),
  };
  return extensions;
}

function throughStars(groups: VisibleNames, file: FileSymbols, name: string, role: Role): readonly Target[] {
  return file.stars.flatMap(({ group, name: path }) =>
    group === null || path !== "*" ? [] : groups.inGroup(file, group, extensionName(name), role),
  );
}

/** `class Cart { fun Buffer.writeLine() }`: those that the innermost class with one of the name has. */
function inClasses(file: FileSymbols, scope: number | null, name: string): readonly SymbolRef[] {
  for (const symbol of scopesOf(file.facts, scope)) {
    if (!CLASS_KINDS.has(file.facts.symbols[symbol]?.kind ?? "variable")) continue;
    const found = memberExtensions({ file, symbol }, name);
    if (found.length > 0) return found;
  }
  return [];
}

function memberExtensions({ file, symbol }: SymbolRef, name: string): readonly SymbolRef[] {
  return file.facts.symbols.flatMap((fact, index) =>
    fact.parent === symbol && fact.name === name && isExternalMember(file.facts, fact) ? [{ file, symbol: index }] : [],
  );
}

const extendsText = (target: Target): boolean => isSymbol(target) && ownerNamed(target) === "String";

const ownerNamed = ({ file, symbol }: SymbolRef): string | null => {
  const fact = file.facts.symbols[symbol];
  return fact === undefined ? null : ownerOf(file.facts, fact);
};

/** Whether it is an extension outside of all types, which its users must see. */
function isFree(target: Target): target is SymbolRef {
  if (!isSymbol(target) || target.file.rules.extensions !== "imported") return false;
  const fact = target.file.facts.symbols[target.symbol];
  return fact !== undefined && fact.parent === null && isExternalMember(target.file.facts, fact);
}

function isSeen(file: FileSymbols, name: string, { file: other }: SymbolRef): boolean {
  if (other.group === file.group) return true;
  const binding = file.bindings.get(name);
  const isNamed = binding !== undefined && (binding.module === other.path || binding.group === other.group);
  return isNamed || file.stars.some(({ group, name: path }) => path === "*" && group === other.group);
}
