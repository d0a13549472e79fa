/** The question of the precision stage: how much of each definition does the task need? */
import type { Question } from "./judge.ts";
import { shorten } from "./shorten.ts";

const PRECISION_LISTS = ["primary", "supporting", "type_context"] as const;
export type PrecisionClass = (typeof PRECISION_LISTS)[number] | "excluded";

/** What a model sees of a symbol. `id` is its row id; `doc` the first line of its documentation, or "". */
type PrecisionCandidate = {
  readonly id: number;
  readonly path: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
};

/** The most symbols that a model is asked about. */
export const SYMBOLS_ASKED_MAX = 42;

const PATH_CHARS_MAX = 160;
const NAME_CHARS_MAX = 120;
const SIGNATURE_CHARS_MAX = 110;
const LINE_CHARS_MAX = 80;

const INSTRUCTION = [
  'Each item is a definition, under the file that it is in. List numbers: under "primary" the at most fifteen whose code has to be changed or read for the task, under "supporting" those of which the signature is enough, under "type_context" types whose shape has to be known; leave out all others.',
  'Example: for the task "the cart total ignores discounts" and the items [901] method Cart.total, [902] function parse_date, [903] function discount_of, [904] class Money, the answer is {"primary":[901],"supporting":[903],"type_context":[904]}.',
].join("\n");

/** The key of a symbol in the question and its verdicts. */
export const precisionKey = (id: number): string => String(id);

/** The question; `symbols` are the best first. */
export function precisionQuestion(task: string, symbols: readonly PrecisionCandidate[]): Question<PrecisionClass> {
  return {
    stage: "precision",
    task,
    instruction: INSTRUCTION,
    lists: PRECISION_LISTS,
    rest: "excluded",
    perCall: 30,
    repeated: 18,
    timeShare: 1,
    candidates: symbols.slice(0, SYMBOLS_ASKED_MAX).map((symbol) => ({
      key: precisionKey(symbol.id),
      text: candidateText(symbol),
      group: shorten(symbol.path, PATH_CHARS_MAX),
    })),
  };
}

/** The signature says the name again unless it is cut or of another form. */
function candidateText({ qualifiedName, kind, signature, doc }: PrecisionCandidate): string {
  const name = shorten(qualifiedName, NAME_CHARS_MAX);
  const shown = shorten(signature, SIGNATURE_CHARS_MAX);
  const own = name.slice(name.lastIndexOf(".") + 1);
  const first = own === name && shown.includes(own) ? `${kind} ${shown}` : `${kind} ${name} ${shown.replace(own, "")}`;
  return [shorten(first, NAME_CHARS_MAX + SIGNATURE_CHARS_MAX), shorten(doc, LINE_CHARS_MAX)]
    .filter(Boolean)
    .join("\n");
}
