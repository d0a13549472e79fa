/**
 * Members of what calls give: `super().f()`, `Foo(...).f()`, `a().b().c()`.
 *
 * A chain of calls is followed by what signatures say that each gives; every further step is less sure. What is told
 * to come from elsewhere ends it. Chains are bounded. Not here: how a chain is written (`call-chains.ts`).
 */
import type { ReferenceFact } from "../../syntax/facts/facts.ts";
import { callChain, type Link } from "./call-chains.ts";
import type { Classes, Dotted } from "./classes.ts";
import { CONFIDENCE, type Found, type Guess, isPlace, weaker } from "./confidence.ts";
import type { FileSymbols, Want } from "./file-symbols.ts";

/** How many names after the first call are followed. */
const LINKS_MAX = 6;

/** What each result after the first takes from how far a guess is to be trusted, in hundredths. */
const STEP_COST = 5;

/** Looks up the name of a use behind a qualifier that has a call in it. */
export type OfResult = (file: FileSymbols, use: ReferenceFact, qualifier: string, want: Want) => Found;

export function resultMembers(dotted: Dotted, classes: Classes): OfResult {
  /** A member of what the targets are, or give when they are called. */
  const next = (file: FileSymbols, from: Guess, name: string, want: Want, steps: number): Found => {
    const told = from.targets.filter(isPlace).map((target) => {
      const kind = target.file.facts.symbols[target.symbol]?.kind;
      return kind === "class" ? { types: [target], isTold: true } : classes.typeOf(target, 0);
    });
    const types = told.flatMap((each) => each.types);
    const member = types.length === 0 ? null : classes.inherited(types, name, want, false, 0);
    if (member === null) return file.rules.nominal && told.some(({ isTold }) => isTold) ? "outside" : null;
    return weaker(from, member.targets, (CONFIDENCE.typed * 100 - steps * STEP_COST) / 100);
  };

  const along = (file: FileSymbols, start: Found, links: readonly Link[], name: string, want: Want): Found => {
    const called = file.rules.nominal ? "call" : "value";
    let at = start;
    for (const [steps, link] of links.entries()) {
      if (at === null || at === "outside") return at;
      at = next(file, at, link.name, link.isCalled ? called : "value", steps);
    }
    return at === null || at === "outside" ? at : next(file, at, name, want, links.length);
  };

  return (file, use, qualifier, want) => {
    const { superNames } = file.scoping;
    const chain = callChain(qualifier);
    const isSuper =
      (chain?.rest.length === 0 && superNames.includes(chain.start.join("."))) || superNames.includes(qualifier);
    if (isSuper) {
      const own = classes.enclosing(file, use.symbol);
      const found = own === null ? null : classes.inherited([own], use.name, want, true, 0);
      return found === null ? "outside" : { ...found, confidence: CONFIDENCE.inherited };
    }
    if (chain === null || chain.rest.length > LINKS_MAX) return null;
    const start = dotted(file, use.symbol, chain.start, file.rules.nominal ? "call" : "value", 0);
    return along(file, start, chain.rest, use.name, want);
  };
}
