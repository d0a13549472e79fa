/**
 * The question of the precision stage: how much of each symbol does the task need?
 *
 * Invariants: what is placed and what is left out is a partition of the symbols given, each in their order; a symbol of
 * the floor is in, in no lower tier than before; a symbol that was asked about and has no verdict stays as it was, one
 * that was not asked about is out, as those that were are better; nothing is left out when nothing would be left.
 * Pure.
 */
import type { Question, Verdict } from "./judge.ts";
import { shorten } from "./one-line.ts";

/** The tiers of symbols, most first. */
export const PRECISION_CLASSES = ["primary", "supporting", "type_context", "excluded"] as const;
export type PrecisionClass = (typeof PRECISION_CLASSES)[number];

/** What a model sees of a symbol. `id` is its row; `doc` the first line of its documentation, or "". */
export type PrecisionCandidate = {
  readonly id: number;
  readonly path: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
  readonly why: string;
  readonly tier: PrecisionClass;
};

const NAME_CHARS_MAX = 200;
const SIGNATURE_CHARS_MAX = 160;
const LINE_CHARS_MAX = 120;

const INSTRUCTION = [
  "A tool chooses how much of each symbol is shown to someone who does the task. Each item is a definition: where it is, its signature, and why it was found.",
  "Judge it primary if its body is read or changed for the task, supporting if it is enough to know its signature, type_context if it is a type whose shape must be known, excluded if it is not needed.",
].join("\n");

/** The key of a symbol in the question and its verdicts. */
export const precisionKey = (id: number): string => String(id);

/** The question; `symbols` are the best first. */
export function precisionQuestion(task: string, symbols: readonly PrecisionCandidate[]): Question<PrecisionClass> {
  return {
    stage: "precision",
    task,
    instruction: INSTRUCTION,
    classes: PRECISION_CLASSES,
    candidates: symbols.map((symbol) => ({ key: precisionKey(symbol.id), text: textOf(symbol) })),
  };
}

function textOf({ path, qualifiedName, kind, signature, doc, why, tier }: PrecisionCandidate): string {
  return [
    `${shorten(kind, LINE_CHARS_MAX)} ${shorten(qualifiedName, NAME_CHARS_MAX)} in ${shorten(path, NAME_CHARS_MAX)}`,
    shorten(signature, SIGNATURE_CHARS_MAX),
    shorten(doc, LINE_CHARS_MAX),
    `${tier} so far: ${shorten(why, LINE_CHARS_MAX)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** The part of a placed symbol that this needs. */
type Placed = {
  readonly symbol: { readonly id: number };
  readonly tier: PrecisionClass;
  readonly floor: boolean;
  readonly ahead?: true;
};

/** A symbol as it was placed without a model, and what the model said of it. */
export type JudgedSymbol<Symbol> = { readonly symbol: Symbol; readonly verdict: Verdict<PrecisionClass> };

export type JudgedPrecision<Symbol> = {
  /** In the order given; `tier` may differ, and what is judged primary is `ahead`. */
  readonly placed: readonly Symbol[];
  /** Judged excluded, and out. */
  readonly leftOut: readonly JudgedSymbol<Symbol>[];
  /** Not asked about, and out. */
  readonly unasked: readonly Symbol[];
  /** Judged lower, and as they were all the same: they are the floor. */
  readonly held: readonly JudgedSymbol<Symbol>[];
  /** Nothing would have been left, so everything is as it was. */
  readonly overruled: boolean;
};

/**
 * What comes of the symbols by their verdicts, whose keys are those of `precisionKey`; `asked` are the keys of those that
 * were asked about. `isWanted` ones are placed though they were not.
 */
export function applyPrecision<Symbol extends Placed>(
  symbols: readonly Symbol[],
  verdicts: ReadonlyMap<string, Verdict<PrecisionClass>>,
  asked: ReadonlySet<string>,
  isWanted: (symbol: Symbol) => boolean = () => false,
): JudgedPrecision<Symbol> {
  const verdictOf = (symbol: Symbol): Verdict<PrecisionClass> | undefined =>
    verdicts.get(precisionKey(symbol.symbol.id));
  const placed: Symbol[] = [];
  const leftOut: JudgedSymbol<Symbol>[] = [];
  const unasked: Symbol[] = [];
  const held: JudgedSymbol<Symbol>[] = [];
  for (const symbol of symbols) {
    const verdict = verdictOf(symbol);
    if (verdict === undefined) {
      const stays = symbol.floor || asked.has(precisionKey(symbol.symbol.id)) || isWanted(symbol);
      (stays ? placed : unasked).push(symbol);
    } else if (verdict.class === "primary") {
      placed.push({ ...symbol, tier: "primary", ahead: true });
    } else if (symbol.floor) {
      placed.push(symbol);
      if (orderOf(verdict.class) > orderOf(symbol.tier)) held.push({ symbol, verdict });
    } else if (verdict.class === "excluded") leftOut.push({ symbol, verdict });
    else placed.push({ ...symbol, tier: verdict.class });
  }
  if (placed.length === 0)
    return { placed: symbols, leftOut: [], unasked: [], held: [], overruled: symbols.length > 0 };
  return { placed, leftOut, unasked, held, overruled: false };
}

const orderOf = (tier: PrecisionClass): number => PRECISION_CLASSES.indexOf(tier);
