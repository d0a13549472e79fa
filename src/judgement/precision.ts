/**
 * The question of the precision stage: how much of each symbol does the task need?
 *
 * A floor symbol stays, in no lower tier than before. A symbol the model was asked about but gave no verdict on stays as
 * it is. Symbols beyond `CANDIDATES_MAX` are dropped: better ones were asked about. If nothing would be left, everything
 * stays.
 */
import type { Question, Verdict } from "./judge.ts";
import { shorten } from "./shorten.ts";

/** The tiers of symbols, highest first. */
export const PRECISION_CLASSES = ["primary", "supporting", "type_context", "excluded"] as const;
export type PrecisionClass = (typeof PRECISION_CLASSES)[number];

/** What a model sees of a symbol. `id` is its row id; `doc` the first line of its documentation, or "". */
type PrecisionCandidate = {
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
    candidates: symbols.map((symbol) => ({ key: precisionKey(symbol.id), text: candidateText(symbol) })),
  };
}

function candidateText({ path, qualifiedName, kind, signature, doc, why, tier }: PrecisionCandidate): string {
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

/** A partition of the symbols given, each part in their order. */
type JudgedPrecision<Symbol> = {
  /** `tier` may differ; symbols judged primary are `ahead`. */
  readonly placed: readonly Symbol[];
  /** Dropped: judged excluded. */
  readonly leftOut: readonly Symbol[];
  /** Dropped: the model was not asked about them. */
  readonly unasked: readonly Symbol[];
  /** Nothing would have been left, so everything stays. */
  readonly overruled: boolean;
};

/**
 * Applies verdicts, by `precisionKey`. `asked` holds the keys that the model was asked about; symbols that `isWanted`
 * accepts stay even if it was not.
 */
export function applyPrecision<Symbol extends Placed>(
  symbols: readonly Symbol[],
  verdicts: ReadonlyMap<string, Verdict<PrecisionClass>>,
  asked: ReadonlySet<string>,
  isWanted: (symbol: Symbol) => boolean = () => false,
): JudgedPrecision<Symbol> {
  const placed: Symbol[] = [];
  const leftOut: Symbol[] = [];
  const unasked: Symbol[] = [];
  for (const symbol of symbols) {
    const key = precisionKey(symbol.symbol.id);
    const tier = verdicts.get(key)?.class;
    if (tier === undefined) (symbol.floor || asked.has(key) || isWanted(symbol) ? placed : unasked).push(symbol);
    else if (tier === "primary") placed.push({ ...symbol, tier, ahead: true });
    else if (symbol.floor) placed.push(symbol);
    else if (tier === "excluded") leftOut.push(symbol);
    else placed.push({ ...symbol, tier });
  }
  if (placed.length === 0) return { placed: symbols, leftOut: [], unasked: [], overruled: symbols.length > 0 };
  return { placed, leftOut, unasked, overruled: false };
}
