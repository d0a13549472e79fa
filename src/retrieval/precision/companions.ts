/**
 * Companions: short definitions that are shown next to the best ones when there is room (`packing-order.ts`).
 *
 * The best ten definitions bring the one-line constants that they use and whose names contain a word of the task. The best
 * five also bring the functions that they call and definitions of the same name. Together with `enclosing-lines.ts` this
 * gains .1 and .8, .1 and 1.1, .3 and 1.0 points of gold symbols at 4,000, 8,000 and 16,000 tokens in the two halves of the
 * development cases; on 1,000 tasks from the repositories' histories .9 and -.2, .4 and 0, .4 and .1.
 */

import type { NamedDefinition, ReferenceRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { isFunctionKind } from "../../syntax/facts/facts.ts";
import { expandIdentifier, identifiersIn } from "../../text/terms/identifiers.ts";
import { stem } from "../../text/terms/stem.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import { CONSTANT_NAME_MIN, CONSTANT_TOKENS_MAX, LINE_CHARS_MAX } from "./read-constants.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";

/** How many of the best definitions bring companions. */
export const BRINGING_MAX = 10;
/** How many also bring their callees and namesakes. */
const BRINGING_MORE_MAX = 5;
/** A name that more definitions share is ignored. */
const NAMESAKES_MAX = 8;

/** Keeps companions that match too little by themselves behind definitions that match. */
const COMPANION_SCORE_MAX = RELEVANT_SHARE_MIN / 2;

/** `best` are at most `BRINGING_MAX` definitions, best first, without tests. `symbols` are all that may be shown. */
type CompanionInput = {
  readonly best: readonly SymbolRow[];
  readonly symbols: readonly SymbolRow[];
  /** The significant words of the task. */
  readonly keywords: readonly string[];
  /** The lines of a definition that are shown when it is. */
  readonly linesOf: (symbol: SymbolRow) => readonly string[];
  readonly referencesFrom: (symbolIds: readonly number[]) => readonly ReferenceRow[];
  /** Every definition of one of these names. */
  readonly definitionsNamed: (names: readonly string[]) => readonly NamedDefinition[];
};

/** `companionOf` are the ids of the definitions that it is shown next to. */
type Companion = { readonly symbol: SymbolRow; readonly companionOf: readonly number[]; readonly why: string };

/** The companions of the best definitions, each once. */
export function companionsOf(input: CompanionInput): readonly Companion[] {
  const users = input.best;
  const shown = new Map(input.symbols.map((symbol) => [symbol.id, symbol]));
  const namesIn = new Map(users.map((user) => [user.id, taskNames(input.linesOf(user), input.keywords)]));
  const names = [...[...namesIn.values()].flat(), ...users.slice(0, BRINGING_MORE_MAX).map(({ name }) => name)];
  const named = Map.groupBy(input.definitionsNamed([...new Set(names)]), ({ name }) => name);
  const calling = users.slice(0, BRINGING_MORE_MAX).map(({ id }) => id);
  const calls = Map.groupBy(input.referencesFrom(calling), ({ caller }) => caller);

  const constants = (user: SymbolRow): readonly (SymbolRow | undefined)[] =>
    (namesIn.get(user.id) ?? []).map((name) => constantFor(user, named.get(name) ?? [], shown));
  const called = (user: SymbolRow): readonly (SymbolRow | undefined)[] =>
    (calls.get(user.id) ?? []).map(({ callee, confidence }) => {
      const symbol = confidence < CONFIDENCE_MIN ? undefined : shown.get(callee);
      return symbol !== undefined && isFunctionKind(symbol.kind) ? symbol : undefined;
    });
  const namesakes = (user: SymbolRow): readonly (SymbolRow | undefined)[] => {
    const all = named.get(user.name) ?? [];
    return all.length > NAMESAKES_MAX ? [] : all.map(({ id }) => shown.get(id));
  };

  const companions = new Map<number, Companion>();
  for (const [at, user] of users.entries()) {
    const add = (why: string, symbols: readonly (SymbolRow | undefined)[]): void => {
      for (const symbol of symbols) {
        if (symbol === undefined || symbol.id === user.id) continue;
        const before = companions.get(symbol.id);
        if (before?.companionOf.includes(user.id)) continue;
        companions.set(symbol.id, {
          symbol,
          companionOf: [...(before?.companionOf ?? []), user.id],
          why: before?.why ?? why,
        });
      }
    };
    add(`a constant that ${user.qualifiedName} uses`, constants(user));
    add(`called by ${user.qualifiedName}`, called(user));
    if (at < BRINGING_MORE_MAX) add(`called like ${user.qualifiedName}`, namesakes(user));
  }
  return [...companions.values()];
}

/** The placed symbols with the companions among them marked, and after them the companions that were not placed. */
export function placeCompanions(
  placed: readonly PlacedSymbol[],
  companions: readonly Companion[],
): readonly PlacedSymbol[] {
  const before = new Map(placed.map((one) => [one.symbol.id, one]));
  const added = new Map(
    companions.map(({ symbol, companionOf, why }): [number, PlacedSymbol] => {
      const known = before.get(symbol.id);
      if (known?.tier === "primary") return [symbol.id, { ...known, companionOf }];
      const score = Math.min(known?.score ?? 0, COMPANION_SCORE_MAX);
      return [symbol.id, { symbol, tier: "primary", floor: false, score, why, usedBy: [], companionOf }];
    }),
  );
  return [
    ...placed.map((one) => added.get(one.symbol.id) ?? one),
    ...companions.flatMap(({ symbol }) => (before.has(symbol.id) ? [] : (added.get(symbol.id) ?? []))),
  ];
}

/** The identifiers in these lines that contain one of the words in any inflection. */
function taskNames(lines: readonly string[], keywords: readonly string[]): readonly string[] {
  const stems = new Set(keywords.map(stem));
  const starts = lines.map((line) => line.slice(0, LINE_CHARS_MAX));
  const names = new Set(starts.flatMap(identifiersIn).filter((name) => name.length >= CONSTANT_NAME_MIN));
  return [...names].filter((name) => expandIdentifier(name).some((word) => stems.has(stem(word))));
}

/** The one-line constant that a name in a definition refers to: one in the same file, else the only definition. */
function constantFor(
  user: SymbolRow,
  named: readonly NamedDefinition[],
  shown: ReadonlyMap<number, SymbolRow>,
): SymbolRow | undefined {
  const rows = named.flatMap(({ id }) => shown.get(id) ?? []).filter(isConstant);
  return rows.find(({ fileId }) => fileId === user.fileId) ?? (named.length === 1 ? rows[0] : undefined);
}

const isConstant = ({ kind, parentId, startLine, endLine, bodyTokens }: SymbolRow): boolean =>
  kind === "variable" && parentId === null && startLine === endLine && bodyTokens <= CONSTANT_TOKENS_MAX;
