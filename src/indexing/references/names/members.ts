/**
 * Resolves dotted paths from left to right: through packages, modules, classes, the enclosing class (`self`, `this`) and values
 * whose type a signature declares.
 *
 * The confidence of a path is that of its weakest step. Depths are bounded, so that cyclic bases and types end.
 */

import { CONTAINER_KINDS, type OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, distinct, isSymbol, type Resolution, weaker } from "../confidence.ts";
import { parameterType, receiverName } from "../declarations/declared-types.ts";
import type { Exports } from "../declarations/exports.ts";
import type { ExternalMembers } from "../declarations/external-members.ts";
import {
  CLASS_KINDS,
  type FileSymbols,
  type PackageTarget,
  type Role,
  type SymbolRef,
  scopeAround,
  type Target,
  WHOLE_FILE,
} from "../declarations/file-symbols.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import { type Classes, classTable, TYPES_MAX } from "../types/classes.ts";
import { type AddedMembers, addedMembers } from "../types/outside-types.ts";
import type { ResolvePath } from "../types/resolve-path.ts";
import { aliasedConstants, type Meant } from "./aliased-constants.ts";
import { type UnqualifiedNames, unqualifiedNames } from "./unqualified.ts";

/** Longer paths are not resolved. */
const DOTS_MAX = 8;

export type MemberResolver = {
  readonly resolvePath: ResolvePath;
  readonly names: UnqualifiedNames;
  readonly classes: Classes;
  readonly added: AddedMembers;
};

export function memberResolver(external: ExternalMembers, exports: Exports, groups: VisibleNames): MemberResolver {
  const classes = classTable(external, groups, resolvePath);
  const { bound, find } = unqualifiedNames(exports, groups, classes);
  const meant = aliasedConstants(resolvePath, bound);
  const names: UnqualifiedNames = {
    bound,
    find: (file, scope, name, role, depth) => meant(find(file, scope, name, role, depth), role, depth),
  };
  const along = memberSteps(exports, groups, classes, meant);

  /** Resolves `a.b.c`; the last part has the role. */
  function resolvePath(
    file: FileSymbols,
    scope: number | null,
    parts: readonly string[],
    role: Role,
    depth: number,
  ): Resolution {
    if (depth > TYPES_MAX || parts.length > DOTS_MAX) return null;
    const first = parts[0] ?? "";
    if (parts.length < 2) return names.find(file, scope, first, role, depth);
    const rest = parts.slice(1);
    if (first === "" || first === file.rules.root) return fromRoot(file, rest, role, depth);
    // `import a.b` binds a dotted alias: the longest one counts.
    for (let length = parts.length - 1; length > 1; length--) {
      const binding = file.bindings.get(parts.slice(0, length).join("."));
      const targets = binding === undefined ? [] : names.bound(file, binding, "value", depth);
      if (targets.length > 0)
        return along(file, { targets, confidence: CONFIDENCE.imported }, parts.slice(length), role, depth);
    }
    const value = headOf(classes, names, file, scope, first, depth);
    const start = value ?? (role === "type" ? names.find(file, scope, first, "type", depth) : null);
    if (start === "external") return start;
    if (start !== null) return along(file, start, rest, role, depth);
    const { packaged, after } = packagePrefix(groups, file, parts);
    if (packaged !== null)
      return along(file, { targets: [packaged], confidence: CONFIDENCE.imported }, after, role, depth);
    return reopened(file, parts, role, depth) ?? (file.rules.nominal && /^\p{Lu}/u.test(first) ? "external" : null);
  }

  /** Resolves an absolute path, only in the package that it names. */
  function fromRoot(file: FileSymbols, parts: readonly string[], role: Role, depth: number): Resolution {
    const { rules, family } = file;
    for (let length = rules.dottedPackages ? parts.length - 1 : 0; length > 0; length--) {
      const group = parts.slice(0, length).join(".");
      if (!groups.has(family, group)) continue;
      const start = { targets: [{ file: null, family, group }], confidence: CONFIDENCE.imported };
      return along(file, start, parts.slice(length), role, depth) ?? "external";
    }
    const [first = "", ...rest] = parts;
    const refs = groups.atRoot(file, first, rest.length === 0 ? role : "type");
    const start = candidates(refs, CONFIDENCE.imported);
    return start === null ? "external" : (along(file, start, rest, role, depth) ?? "external");
  }

  /** Resolves through the longest prefix that names a type with parts in other files (`class Out::Side`), or what is in the namespace of a macro. */
  function reopened(file: FileSymbols, parts: readonly string[], role: Role, depth: number): Resolution {
    if (file.rules.parts !== "package" && file.rules.parts !== "included") return null;
    for (let length = parts.length; length > 1; length--) {
      const path = parts.slice(0, length).join(".");
      const start = candidates(groups.around(file, path, length === parts.length ? role : "type"), CONFIDENCE.imported);
      if (start !== null) return along(file, start, parts.slice(length), role, depth);
    }
    return null;
  }

  return { resolvePath, names, classes, added: addedMembers(external, { resolvePath, classes }) };
}

/** Finds the longest prefix that names a package, as written or relative to a package around the file. */
function packagePrefix(
  groups: VisibleNames,
  file: FileSymbols,
  parts: readonly string[],
): { readonly packaged: PackageTarget | null; readonly after: readonly string[] } {
  const { rules, family, group: own } = file;
  for (let length = rules.dottedPackages ? parts.length - 1 : 0; length > 0; length--) {
    const path = parts.slice(0, length).join(".");
    for (let around = own ?? ""; ; around = around.slice(0, Math.max(0, around.lastIndexOf(".")))) {
      const group = around === "" ? path : `${around}.${path}`;
      const isVisible = around === "" || rules.outerPackages !== "none";
      if (isVisible && groups.has(family, group))
        return { packaged: { file: null, family, group }, after: parts.slice(length) };
      if (around === "") break;
    }
  }
  return { packaged: null, after: [] };
}

/** Resolves the first part of a path: the enclosing class, a typed parameter, or an unqualified name. */
function headOf(
  classes: Classes,
  names: UnqualifiedNames,
  file: FileSymbols,
  scope: number | null,
  name: string,
  depth: number,
): Resolution {
  const { scoping, rules, facts } = file;
  // `new.open`, in a class that has no `new` of its own
  const isMade = name !== "" && name === rules.maker && names.find(file, scope, name, "value", depth) === null;
  if (isMade || scoping.selfNames.includes(name)) {
    const own = classes.enclosing(file, scope);
    return own === null ? null : { targets: [own], confidence: CONFIDENCE.self, own: true };
  }
  for (let at = scope; at !== null; at = scopeAround(facts, at)) {
    const symbol = facts.symbols[at];
    if (symbol === undefined || (CLASS_KINDS.has(symbol.kind) && rules.classHeader !== "parameters")) continue;
    const type = parameterType(symbol.signature, name, rules);
    if (type === undefined) continue;
    if (rules.declares === "name type" && receiverName(symbol.signature) === name) {
      const own = classes.owner(file, at);
      return own === null ? "external" : { targets: [own], confidence: CONFIDENCE.self, own: true };
    }
    const targets = type === null ? [] : classes.classNamed(file, at, type, depth);
    if (targets.length > 0) return { targets, confidence: CONFIDENCE.typed };
    return rules.nominal && type !== null ? "external" : null;
  }
  return names.find(file, scope, name, "value", depth);
}

/** Resolves the rest of a path, member by member, from the candidates for its first parts. */
type MemberSteps = (
  file: FileSymbols,
  start: Candidates,
  parts: readonly string[],
  role: Role,
  depth: number,
) => Resolution;

function memberSteps(exports: Exports, groups: VisibleNames, classes: Classes, meant: Meant): MemberSteps {
  /** A member of any of the candidates so far. */
  const step = (file: FileSymbols, from: Candidates, name: string, role: Role, depth: number): Resolution => {
    const only = from.targets.length === 1 ? from.targets[0] : undefined;
    if (only !== undefined) return meant(memberOf(file, only, from, name, role, depth), role, depth);
    const results: Resolution[] = [];
    for (const target of from.targets) results.push(memberOf(file, target, from, name, role, depth));
    return joined(results);
  };

  const memberOf = (
    file: FileSymbols,
    target: Target,
    from: Candidates,
    name: string,
    role: Role,
    depth: number,
  ): Resolution => {
    if (target.file === null) {
      const definitions = groups.inGroup(file, target.group, name, role);
      if (definitions.length > 0) return weaker(from, definitions, CONFIDENCE.imported);
      const group = `${target.group}.${name}`;
      const isPackage = groups.has(target.family, group);
      return isPackage ? weaker(from, [{ file: null, family: target.family, group }], CONFIDENCE.imported) : null;
    }
    if (isSymbol(target)) return memberOfSymbol(file, target, from, name, role, depth);
    const exported = exports.exported(target.file, name, role);
    const targets = exported.length > 0 ? exported : memberOfDefault(exports, classes, target.file, name, role, depth);
    return targets.length === 0 ? null : weaker(from, targets, CONFIDENCE.imported);
  };

  /** Code of a mixin calls members of what uses it. */
  const ofUsers = ({ own }: Candidates, ...asked: Parameters<Classes["ofUsers"]>): Candidates | null =>
    own === true ? classes.ofUsers(...asked) : null;

  const memberOfSymbol = (
    file: FileSymbols,
    target: SymbolRef,
    from: Candidates,
    name: string,
    role: Role,
    depth: number,
  ): Resolution => {
    const symbol = target.file.facts.symbols[target.symbol];
    const member = classes.inherited([target], name, role, false, depth) ?? ofUsers(from, target, name, role, depth);
    if (member !== null) {
      const isNamespace = symbol?.kind === "namespace" && file.rules.nominal;
      return from.own ? member : weaker(from, member.targets, isNamespace ? CONFIDENCE.imported : CONFIDENCE.member);
    }
    // `Cart.new.open`: the object has what the class has.
    if (name === file.rules.maker && symbol?.kind === "class")
      return { targets: [target], confidence: CONFIDENCE.typed };
    const isOpen = file.rules.parts === "package" || file.rules.parts === "included";
    const nested = isOpen && symbol !== undefined ? nestedIn(groups, file, symbol, name, role) : [];
    if (nested.length > 0) return weaker(from, nested, CONFIDENCE.imported);
    const { types, isDeclared } = classes.typeOf(target, depth + 1);
    const viaType = types.length === 0 ? null : classes.inherited(types, name, role, false, depth);
    if (viaType !== null) return weaker(from, viaType.targets, CONFIDENCE.typed);
    const isKnown =
      isDeclared || target.symbol === WHOLE_FILE || (symbol !== undefined && CLASS_KINDS.has(symbol.kind));
    return file.rules.nominal && isKnown ? "external" : null;
  };

  // The result is "external" if a known module or class lacks a part, null if the type of a value is unknown.
  return (file, start, parts, role, depth) => {
    let at = start;
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      if (file.rules.itself.has(part) && (!isLast || role === "value") && at.targets.every(isContainer)) continue;
      const found = step(file, at, part, isLast ? role : "value", depth);
      const next = found === null && !isLast ? step(file, at, part, "type", depth) : found;
      if (next === "external") return next;
      if (next === null) return index === 0 && isComplete(at.targets) ? "external" : null;
      at = next;
    }
    return at;
  };
}

/** `const app = require("./app"); app.use()`: a member of the module's default export. */
function memberOfDefault(
  exports: Exports,
  classes: Classes,
  file: FileSymbols,
  name: string,
  role: Role,
  depth: number,
): readonly Target[] {
  const whole = file.rules.moduleValues ? exports.exported(file, "default", "value").filter(isSymbol) : [];
  return whole.length === 0 ? [] : (classes.inherited(whole, name, role, false, depth)?.targets ?? []);
}

/** What a type or namespace of packages has, and what a namespace has by `using`. */
function nestedIn(
  groups: VisibleNames,
  file: FileSymbols,
  { kind, qualifiedName }: OutlineSymbol,
  name: string,
  role: Role,
): readonly SymbolRef[] {
  const refs = groups.around(file, `${qualifiedName}.${name}`, role);
  if (refs.length > 0 || kind !== "namespace") return refs;
  for (const path of groups.usedPaths(file, name, qualifiedName)) {
    const used = groups.around(file, path, role);
    if (used.length > 0) return used;
  }
  return refs;
}

/** What several candidates lead to, with the lowest of their confidences. */
function joined(results: readonly Resolution[]): Resolution {
  const resolved = results.filter((each) => each !== null && each !== "external");
  const [first, ...others] = resolved;
  if (first === undefined) return results.includes("external") ? "external" : null;
  if (others.length === 0) return first;
  return {
    targets: distinct(resolved.flatMap(({ targets }) => targets)),
    confidence: Math.min(...resolved.map(({ confidence }) => confidence)),
  };
}

const isContainer = (target: Target): boolean =>
  isSymbol(target) && CONTAINER_KINDS.has(target.file.facts.symbols[target.symbol]?.kind ?? "variable");

/** True if all members are known: those of modules and packages are. */
const isComplete = (targets: readonly Target[]): boolean => targets.every((target) => !isSymbol(target));
