/**
 * A bare name to what it means: the scopes around the use, the file, its imports, its package, its stars.
 *
 * Inside a class a bare name may be a member, where the language lets it (`run()` for `this.run()`). A name in a
 * namespace is looked for in every part of it, and then further out.
 */
import { CONTAINER_KINDS } from "../../syntax/facts/facts.ts";
import type { Binding } from "../imports/model.ts";
import { type Classes, TYPES_MAX } from "./classes.ts";
import { CONFIDENCE, type Found, type Guess, guess, isPlace } from "./confidence.ts";
import { parameterType } from "./declared-types.ts";
import type { Exports } from "./exports.ts";
import {
  CLASS_KINDS,
  chosen,
  type FileSymbols,
  fits,
  isInside,
  listed,
  type Place,
  scopeAround,
  type Target,
  type Want,
} from "./file-symbols.ts";
import { type Groups, isHeader } from "./visible-names.ts";

/** How many namespaces around a name are asked, and for how many files answers are kept. */
const NAMESPACES_MAX = 16;
const FILES_KEPT = 4;

/** A constructor has the name of its class, and is no type. */
const isWanted = ({ targets }: Guess, want: Want): boolean =>
  want !== "type" || targets.filter(isPlace).some(({ file, symbol }) => fits(file, symbol, want));

export type BareNames = {
  /** What a bare name means, as seen from a symbol of a file. */
  find(file: FileSymbols, scope: number | null, name: string, want: Want, depth: number): Found;
  /** What an import binds; a name in a class (`Outer.member`) is a member of it. */
  bound(file: FileSymbols, binding: Binding, want: Want, depth: number): readonly Target[];
};

export function bareNames(exports: Exports, groups: Groups, classes: Classes): BareNames {
  /** In the functions around the use, up to the first class or namespace; and from there on. */
  const inScopes = (file: FileSymbols, scope: number | null, name: string, want: Want, depth: number): Found => {
    const { scoping, rules, facts } = file;
    for (let at = scope; at !== null; at = scopeAround(facts, at)) {
      const symbol = facts.symbols[at];
      if (symbol === undefined) continue;
      if (CONTAINER_KINDS.has(symbol.kind)) return fromContainer(file, at, name, want, depth);
      const inner = chosen(file, file.named(at, name), want);
      if (inner !== null) return { targets: [{ file, symbol: inner }], confidence: CONFIDENCE.scope };
      if (want !== "type" && parameterType(symbol.signature, name, rules) !== undefined) return "outside";
      const owner = scoping.implicitSelf ? classes.owner(file, at) : null;
      const member = owner === null ? null : classes.inherited([owner], name, want, false, depth);
      if (member !== null && isWanted(member, want)) return member;
    }
    return inNamespaces(file, scope, name, want) ?? inFile(file, name, want, depth);
  };

  /** In a class or namespace and around it. The same is asked for by many members, so answers of a few files are kept. */
  const fromContainer = (file: FileSymbols, at: number, name: string, want: Want, depth: number): Found => {
    if (depth > 0) return findFromContainer(file, at, name, want, depth);
    if (!kept.has(file)) {
      if (kept.size >= FILES_KEPT) kept.delete(kept.keys().next().value ?? file);
      kept.set(file, { value: new Map(), call: new Map(), type: new Map() });
    }
    const ofContainers = kept.get(file)?.[want] ?? new Map<number, Map<string, Found>>();
    const answers = listed(ofContainers, at, () => new Map<string, Found>());
    const known = answers.get(name);
    if (known !== undefined) return known;
    const found = findFromContainer(file, at, name, want, depth);
    answers.set(name, found);
    return found;
  };
  const kept = new Map<FileSymbols, Readonly<Record<Want, Map<number, Map<string, Found>>>>>();

  const findFromContainer = (file: FileSymbols, at: number, name: string, want: Want, depth: number): Found => {
    const symbol = file.facts.symbols[at];
    if (symbol !== undefined && CLASS_KINDS.has(symbol.kind)) {
      const member = file.scoping.implicitSelf
        ? classes.inherited([{ file, symbol: at }], name, want, false, depth)
        : null;
      if (member !== null && isWanted(member, want)) return member;
    } else {
      const inner = chosen(file, file.named(at, name), want);
      if (inner !== null) return { targets: [{ file, symbol: inner }], confidence: CONFIDENCE.scope };
    }
    const parent = symbol?.parent ?? null;
    if (symbol !== undefined && parent !== null && parent < at) {
      const isOpen = file.rules.parts === "package" || file.rules.parts === "included";
      const elsewhere = isOpen ? shared(file, `${symbol.qualifiedName}.${name}`, want) : null;
      return elsewhere ?? inScopes(file, parent, name, want, depth);
    }
    return inNamespaces(file, at, name, want) ?? inFile(file, name, want, depth);
  };

  /** In the other parts of the namespaces around the use, innermost first. */
  const inNamespaces = (file: FileSymbols, scope: number | null, name: string, want: Want): Guess | null => {
    if (scope === null || (file.rules.parts !== "package" && file.rules.parts !== "included")) return null;
    let around = file.facts.symbols[scope]?.qualifiedName ?? "";
    for (let height = 0; around !== "" && height < NAMESPACES_MAX; height++) {
      const found = shared(file, `${around}.${name}`, want);
      if (found !== null) return found;
      around = around.slice(0, Math.max(0, around.lastIndexOf(".")));
    }
    return null;
  };

  /** In the package, or in what is included. */
  const shared = (file: FileSymbols, path: string, want: Want): Guess | null => {
    const places = groups.around(file, path, want);
    if (file.rules.parts !== "included") {
      const isLoose = ({ file: { facts, path }, symbol }: Place): boolean =>
        facts.symbols[symbol]?.kind === "function" && !file.stars.some(({ module }) => module === path);
      const isSure = file.rules.sharesFunctions || !places.some(isLoose);
      return guess(places, isSure ? CONFIDENCE.packaged : CONFIDENCE.unique);
    }
    const [place] = places;
    if (place === undefined) {
      // A prototype is no symbol everywhere: the definition that shares a header may be meant.
      const definition = want === "type" ? null : groups.definitionOf(file, path, null);
      return definition === null ? null : guess([definition], CONFIDENCE.typed);
    }
    return defined(file, path, place, want) ?? guess(places, CONFIDENCE.imported);
  };

  /** Where a header's declaration is defined. */
  const defined = (file: FileSymbols, path: string, { file: header, symbol }: Place, want: Want): Guess | null => {
    const kind = header.facts.symbols[symbol]?.kind ?? "variable";
    if (want === "type" || CONTAINER_KINDS.has(kind) || !isHeader(header.path)) return null;
    const definition = groups.definitionOf(file, path, header);
    return definition === null ? null : guess([definition], CONFIDENCE.declared);
  };

  const bound = (file: FileSymbols, binding: Binding, want: Want, depth: number): readonly Target[] => {
    const direct = exports.bound(file, binding, want);
    const dot = binding.name.lastIndexOf(".");
    if (direct.length > 0 || dot < 0 || depth > TYPES_MAX) return direct;
    const outer = bound(file, { ...binding, name: binding.name.slice(0, dot) }, "type", depth + 1).filter(isPlace);
    return classes.inherited(outer, binding.name.slice(dot + 1), want, false, depth + 1)?.targets ?? [];
  };

  /** A name that a star brings: of a file or package, or of a class in it. */
  const starred = (file: FileSymbols, star: Binding, name: string, want: Want, depth: number): readonly Target[] =>
    bound(file, { ...star, name: star.name === "*" ? name : `${star.name}.${name}` }, want, depth);

  /** At the top of the file, in what it imports, in its package. */
  const inFile = (file: FileSymbols, name: string, want: Want, depth: number): Found => {
    const own = chosen(file, file.named(null, name), want);
    if (own !== null) {
      const place = { file, symbol: own };
      return defined(file, name, place, want) ?? { targets: [place], confidence: CONFIDENCE.scope };
    }
    const binding = file.bindings.get(name);
    if (binding !== undefined) return guess(bound(file, binding, want, depth), CONFIDENCE.imported) ?? "outside";
    const packaged = shared(file, name, want);
    if (packaged !== null || file.rules.parts === "included") return packaged;
    for (const star of file.stars) {
      const targets = isInside(star) ? starred(file, star, name, want, depth) : [];
      if (targets.length > 0) return { targets, confidence: CONFIDENCE.starred };
    }
    return null;
  };

  const find: BareNames["find"] = (file, scope, name, want, depth) => {
    // What a class holds is reached through the class, except in its own body in Python.
    const isBody =
      scope !== null && file.rules.bodyScope && CLASS_KINDS.has(file.facts.symbols[scope]?.kind ?? "variable");
    const inner = isBody ? chosen(file, file.named(scope, name), want) : null;
    if (inner !== null) return { targets: [{ file, symbol: inner }], confidence: CONFIDENCE.scope };
    return inScopes(file, scope, name, want, depth);
  };
  return { find, bound };
}
