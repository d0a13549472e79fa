/**
 * Resolves unqualified names: the scopes around the reference, the file, its imports, its package, its star imports.
 *
 * Inside a class the name may be a member if the language allows it (`run()` for `this.run()`). In a namespace, all its
 * parts are searched, then those around it.
 */
import type { ImportFamily } from "../../../languages/language.ts";
import { CONTAINER_KINDS, type OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, isSymbol, type Resolution } from "../confidence.ts";
import { parameterType } from "../declarations/declared-types.ts";
import { isHeader } from "../declarations/disambiguation.ts";
import type { Exports } from "../declarations/exports.ts";
import {
  CLASS_KINDS,
  choose,
  type FileSymbols,
  fitsRole,
  isSpecialization,
  type Role,
  type SymbolRef,
  scopeAround,
  type Target,
} from "../declarations/file-symbols.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import type { Classes } from "../types/classes.ts";
import { type Bound, importedTargets, throughStars } from "./imported-names.ts";

/** Limits on the namespaces searched around a name, and on the files in the cache. */
const NAMESPACES_MAX = 16;
const FILES_KEPT = 4;

/** A constructor has the name of its class, but it is no type, and `Cart.open()` begins with the class. */
const hasRole = (member: Candidates, role: Role): boolean =>
  role === "type"
    ? member.targets.some((target) => isSymbol(target) && (isType(target) || isConstant(target)))
    : role === "call" || !member.targets.some(isConstructor);
const isConstructor = (target: Target): boolean => {
  if (!isSymbol(target) || !target.file.rules.nominal) return false;
  const { symbols } = target.file.facts;
  const { kind, name, parent } = symbols[target.symbol] ?? {};
  return kind === "method" && symbols[parent ?? -1]?.name === name;
};
const isType = ({ file, symbol }: SymbolRef): boolean => fitsRole(file, symbol, "type");
const isConstant = ({ file, symbol }: SymbolRef): boolean =>
  file.scoping.constantsLikeTypes === true && file.facts.symbols[symbol]?.kind === "property";

export type UnqualifiedNames = {
  /** Resolves an unqualified name, seen from a symbol of a file. */
  find(file: FileSymbols, scope: number | null, name: string, role: Role, depth: number): Resolution;
  readonly bound: Bound;
};

/** `groups` are the names of packages and included headers. */
export function unqualifiedNames(exports: Exports, groups: VisibleNames, classes: Classes): UnqualifiedNames {
  const bound = importedTargets(exports, classes);
  const cached = containerCache();

  /** Searches the functions around the reference, then the first class or namespace. */
  function inScopes(file: FileSymbols, scope: number | null, name: string, role: Role, depth: number): Resolution {
    const { scoping, facts } = file;
    for (let at = scope; at !== null; at = scopeAround(facts, at)) {
      const symbol = facts.symbols[at];
      if (symbol === undefined) continue;
      if (CONTAINER_KINDS.has(symbol.kind)) return inContainer(file, at, name, role, depth);
      const local = inScope(file, at, name, role);
      if (local !== null) return local;
      if (isParameter(file, symbol, name, role)) return "external";
      const owner = scoping.implicitSelf ? classes.owner(file, at) : null;
      const member = owner === null ? null : classes.inherited([owner], name, role, false, depth);
      if (member !== null && hasRole(member, role)) return member;
    }
    return inNamespaces(groups, file, scope, name, role) ?? inFile(file, name, role, depth);
  }

  /** Searches a class or namespace and those around it. */
  function inContainer(file: FileSymbols, at: number, name: string, role: Role, depth: number): Resolution {
    const known = depth > 0 ? null : cached(file, at, role);
    const answer = known?.get(name);
    if (answer !== undefined) return answer;
    const found = searchContainer(file, at, name, role, depth);
    known?.set(name, found);
    return found;
  }

  function searchContainer(file: FileSymbols, at: number, name: string, role: Role, depth: number): Resolution {
    const symbol = file.facts.symbols[at];
    if (symbol !== undefined && CLASS_KINDS.has(symbol.kind)) {
      const member = file.scoping.implicitSelf
        ? classes.inherited([{ file, symbol: at }], name, role, false, depth)
        : null;
      if (member !== null && hasRole(member, role)) return member;
    } else {
      const local = inScope(file, at, name, role);
      if (local !== null) return local;
    }
    const own = symbol === undefined ? null : throughStars(bound, file, name, role, depth, symbol.qualifiedName);
    if (own !== null) return own;
    const parent = symbol?.parent ?? null;
    if (symbol !== undefined && parent !== null && parent < at) {
      const isOpen = file.rules.parts === "package" || file.rules.parts === "included";
      const elsewhere = isOpen ? shared(groups, file, `${symbol.qualifiedName}.${name}`, role) : null;
      return elsewhere ?? inScopes(file, parent, name, role, depth);
    }
    return inNamespaces(groups, file, at, name, role) ?? inFile(file, name, role, depth);
  }

  /** Searches the top level of the file, its imports, its package and its star imports. */
  function inFile(file: FileSymbols, name: string, role: Role, depth: number): Resolution {
    const own = ownName(file, null, name, role);
    if (own !== null) {
      const ref = { file, symbol: own };
      return declared(groups, file, name, ref, role) ?? { targets: [ref], confidence: CONFIDENCE.scope };
    }
    if (file.rules.parts === "included")
      return shared(groups, file, name, role) ?? throughUsing(groups, file, name, role);
    const binding = file.bindings.get(name);
    if (binding !== undefined) return candidates(bound(file, binding, role, depth), CONFIDENCE.imported) ?? "external";
    return shared(groups, file, name, role) ?? throughStars(bound, file, name, role, depth);
  }

  return {
    bound,
    find: (file, scope, name, role, depth) =>
      inBody(file, scope, name, role) ??
      inScopes(file, scope, name, role, depth) ??
      classes.ofMixin(file, scope, name, role, depth),
  };
}

/** Whether a name is a parameter of a function around it. */
const isParameter = (
  { scoping, rules }: FileSymbols,
  { kind, signature }: OutlineSymbol,
  name: string,
  role: Role,
): boolean =>
  role !== "type" &&
  scoping.functionClauses !== true &&
  kind !== "variable" &&
  kind !== "property" &&
  parameterType(signature, name, rules) !== undefined;

/** Members are reached through the class, except in the class body in Python. */
function inBody(file: FileSymbols, scope: number | null, name: string, role: Role): Candidates | null {
  if (scope === null || !file.rules.bodyScope) return null;
  return CLASS_KINDS.has(file.facts.symbols[scope]?.kind ?? "variable") ? inScope(file, scope, name, role) : null;
}

/** Caches what names mean in a container, for a few files, because many members use the same names. */
function containerCache() {
  const cached = new Map<FileSymbols, Readonly<Record<Role, Map<number, Map<string, Resolution>>>>>();
  return (file: FileSymbols, at: number, role: Role): Map<string, Resolution> => {
    let ofFile = cached.get(file);
    if (ofFile === undefined) {
      if (cached.size >= FILES_KEPT) cached.delete(cached.keys().next().value ?? file);
      ofFile = { value: new Map(), call: new Map(), type: new Map() };
      cached.set(file, ofFile);
    }
    let answers = ofFile[role].get(at);
    if (answers === undefined) {
      answers = new Map();
      ofFile[role].set(at, answers);
    }
    return answers;
  };
}

/** A definition directly inside a symbol of the same file. */
function inScope(file: FileSymbols, scope: number, name: string, role: Role): Candidates | null {
  const symbol = ownName(file, scope, name, role);
  return symbol === null ? null : { targets: [{ file, symbol }], confidence: CONFIDENCE.scope };
}

/**
 * The definition of a name directly inside a symbol, or at the top level of the file. A specialization is none: its template may be in
 * another file.
 */
function ownName(file: FileSymbols, scope: number | null, name: string, role: Role): number | null {
  const indices = file.named(scope, name);
  const hasTitles = file.rules.moduleValues || TITLED.has(file.family);
  const own = choose(file, hasTitles ? indices.filter((index) => isName(file, index)) : indices, role);
  return own === null || isSpecialization(file, own) ? null : own;
}

/** JavaScript reaches methods through their objects, and a test has a title: its signature is a call, `describe("add", () =>`. */
function isName({ facts, rules }: FileSymbols, index: number): boolean {
  const symbol = facts.symbols[index];
  if (symbol === undefined) return false;
  if (rules.moduleValues)
    return symbol.kind !== "method" && !(symbol.kind === "function" && CALL.test(symbol.signature));
  return symbol.kind !== "function" || !TITLE.test(symbol.signature);
}

const CALL = /^[\w.]+[(`]/;

/** Other families with tests that have titles: `group('add', ()`, `describe "add" do`. */
const TITLED: ReadonlySet<ImportFamily> = new Set(["dart", "elixir"]);
const TITLE = /^\w+(?:<[^()]*>)?(?:\(\s*| +)["']/;

/** Searches the other parts of the namespaces around the reference, innermost first. */
function inNamespaces(
  groups: VisibleNames,
  file: FileSymbols,
  scope: number | null,
  name: string,
  role: Role,
): Candidates | null {
  if (scope === null || (file.rules.parts !== "package" && file.rules.parts !== "included")) return null;
  let around = file.facts.symbols[scope]?.qualifiedName ?? "";
  for (let height = 0; around !== "" && height < NAMESPACES_MAX; height++) {
    const found = shared(groups, file, `${around}.${name}`, role);
    if (found !== null) return found;
    around = around.slice(0, Math.max(0, around.lastIndexOf(".")));
  }
  return null;
}

/** Searches what `using` of C++ brings. */
function throughUsing(groups: VisibleNames, file: FileSymbols, name: string, role: Role): Candidates | null {
  for (const path of groups.usedPaths(file, name, null)) {
    const found = shared(groups, file, path, role);
    if (found !== null && !found.targets.some(isTemplatesOther)) return found;
  }
  return null;
}

const isTemplatesOther = (target: Target): boolean => isSymbol(target) && isSpecialization(target.file, target.symbol);

/** Searches the package, or the included files. */
function shared(groups: VisibleNames, file: FileSymbols, path: string, role: Role): Candidates | null {
  const refs = groups.around(file, path, role);
  if (file.rules.parts !== "included") {
    if (refs.length === 0) return null;
    const isSure = file.rules.sharesFunctions || !hasLooseFunction(file, refs);
    return candidates(refs, isSure ? CONFIDENCE.packaged : CONFIDENCE.unique);
  }
  const ref = refs[0];
  if (ref === undefined) {
    // Prototypes are not always symbols, so look for the definition that shares a header.
    const definition = role === "type" ? null : groups.definitionOf(file, path, null);
    return definition === null ? null : candidates([definition], CONFIDENCE.typed);
  }
  return declared(groups, file, path, ref, role) ?? candidates(refs, CONFIDENCE.imported);
}

/** Whether one of them is a function of a file that is not imported. */
const hasLooseFunction = (from: FileSymbols, refs: readonly SymbolRef[]): boolean =>
  refs.some(
    ({ file: { facts, path }, symbol }) =>
      facts.symbols[symbol]?.kind === "function" && !from.stars.some(({ module }) => module === path),
  );

/** The definition that a declaration in a header stands for. */
function declared(
  groups: VisibleNames,
  file: FileSymbols,
  path: string,
  { file: header, symbol }: SymbolRef,
  role: Role,
): Candidates | null {
  const kind = header.facts.symbols[symbol]?.kind ?? "variable";
  if (role === "type" || CONTAINER_KINDS.has(kind) || !isHeader(header.path)) return null;
  const definition = groups.definitionOf(file, path, header);
  return definition === null ? null : candidates([definition], CONFIDENCE.declared);
}
