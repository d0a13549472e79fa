/**
 * Resolves dotted paths from left to right: through packages, modules, classes, the enclosing class (`self`, `this`) and values
 * whose type a signature declares.
 *
 * The confidence of a path is that of its weakest step. Depths are bounded, so that cyclic bases and types end.
 */

import { CONFIDENCE, candidates, type Resolution } from "../confidence.ts";
import { parameterType, receiverName } from "../declarations/declared-types.ts";
import type { Exports } from "../declarations/exports.ts";
import type { ExternalMembers } from "../declarations/external-members.ts";
import {
  CLASS_KINDS,
  type FileSymbols,
  type PackageTarget,
  type Role,
  scopeAround,
} from "../declarations/file-symbols.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import { type Classes, classTable, type ResolveChain, TYPES_MAX } from "../types/classes.ts";
import { type AddedMembers, addedMembers } from "../types/outside-types.ts";
import type { ResolvePath } from "../types/resolve-path.ts";
import { aliasedConstants } from "./aliased-constants.ts";
import { type OfResult, resultMembers } from "./call-chains.ts";
import { memberSteps } from "./member-steps.ts";
import { type UnqualifiedNames, unqualifiedNames } from "./unqualified.ts";

/** Longer paths are not resolved. */
const DOTS_MAX = 8;

/** Chains are followed through this many signatures. Code has a few; each takes room on the stack. */
const CHAINS_MAX = 32;

export type MemberResolver = {
  readonly resolvePath: ResolvePath;
  readonly ofResult: OfResult;
  readonly names: UnqualifiedNames;
  readonly classes: Classes;
  readonly added: AddedMembers;
};

export function memberResolver(external: ExternalMembers, exports: Exports, groups: VisibleNames): MemberResolver {
  const resolveChain = withinSignatures((file, symbol, { qualifier, name }) =>
    ofResult(file, { name, symbol }, qualifier, "call"),
  );
  const classes = classTable(external, groups, resolvePath, resolveChain);
  const ofResult = resultMembers(resolvePath, classes);
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
    // What only types have, also those that a type parameter must be: `T::open()` with `T: Cart`.
    const isType = file.rules.nominal && /^\p{Lu}/u.test(first);
    const bounds = isType ? classes.classNamed(file, scope, first, depth + 1) : [];
    const bound = candidates(bounds, CONFIDENCE.typed);
    if (bound !== null) return along(file, bound, rest, role, depth);
    return reopened(file, parts, role, depth) ?? (isType ? "external" : null);
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

  return { resolvePath, ofResult, names, classes, added: addedMembers(external, { resolvePath, classes }) };
}

/** A member of a chain in a signature can have a chain in its own signature. */
function withinSignatures(resolve: ResolveChain): ResolveChain {
  let signatures = 0;
  return (file, symbol, chain) => {
    if (signatures >= CHAINS_MAX) return null;
    signatures += 1;
    const found = resolve(file, symbol, chain);
    signatures -= 1;
    return found;
  };
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
