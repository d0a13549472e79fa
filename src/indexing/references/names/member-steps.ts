/** Resolves the rest of a dotted path, member by member: members of packages, modules, types and values. */
import { CONTAINER_KINDS, type OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, distinct, isSymbol, type Resolution, weaker } from "../confidence.ts";
import type { Exports } from "../declarations/exports.ts";
import {
  CLASS_KINDS,
  type FileSymbols,
  type Role,
  type SymbolRef,
  type Target,
  WHOLE_FILE,
} from "../declarations/file-symbols.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import type { Classes } from "../types/classes.ts";
import type { Meant } from "./aliased-constants.ts";

/** Resolves the parts from the candidates for those before them. */
export type MemberSteps = (
  file: FileSymbols,
  start: Candidates,
  parts: readonly string[],
  role: Role,
  depth: number,
) => Resolution;

export function memberSteps(exports: Exports, groups: VisibleNames, classes: Classes, meant: Meant): MemberSteps {
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
