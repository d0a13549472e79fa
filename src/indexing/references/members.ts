/**
 * A path of names to its meanings, each with a confidence.
 *
 * A name behind a dot is looked for in what stands before the dot, read from left to right: a package, a module,
 * a class, the enclosing class (`self`, `this`), or a value whose type a signature tells. The confidence of a path is
 * that of its weakest step. Depths are bounded, so that cyclic bases and types end.
 * Not here: bare names (`unqualified.ts`), members of types (`classes.ts`).
 */

import { type Classes, classTable, type Dotted, TYPES_MAX } from "./classes.ts";
import { CONFIDENCE, distinct, type Found, type Guess, guess, isPlace, weaker } from "./confidence.ts";
import { parameterType, receiverName } from "./declared-types.ts";
import type { Exports } from "./exports.ts";
import type { OutsideNames } from "./external-members.ts";
import {
  CLASS_KINDS,
  type FileSymbols,
  type PackageTarget,
  scopeAround,
  type Target,
  type Want,
} from "./file-symbols.ts";
import { type BareNames, bareNames } from "./unqualified.ts";
import type { Groups } from "./visible-names.ts";

/** How many dots are read. */
const DOTS_MAX = 8;

export type PathFinder = { readonly dotted: Dotted; readonly names: BareNames; readonly classes: Classes };

export function pathFinder(outside: OutsideNames, exports: Exports, groups: Groups): PathFinder {
  /** A chain `a.b.c`, of which the last part is of the wanted sort. */
  const dotted: Dotted = (file, scope, parts, want, depth) => {
    const [first = "", ...rest] = parts;
    if (depth > TYPES_MAX || parts.length > DOTS_MAX) return null;
    if (rest.length > 0 && (first === "" || first === file.rules.root)) return fromRoot(file, rest, want, depth);
    // `import a.b` binds a dotted alias: the longest one counts.
    for (let length = parts.length - 1; length > 1; length--) {
      const binding = file.bindings.get(parts.slice(0, length).join("."));
      const start = binding === undefined ? [] : names.bound(file, binding, "value", depth);
      if (start.length > 0)
        return along(file, { targets: start, confidence: CONFIDENCE.imported }, parts.slice(length), want, depth);
    }
    if (rest.length === 0) return bare(file, scope, first, want, depth);
    const start = head(file, scope, first, depth) ?? (want === "type" ? bare(file, scope, first, "type", depth) : null);
    if (start === "outside") return start;
    if (start !== null) return along(file, start, rest, want, depth);
    const { packaged, after } = packageIn(file, parts);
    if (packaged !== null)
      return along(file, { targets: [packaged], confidence: CONFIDENCE.imported }, after, want, depth);
    return reopened(file, parts, want, depth) ?? (file.rules.nominal && /^\p{Lu}/u.test(first) ? "outside" : null);
  };

  const classes: Classes = classTable(outside, groups, dotted);
  const names = bareNames(exports, groups, classes);
  const bare = names.find;

  /** An absolute path: in the package that it names, never in one around the file, and never a guess. */
  const fromRoot = (file: FileSymbols, parts: readonly string[], want: Want, depth: number): Found => {
    const { rules, family } = file;
    for (let length = rules.dottedPackages ? parts.length - 1 : 0; length > 0; length--) {
      const group = parts.slice(0, length).join(".");
      if (!groups.has(family, group)) continue;
      const start = { targets: [{ file: null, family, group }], confidence: CONFIDENCE.imported };
      return along(file, start, parts.slice(length), want, depth) ?? "outside";
    }
    const [first = "", ...rest] = parts;
    const places = groups.atRoot(file, first, rest.length === 0 ? want : "type");
    const start = guess(places, CONFIDENCE.imported);
    return start === null ? "outside" : (along(file, start, rest, want, depth) ?? "outside");
  };

  /** The longest beginning of a chain that is a part of a type whose other parts are elsewhere (`class Out::Side`). */
  const reopened = (file: FileSymbols, parts: readonly string[], want: Want, depth: number): Found => {
    if (file.rules.parts !== "package") return null;
    for (let length = parts.length; length > 1; length--) {
      const path = parts.slice(0, length).join(".");
      const start = guess(groups.around(file, path, length === parts.length ? want : "type"), CONFIDENCE.imported);
      if (start !== null) return along(file, start, parts.slice(length), want, depth);
    }
    return null;
  };

  /** The longest beginning of a chain that is a package, as written or inside a package around the file. */
  const packageIn = (
    file: FileSymbols,
    parts: readonly string[],
  ): { readonly packaged: PackageTarget | null; readonly after: readonly string[] } => {
    const { rules, family, group: own } = file;
    for (let length = rules.dottedPackages ? parts.length - 1 : 0; length > 0; length--) {
      const path = parts.slice(0, length).join(".");
      for (let around = own ?? ""; ; around = around.slice(0, Math.max(0, around.lastIndexOf(".")))) {
        const group = around === "" ? path : `${around}.${path}`;
        const isSeen = around === "" || rules.outerPackages !== "none";
        if (isSeen && groups.has(family, group))
          return { packaged: { file: null, family, group }, after: parts.slice(length) };
        if (around === "") break;
      }
    }
    return { packaged: null, after: [] };
  };

  /** A member of whatever has been found so far. */
  const step = (file: FileSymbols, from: Guess, name: string, want: Want, depth: number): Found => {
    const found = from.targets.map((target) => stepFrom(file, target, from, name, want, depth));
    const guesses = found.filter((each) => each !== null && each !== "outside");
    const [first, ...others] = guesses;
    if (first === undefined) return found.includes("outside") ? "outside" : null;
    if (others.length === 0) return first;
    return {
      targets: distinct(guesses.flatMap(({ targets }) => targets)),
      confidence: Math.min(...guesses.map(({ confidence }) => confidence)),
    };
  };

  const stepFrom = (file: FileSymbols, target: Target, from: Guess, name: string, want: Want, depth: number): Found => {
    if (target.file === null) {
      const found = groups.inGroup(file, target.group, name, want);
      if (found.length > 0) return weaker(from, found, CONFIDENCE.imported);
      const group = `${target.group}.${name}`;
      const isPackage = groups.has(target.family, group);
      return isPackage ? weaker(from, [{ file: null, family: target.family, group }], CONFIDENCE.imported) : null;
    }
    if (!isPlace(target)) {
      const exported = exports.exported(target.file, name, want);
      const found = exported.length > 0 ? exported : memberOfDefault(target.file, name, want, depth);
      return found.length === 0 ? null : weaker(from, found, CONFIDENCE.imported);
    }
    const symbol = target.file.facts.symbols[target.symbol];
    const member = classes.inherited([target], name, want, false, depth);
    if (member !== null) {
      const isNamespace = symbol?.kind === "namespace" && file.rules.nominal;
      return from.own ? member : weaker(from, member.targets, isNamespace ? CONFIDENCE.imported : CONFIDENCE.member);
    }
    const isOpen = file.rules.parts === "package" || file.rules.parts === "included";
    const nested = isOpen && symbol !== undefined ? groups.around(file, `${symbol.qualifiedName}.${name}`, want) : [];
    if (nested.length > 0) return weaker(from, nested, CONFIDENCE.imported);
    const { types, isTold } = classes.typeOf(target, depth + 1);
    const viaType = types.length === 0 ? null : classes.inherited(types, name, want, false, depth);
    if (viaType !== null) return weaker(from, viaType.targets, CONFIDENCE.typed);
    const isKnown = isTold || (symbol !== undefined && CLASS_KINDS.has(symbol.kind));
    return file.rules.nominal && isKnown ? "outside" : null;
  };

  /** `const app = require("./app"); app.use()`: the member of what the module exports as a whole. */
  const memberOfDefault = (file: FileSymbols, name: string, want: Want, depth: number): readonly Target[] => {
    const whole = file.rules.moduleValues ? exports.exported(file, "default", "value").filter(isPlace) : [];
    return whole.length === 0 ? [] : (classes.inherited(whole, name, want, false, depth)?.targets ?? []);
  };

  /** The first part of a chain: the enclosing class, a typed parameter, or a bare name. */
  const head = (file: FileSymbols, scope: number | null, name: string, depth: number): Found => {
    const { scoping, rules, facts } = file;
    if (scoping.selfNames.includes(name)) {
      const own = classes.enclosing(file, scope);
      return own === null ? null : { targets: [own], confidence: CONFIDENCE.self, own: true };
    }
    for (let at = scope; at !== null; at = scopeAround(facts, at)) {
      const symbol = facts.symbols[at];
      if (symbol === undefined || CLASS_KINDS.has(symbol.kind)) continue;
      const type = parameterType(symbol.signature, name, rules);
      if (type === undefined) continue;
      if (rules.declares === "name type" && receiverName(symbol.signature) === name) {
        const own = classes.owner(file, at);
        return own === null ? "outside" : { targets: [own], confidence: CONFIDENCE.self, own: true };
      }
      const targets = type === null ? [] : classes.classNamed(file, at, type, depth);
      if (targets.length > 0) return { targets, confidence: CONFIDENCE.typed };
      return rules.nominal && type !== null ? "outside" : null;
    }
    return bare(file, scope, name, "value", depth);
  };

  /** The members in turn; "outside" when a known module or class lacks one, null when the value's type is not known. */
  const along = (file: FileSymbols, start: Guess, parts: readonly string[], want: Want, depth: number): Found => {
    let at = start;
    for (const [place, part] of parts.entries()) {
      const isLast = place === parts.length - 1;
      const found = step(file, at, part, isLast ? want : "value", depth);
      const next = found === null && !isLast ? step(file, at, part, "type", depth) : found;
      if (next === "outside") return next;
      if (next === null) return place === 0 && isComplete(at.targets) ? "outside" : null;
      at = next;
    }
    return at;
  };

  return { dotted, names, classes };
}

/** A module's members are all known; so are those of a class unless it has bases or sets attributes. */
const isComplete = (targets: readonly Target[]): boolean => targets.every((target) => !isPlace(target));
