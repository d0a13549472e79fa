/**
 * One use of a name to its meanings, each with a confidence.
 *
 * A path before the name is followed (`members.ts`), and so is a chain of calls (`call-results.ts`).
 * What some languages say in a way of their own comes after that; the last resort is a name that few define.
 */
import type { ReferenceFact } from "../../syntax/facts/facts.ts";
import { resultMembers } from "./call-results.ts";
import { byName, CONFIDENCE, type Found, type Guess, guess, isPlace, weaker } from "./confidence.ts";
import { isPointer, isPointerMethod } from "./cpp-pointers.ts";
import type { Exports } from "./exports.ts";
import { type FileSymbols, type Place, scopesOf, type Want } from "./file-symbols.ts";
import type { PathFinder } from "./members.ts";
import type { NameTable } from "./rare-names.ts";
import { extensionName } from "./symbol-table.ts";

/** What stands before the dot is text, and text of this length is no name. In characters. */
const QUALIFIER_LENGTH_MAX = 200;

/** How many qualifiers are kept as they were read. */
const PATHS_KEPT = 1000;

/** Names with dots between; one at the beginning makes a path absolute. */
const PATH = /^(?:\.|\.?[\p{L}_$#@][\p{L}\p{N}_$#]*(?:\.[\p{L}_$#][\p{L}\p{N}_$#]*)*)$/u;

export type MeaningFinder = {
  /** What a use may mean, or null. */
  meaning(file: FileSymbols, use: ReferenceFact, want: Want): Guess | null;
};

/** `isGiven`: whether anything has a name, so that a use can lead to it; may say so wrongly. */
export function meaningFinder(
  paths: PathFinder,
  exports: Exports,
  table: NameTable,
  isGiven: (name: string) => boolean,
): MeaningFinder {
  const { dotted, classes } = paths;
  const ofResult = resultMembers(dotted, classes);

  /** Few qualifiers make up most uses. */
  const kept = new Map<string, readonly string[] | "literal" | null>();
  const pathOf = (qualifier: string): readonly string[] | "literal" | null => {
    const known = kept.get(qualifier);
    if (known !== undefined) return known;
    const path = readPath(qualifier);
    if (kept.size >= PATHS_KEPT) kept.clear();
    kept.set(qualifier, path);
    return path;
  };

  const chain = (file: FileSymbols, use: ReferenceFact, qualifier: string, want: Want): Guess | null => {
    const path = pathOf(qualifier);
    if (path === "literal") return null;
    const isPath = path !== null && !file.scoping.superNames.includes(qualifier);
    const parts = isPath ? [...path, use.name] : [];
    const scope = scopeOf(file, use);
    const member = isPath ? dotted(file, scope, parts, want, 0) : ofResult(file, use, qualifier, want);
    const found = isGuess(member) ? member : (ofOwnModule(file, scope, parts, want) ?? member);
    if (isGuess(found))
      return isOfPointer(file, scope, parts, want) ? weaker(found, found.targets, CONFIDENCE.ambiguous) : found;
    const extension = file.rules.extensions && want === "call" ? file.bindings.get(use.name) : undefined;
    const extended =
      extension === undefined ? [] : exports.bound(file, { ...extension, name: extensionName(extension.name) }, want);
    if (extended.length > 0) return guess(extended, CONFIDENCE.typed);
    return found === "outside" ? null : byName(want === "type" ? [] : table.methods(use.name, file));
  };

  /** In Rust `self` is also the module (`self::f()`): asked for what the type of the object has not. */
  const ofOwnModule = (file: FileSymbols, scope: number | null, parts: readonly string[], want: Want): Found => {
    const [first, second = "", ...rest] = parts;
    if (!file.rules.selfIsModule || first !== "self") return null;
    const own = classes.enclosing(file, scope);
    if (own !== null && classes.inherited([own], second, "value", false, 0) !== null) return null;
    const found = dotted(file, scope, [second, ...rest], want, 0);
    return isGuess(found) && own !== null ? weaker(found, found.targets, CONFIDENCE.unique) : found;
  };

  /** In C++ `p.reset()` may be the pointer's own, and facts do not tell it from `p->reset()`. */
  const isOfPointer = (file: FileSymbols, scope: number | null, parts: readonly string[], want: Want): boolean => {
    const [holder = "", name = ""] = parts.slice(-2);
    if (file.rules.parts !== "included" || want !== "call" || !isPointerMethod(name)) return false;
    const isParameter = (at: number): boolean => isPointer(file.facts.symbols[at]?.signature ?? "", holder);
    if (parts.length === 2 && scopesOf(file.facts, scope).some(isParameter)) return true;
    const held = parts.length < 2 ? null : dotted(file, scope, parts.slice(0, -1), "value", 0);
    const isHeld = (place: Place): boolean =>
      isPointer(place.file.facts.symbols[place.symbol]?.signature ?? "", holder);
    return isGuess(held) && held.targets.filter(isPlace).some(isHeld);
  };

  return {
    meaning: (file, use, want) => {
      if (use.name === "" || (use.qualifier !== null && use.qualifier.length > QUALIFIER_LENGTH_MAX)) return null;
      const qualifier = plainQualifier(use.qualifier);
      const { attributes } = file.rules;
      if (use.kind === "decorate" && attributes !== "" && !use.name.endsWith(attributes)) {
        const attribute = meant(file, { ...use, name: use.name + attributes }, qualifier, want);
        if (attribute !== null) return attribute;
      }
      return meant(file, use, qualifier, want);
    },
  };

  function meant(file: FileSymbols, use: ReferenceFact, qualifier: string | null, want: Want): Guess | null {
    // Half of all uses are of names that nothing in the repository has.
    if (!isGiven(use.name)) return null;
    if (qualifier !== null) return chain(file, use, qualifier, want);
    if (file.scoping.superNames.includes(use.name)) return null;
    const found = paths.names.find(file, scopeOf(file, use), use.name, want, 0);
    if (found === "outside") return null;
    if (found !== null) return asCalled(found, want);
    const isShared = file.isScript || (want === "call" && file.rules.macros !== "");
    return byName(isShared ? table.globals(use.name, file) : []);
  }

  /** A module that is called is called as what it exports as a whole. */
  function asCalled(found: Guess, want: Want): Guess {
    const [module] = found.targets;
    if (module === undefined || module.file === null || module.symbol !== null) return found;
    return guess(exports.exported(module.file, "default", want), found.confidence) ?? found;
  }
}

const plainQualifier = (written: string | null): string | null =>
  written !== null && /[?! ]/.test(written) ? written.replaceAll("?.", ".").replaceAll("!", "").trim() : written;

/** Names in the head of a class (bases, decorators) are seen from outside of it. */
const scopeOf = (file: FileSymbols, use: ReferenceFact): number | null =>
  use.symbol !== null && (use.kind === "inherit" || use.kind === "implement" || use.kind === "decorate")
    ? (file.facts.symbols[use.symbol]?.parent ?? null)
    : use.symbol;

/** The names of a path; null for what is none, "literal" for text and numbers. */
function readPath(qualifier: string): readonly string[] | "literal" | null {
  if (/^["'`[{(\d/]|^[rbfu]{1,2}["']/i.test(qualifier)) return "literal";
  if (!PATH.test(qualifier)) return null;
  return qualifier === "." ? [""] : qualifier.split(".");
}

const isGuess = (found: Found): found is Guess => found !== null && found !== "outside";
