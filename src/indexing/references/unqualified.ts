/**
 * Resolves unqualified names: the scopes around the reference, the file, its imports, its package, its star imports.
 *
 * Inside a class the name may be a member if the language allows it (`run()` for `this.run()`). In a namespace, all its
 * parts are searched, then those around it.
 */
import { CONTAINER_KINDS } from "../../syntax/facts/facts.ts";
import type { Binding } from "../imports/model.ts";
import { type Classes, TYPES_MAX } from "./classes.ts";
import { type Candidates, CONFIDENCE, candidates, isSymbol, type Resolution } from "./confidence.ts";
import { parameterType } from "./declared-types.ts";
import type { Exports } from "./exports.ts";
import {
  CLASS_KINDS,
  choose,
  type FileSymbols,
  fitsRole,
  isInRepository,
  type Role,
  type SymbolRef,
  scopeAround,
  type Target,
} from "./file-symbols.ts";
import { isHeader, type VisibleNames } from "./visible-names.ts";

/** Limits on the namespaces searched around a name, and on the files in the cache. */
const NAMESPACES_MAX = 16;
const FILES_KEPT = 4;

/** A constructor has the name of its class but is not a type. */
const hasRole = ({ targets }: Candidates, role: Role): boolean =>
  role !== "type" || targets.filter(isSymbol).some(({ file, symbol }) => fitsRole(file, symbol, role));

export type UnqualifiedNames = {
  /** Resolves an unqualified name, seen from a symbol of a file. */
  find(file: FileSymbols, scope: number | null, name: string, role: Role, depth: number): Resolution;
  /** What an import binds. A name in a class (`Outer.member`) is its member. */
  bound(file: FileSymbols, binding: Binding, role: Role, depth: number): readonly Target[];
};

export function unqualifiedNames(exports: Exports, groups: VisibleNames, classes: Classes): UnqualifiedNames {
  /** Searches the functions around the reference, then the first class or namespace. */
  const inScopes = (file: FileSymbols, scope: number | null, name: string, role: Role, depth: number): Resolution => {
    const { scoping, rules, facts } = file;
    for (let at = scope; at !== null; at = scopeAround(facts, at)) {
      const symbol = facts.symbols[at];
      if (symbol === undefined) continue;
      if (CONTAINER_KINDS.has(symbol.kind)) return fromContainer(file, at, name, role, depth);
      const inner = choose(file, file.named(at, name), role);
      if (inner !== null) return { targets: [{ file, symbol: inner }], confidence: CONFIDENCE.scope };
      if (role !== "type" && parameterType(symbol.signature, name, rules) !== undefined) return "external";
      const owner = scoping.implicitSelf ? classes.owner(file, at) : null;
      const member = owner === null ? null : classes.inherited([owner], name, role, false, depth);
      if (member !== null && hasRole(member, role)) return member;
    }
    return inNamespaces(file, scope, name, role) ?? inFile(file, name, role, depth);
  };

  /** Searches a class or namespace and those around it. Cached for a few files, since many members ask the same. */
  const fromContainer = (file: FileSymbols, at: number, name: string, role: Role, depth: number): Resolution => {
    if (depth > 0) return findFromContainer(file, at, name, role, depth);
    if (!cached.has(file)) {
      if (cached.size >= FILES_KEPT) cached.delete(cached.keys().next().value ?? file);
      cached.set(file, { value: new Map(), call: new Map(), type: new Map() });
    }
    const ofContainers = cached.get(file)?.[role] ?? new Map<number, Map<string, Resolution>>();
    const answers = ofContainers.getOrInsertComputed(at, () => new Map<string, Resolution>());
    return answers.getOrInsertComputed(name, () => findFromContainer(file, at, name, role, depth));
  };
  const cached = new Map<FileSymbols, Readonly<Record<Role, Map<number, Map<string, Resolution>>>>>();

  const findFromContainer = (file: FileSymbols, at: number, name: string, role: Role, depth: number): Resolution => {
    const symbol = file.facts.symbols[at];
    if (symbol !== undefined && CLASS_KINDS.has(symbol.kind)) {
      const member = file.scoping.implicitSelf
        ? classes.inherited([{ file, symbol: at }], name, role, false, depth)
        : null;
      if (member !== null && hasRole(member, role)) return member;
    } else {
      const inner = choose(file, file.named(at, name), role);
      if (inner !== null) return { targets: [{ file, symbol: inner }], confidence: CONFIDENCE.scope };
    }
    const parent = symbol?.parent ?? null;
    if (symbol !== undefined && parent !== null && parent < at) {
      const isOpen = file.rules.parts === "package" || file.rules.parts === "included";
      const elsewhere = isOpen ? shared(file, `${symbol.qualifiedName}.${name}`, role) : null;
      return elsewhere ?? inScopes(file, parent, name, role, depth);
    }
    return inNamespaces(file, at, name, role) ?? inFile(file, name, role, depth);
  };

  /** Searches the other parts of the namespaces around the reference, innermost first. */
  const inNamespaces = (file: FileSymbols, scope: number | null, name: string, role: Role): Candidates | null => {
    if (scope === null || (file.rules.parts !== "package" && file.rules.parts !== "included")) return null;
    let around = file.facts.symbols[scope]?.qualifiedName ?? "";
    for (let height = 0; around !== "" && height < NAMESPACES_MAX; height++) {
      const found = shared(file, `${around}.${name}`, role);
      if (found !== null) return found;
      around = around.slice(0, Math.max(0, around.lastIndexOf(".")));
    }
    return null;
  };

  /** Searches the package, or the included files. */
  const shared = (file: FileSymbols, path: string, role: Role): Candidates | null => {
    const refs = groups.around(file, path, role);
    if (file.rules.parts !== "included") {
      const isLoose = ({ file: { facts, path }, symbol }: SymbolRef): boolean =>
        facts.symbols[symbol]?.kind === "function" && !file.stars.some(({ module }) => module === path);
      const isSure = file.rules.sharesFunctions || !refs.some(isLoose);
      return candidates(refs, isSure ? CONFIDENCE.packaged : CONFIDENCE.unique);
    }
    const [ref] = refs;
    if (ref === undefined) {
      // Prototypes are not always symbols, so look for the definition that shares a header.
      const definition = role === "type" ? null : groups.definitionOf(file, path, null);
      return definition === null ? null : candidates([definition], CONFIDENCE.typed);
    }
    return defined(file, path, ref, role) ?? candidates(refs, CONFIDENCE.imported);
  };

  /** The definition of a declaration in a header. */
  const defined = (
    file: FileSymbols,
    path: string,
    { file: header, symbol }: SymbolRef,
    role: Role,
  ): Candidates | null => {
    const kind = header.facts.symbols[symbol]?.kind ?? "variable";
    if (role === "type" || CONTAINER_KINDS.has(kind) || !isHeader(header.path)) return null;
    const definition = groups.definitionOf(file, path, header);
    return definition === null ? null : candidates([definition], CONFIDENCE.declared);
  };

  const bound = (file: FileSymbols, binding: Binding, role: Role, depth: number): readonly Target[] => {
    const direct = exports.bound(file, binding, role);
    const dot = binding.name.lastIndexOf(".");
    if (direct.length > 0 || dot < 0 || depth > TYPES_MAX) return direct;
    const outer = bound(file, { ...binding, name: binding.name.slice(0, dot) }, "type", depth + 1).filter(isSymbol);
    return classes.inherited(outer, binding.name.slice(dot + 1), role, false, depth + 1)?.targets ?? [];
  };

  /** A name that a star import brings: from a file or package, or from a class in it. */
  const starred = (file: FileSymbols, star: Binding, name: string, role: Role, depth: number): readonly Target[] =>
    bound(file, { ...star, name: star.name === "*" ? name : `${star.name}.${name}` }, role, depth);

  /** Searches the top level of the file, its imports, its package. */
  const inFile = (file: FileSymbols, name: string, role: Role, depth: number): Resolution => {
    const own = choose(file, file.named(null, name), role);
    if (own !== null) {
      const ref = { file, symbol: own };
      return defined(file, name, ref, role) ?? { targets: [ref], confidence: CONFIDENCE.scope };
    }
    const binding = file.bindings.get(name);
    if (binding !== undefined) return candidates(bound(file, binding, role, depth), CONFIDENCE.imported) ?? "external";
    const packaged = shared(file, name, role);
    if (packaged !== null || file.rules.parts === "included") return packaged;
    for (const star of file.stars) {
      const targets = isInRepository(star) ? starred(file, star, name, role, depth) : [];
      if (targets.length > 0) return { targets, confidence: CONFIDENCE.starred };
    }
    return null;
  };

  const find: UnqualifiedNames["find"] = (file, scope, name, role, depth) => {
    // Members are reached through the class, except in the class body in Python.
    const isBody =
      scope !== null && file.rules.bodyScope && CLASS_KINDS.has(file.facts.symbols[scope]?.kind ?? "variable");
    const inner = isBody ? choose(file, file.named(scope, name), role) : null;
    if (inner !== null) return { targets: [{ file, symbol: inner }], confidence: CONFIDENCE.scope };
    return inScopes(file, scope, name, role, depth);
  };
  return { find, bound };
}
