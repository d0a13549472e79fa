/** The question of the scope stage: which of the files found does the task need? */
import type { Question } from "./judge.ts";
import { shorten } from "./shorten.ts";

const SCOPE_LISTS = ["relevant"] as const;
export type ScopeClass = (typeof SCOPE_LISTS)[number] | "irrelevant";

/**
 * What a model sees of a file. `summary` describes it, best line first: its purpose, signatures of its best definitions.
 * Nothing says how the file was ranked: the cheapest answer would be to copy it.
 */
type ScopeCandidate = { readonly path: string; readonly summary: readonly string[] };

/** The most files that a model is asked about. */
export const FILES_ASKED_MAX = 26;

/** Limits of a candidate's whole text, of a line of its summary, and of its path. */
const TEXT_CHARS_MAX = 260;
const LINE_CHARS_MAX = 90;
const PATH_CHARS_MAX = 160;

const INSTRUCTION = [
  'Each item is a file and what it defines. Under "relevant", list the numbers of the at most fifteen files that have to be changed or read for the task; leave out all others.',
  'Example: for the task "the cart total ignores discounts" and the items [901] shop/cart.py, [902] docs/logo.svg, [903] shop/discount.py, [904] tests/run.sh, the answer is {"relevant":[901,903]}.',
].join("\n");

/** The question; `files` are the best first. Its keys are the paths. */
export function scopeQuestion(task: string, files: readonly ScopeCandidate[]): Question<ScopeClass> {
  return {
    stage: "scope",
    task,
    instruction: INSTRUCTION,
    lists: SCOPE_LISTS,
    rest: "irrelevant",
    perCall: 24,
    repeated: 22,
    timeShare: 0.5,
    candidates: files.slice(0, FILES_ASKED_MAX).map((file) => ({ key: file.path, text: candidateText(file) })),
  };
}

function candidateText({ path, summary }: ScopeCandidate): string {
  let text = shorten(path, PATH_CHARS_MAX);
  for (const raw of summary) {
    const line = shorten(raw, LINE_CHARS_MAX);
    if (text.length + 1 + line.length > TEXT_CHARS_MAX) break;
    if (line !== "") text += `\n${line}`;
  }
  return text;
}
