/**
 * Resolves members of call results: `super().f()`, `Foo(...).f()`, `a().b().c()`.
 *
 * The chain is read as text, linear in its length. Each call's result is what its signature declares, and what a step from a holder gives of
 * it (`held-values.ts`); every member lowers the confidence.
 */
import type { ReferenceFact } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, isSymbol, type Resolution, weaker } from "../confidence.ts";
import { declaredTypeName, typeName } from "../declarations/declared-types.ts";
import {
  CLASS_KINDS,
  type FileSymbols,
  type Role,
  type SymbolRef,
  type Target,
  WHOLE_FILE,
} from "../declarations/file-symbols.ts";
import type { Classes } from "../types/classes.ts";
import { isPointer, isPointerMethod } from "../types/cpp-pointers.ts";
import { afterStep, holderOf, isHolder, isStep, parameterAround, type TypeText } from "../types/held-values.ts";
import type { ResolvePath } from "../types/resolve-path.ts";
import { isTypeParameter } from "../types/type-parameters.ts";
import { type CallChain, callChain, GIVEN, HELD, type Link } from "./chain-text.ts";

/** At most this many names after the first call are followed. */
const LINKS_MAX = 6;

/** The loss of confidence for each result after the first, in hundredths. */
const STEP_COST = 5;
const afterSteps = (steps: number): number => (CONFIDENCE.typed * 100 - steps * STEP_COST) / 100;

const NEW = "new ";
/** A link for `await`, which follows what is awaited in every language. Where it opens no type that holds a value, it changes nothing. */
const AWAIT = "await";

/** Resolves a reference whose qualifier contains a call, or a step from a type that holds a value. */
export type OfResult = (
  file: FileSymbols,
  use: Pick<ReferenceFact, "name" | "symbol">,
  qualifier: string,
  role: Role,
) => Resolution;

/** What a chain has led to so far. `type` is that of the value, if a step from a holder led to it. */
type Value = { readonly from: Candidates; readonly type: TypeText | null };

/** `isOpened`: a step from a holder was the last before the member, so that its type is known even if it is external. */
type Led = { readonly found: Resolution; readonly isOpened: boolean };

export function resultMembers(resolvePath: ResolvePath, classes: Classes): OfResult {
  const { afterLink, memberOf } = valueSteps(classes);
  const startOf = chainStarts(resolvePath, classes);

  const along = (file: FileSymbols, start: Value, links: readonly Link[], name: string, role: Role): Led => {
    const called = file.rules.nominal ? "call" : "value";
    let [at, steps] = [start, 0];
    for (const link of links) {
      const inside = afterLink(file, at, link);
      if (inside === null) {
        const found = memberOf(file, at, link.name, link.isCalled ? called : "value", steps);
        if (found !== null && found !== "external") at = { from: found, type: null };
        else if (!file.rules.copies.has(link.name))
          return { found, isOpened: at.type !== null && !links.some(isGiven) };
        steps += 1;
      } else at = inside;
    }
    return { found: memberOf(file, at, name, role, steps), isOpened: at.type !== null };
  };

  /** What a constructor makes: an object of a class, or a holder; null if the type may be found in other ways. */
  const madeValue = (file: FileSymbols, scope: number | null, text: string, chain: CallChain): ChainStart | null => {
    const { rules } = file;
    const from = candidates(classes.classNamed(file, scope, chain.start.join("."), 0), CONFIDENCE.typed);
    if (from !== null) return { value: { from, type: null }, rest: chain.rest };
    const type = text.slice(NEW.length, text.indexOf("("));
    if (isHolder(type, rules))
      return {
        value: { from: { targets: [], confidence: CONFIDENCE.typed }, type: { file, scope, type } },
        rest: chain.rest,
      };
    // What C++ includes is not always known, so a type that is not found may still be one of the repository.
    return rules.nominal && rules.parts !== "included" ? { value: "external", rest: chain.rest } : null;
  };

  return (file, use, qualifier, role) => {
    const { superNames } = file.scoping;
    const chain = callChain(qualifier, file.rules);
    const isSuper =
      (chain?.rest.length === 0 && superNames.includes(chain.start.join("."))) || superNames.includes(qualifier);
    if (isSuper) {
      const own = classes.enclosing(file, use.symbol);
      const found = own === null ? null : classes.inherited([own], use.name, role, true, 0);
      return found === null ? "external" : { ...found, confidence: CONFIDENCE.inherited };
    }
    if (chain === null || chain.rest.length > LINKS_MAX) return null;
    const isIncluded = file.rules.parts === "included";
    const made = qualifier.startsWith(NEW) ? madeValue(file, use.symbol, qualifier, chain) : null;
    const { value, rest } = made ?? startOf(file, use.symbol, chain);
    const isKnown = value !== null && value !== "external";
    const { found, isOpened } = isKnown ? along(file, value, rest, use.name, role) : { found: value, isOpened: false };
    // What a variable holds may have been checked or unwrapped since; one of C++ keeps its type.
    const isUnsure = (qualifier.startsWith(HELD) && !isIncluded) || rest.some(isGiven);
    return found === "external" && isUnsure && !isOpened ? null : found;
  };
}

const isGiven = ({ name }: Link): boolean => name.startsWith(GIVEN);

/** Whether a result is declared as `Self`: it may be of a class below the one that declares it, which a struct of Rust has not. */
function isOfReceiver(target: Target): boolean {
  if (!isSymbol(target) || target.file.family === "rust") return false;
  const fact = target.file.facts.symbols[target.symbol];
  return fact !== undefined && declaredTypeName(fact, target.file.rules) === "Self";
}

/** `auto cart = open(); cart.reset();` may be a method of the pointer itself, which looks like one of what it points to. */
function isOfPointers(target: Target): boolean {
  const fact = isSymbol(target) ? target.file.facts.symbols[target.symbol] : undefined;
  return fact !== undefined && isPointer(fact.signature, fact.name);
}

type ValueSteps = {
  /** What a step from a holder gives; null if the link is none. */
  afterLink(file: FileSymbols, value: Value, link: Link): Value | null;
  memberOf(file: FileSymbols, value: Value, name: string, role: Role, steps: number): Resolution;
};

function valueSteps(classes: Classes): ValueSteps {
  const typesOf = ({ file, scope, type }: TypeText): readonly SymbolRef[] => {
    const name = typeName(type, file.rules);
    return name === null ? [] : classes.classNamed(file, scope, name, 0);
  };

  /** The repository may have a class of a holder's name, which is another type. */
  const isClass = ({ file, symbol }: SymbolRef): boolean =>
    CLASS_KINDS.has(file.facts.symbols[symbol]?.kind ?? "variable");

  /** The holder that the only target declares: the type of a field, or the result of a call. */
  const heldBy = ({ targets }: Candidates): TypeText | null => {
    const [only, ...others] = targets.filter(isSymbol);
    const type = only === undefined || others.length > 0 ? null : holderOf(only);
    return only === undefined || type === null ? null : { file: only.file, scope: only.symbol, type };
  };

  /** A member of the targets, or of their results. */
  const ofTargets = (file: FileSymbols, from: Candidates, name: string, role: Role, steps: number): Resolution => {
    const declared = from.targets.filter(isSymbol).map((target) => {
      const kind = target.file.facts.symbols[target.symbol]?.kind ?? "variable";
      const { nominal, parts } = target.file.rules;
      // `auto carts = Carts();` makes a value of what the alias stands for.
      const isClassLike = CLASS_KINDS.has(kind) || target.symbol === WHOLE_FILE;
      const isType = isClassLike || (kind === "type_alias" && (nominal || parts === "included"));
      return isType ? { types: [target], isDeclared: true } : classes.typeOf(target, 0);
    });
    const types = declared.flatMap((each) => each.types);
    const [only, ...others] = types;
    const own = only === undefined ? null : classes.inherited(types, name, role, false, 0);
    const member = own ?? (only === undefined || others.length > 0 ? null : classes.ofUsers(only, name, role, 0));
    const isKnown = declared.some(({ isDeclared }) => isDeclared) && !from.targets.some(isOfReceiver);
    if (member === null) return file.rules.nominal && isKnown ? "external" : null;
    const isUnsure = file.rules.parts === "included" && isPointerMethod(name) && from.targets.some(isOfPointers);
    return weaker(from, member.targets, isUnsure ? CONFIDENCE.ambiguous : afterSteps(steps));
  };

  return {
    afterLink: (file, value, { name }) => {
      const held = value.type ?? heldBy(value.from);
      const type = held === null ? null : afterStep(held.type, name, held.file.rules);
      if (held !== null && type !== null && !typesOf(held).some(isClass)) return { ...value, type: { ...held, type } };
      return name === AWAIT && !isStep(AWAIT, file.rules) ? value : null;
    },
    memberOf: (file, { from, type }, name, role, steps) => {
      const held = type ?? heldBy(from);
      if (held === null) return ofTargets(file, from, name, role, steps);
      const member = classes.inherited(typesOf(held), name, role, false, 0);
      if (member !== null) return weaker(from, member.targets, afterSteps(steps));
      return isTypeParameter(held.file, held.scope, typeName(held.type, held.file.rules) ?? "") ? null : "external";
    },
  };
}

/** Where a chain begins, and the links that follow. */
type ChainStart = { readonly value: Value | "external" | null; readonly rest: readonly Link[] };

function chainStarts(
  resolvePath: ResolvePath,
  classes: Classes,
): (file: FileSymbols, scope: number | null, chain: CallChain) => ChainStart {
  const valueAt = (found: Resolution): ChainStart["value"] =>
    found === null || found === "external" ? found : { from: found, type: null };

  /** The value that a path names which is called nowhere. */
  const named = (file: FileSymbols, scope: number | null, path: readonly string[]): ChainStart["value"] => {
    const [first = "", ...others] = path;
    if (others.length > 0) return valueAt(resolvePath(file, scope, path, "value", 0));
    const own = file.scoping.selfNames.includes(first) ? classes.enclosing(file, scope) : null;
    if (own !== null) return { from: { targets: [own], confidence: CONFIDENCE.self }, type: null };
    const type = parameterAround(file, scope, first);
    if (type !== null) return { from: { targets: [], confidence: CONFIDENCE.typed }, type };
    return valueAt(resolvePath(file, scope, path, "value", 0));
  };

  return (file, scope, { start, isCalled, rest }) => {
    const { rules } = file;
    if (!isCalled) return { value: named(file, scope, start), rest };
    const found = valueAt(resolvePath(file, scope, start, rules.nominal ? "call" : "value", 0));
    const isMade = found === null && start.length === 1 && start[0] === rules.maker;
    const made = isMade ? classes.enclosing(file, scope) : null;
    if (made !== null) return { value: valueAt(candidates([made], CONFIDENCE.self)), rest };
    const step = start.findIndex((name, at) => at > 0 && (isStep(name, rules) || rules.copies.has(name)));
    if ((found !== null && found !== "external") || step < 0) return { value: found, rest };
    const links = start.slice(step).map((name, at, { length }) => ({ name, isCalled: at === length - 1 }));
    return { value: named(file, scope, start.slice(0, step)), rest: [...links, ...rest] };
  };
}
