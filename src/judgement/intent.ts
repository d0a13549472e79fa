/**
 * The question that the analysis of a task asks: which words, concepts and areas lead to the code that the task needs?
 *
 * It is one question, so the model is called once. Its verdicts keep everything of the task and only add to it: search words
 * of the model's own, and what the repository knows. The task's own words and its kind are not judged: on the development
 * cases even right answers about them gain nothing, and wrong ones lose.
 */
import { TASK_LIMITS, type TaskQuery } from "../task/query.ts";
import { expandIdentifier, identifiersIn } from "../text/terms/identifiers.ts";
import { STOP_WORDS } from "../text/terms/stop-words.ts";
import { type Candidate, PROPOSED, PROPOSED_MAX, type Question, type Verdict } from "./judge.ts";
import { shorten } from "./shorten.ts";

const INTENT_LISTS = ["essential", "helpful"] as const;
export type IntentClass = (typeof INTENT_LISTS)[number] | "irrelevant";

/**
 * From the index, most important first: concepts (lower case); for a vague task also top-level folders and names of the
 * best-known symbols.
 */
export type IntentBackground = {
  readonly concepts: readonly string[];
  readonly areas: readonly string[];
  readonly symbols: readonly string[];
};

/** The most of each kind: all stand in one call. */
const CONCEPTS_MAX = 20;
const AREAS_MAX = 15;
const SYMBOLS_MAX = 15;
const NAME_CHARS_MAX = 60;

/** The most words that names, and that proposals, add to the search. */
const ADDED_WORDS_MAX = 24;

const INSTRUCTION = [
  `Under "words", give up to ${PROPOSED_MAX} single words that the code which the task needs is likely to contain and that the task does not say: synonyms, technical terms, parts of names.`,
  'Each item begins with its kind: "concept" is a subject that the repository knows, "area" one of its folders, "symbol" a name defined in it. Under "essential", list the numbers of the at most ten by which that code is likely named or where it lies; under "helpful" those by which it may be; leave out all others.',
  'Example: for the task "pages load slowly" and the items [901] area server, [902] area docs, [903] symbol PageView, the answer is {"essential":[901],"helpful":[903],"words":["cache","timeout","render"]}.',
].join("\n");

/** The question. Its keys are `concept:…`, `area:…` and `symbol:…`. */
export function intentQuestion(task: Pick<TaskQuery, "raw">, background: IntentBackground): Question<IntentClass> {
  return {
    stage: "analysis",
    task: task.raw,
    instruction: INSTRUCTION,
    lists: INTENT_LISTS,
    rest: "irrelevant",
    perCall: 200,
    repeated: 0,
    timeShare: 0.4,
    proposals: "helpful",
    candidates: [
      ...distinct(background.concepts, CONCEPTS_MAX).map((concept) => candidate("concept", concept)),
      ...distinct(background.areas, AREAS_MAX).map((area) => candidate("area", area)),
      ...distinct(background.symbols, SYMBOLS_MAX).map((name) => candidate("symbol", name)),
    ],
  };
}

type Kind = "concept" | "area" | "symbol";

const keyOf = (kind: Kind, name: string): string => `${kind}:${name}`;
const candidate = (kind: Kind, name: string): Candidate => ({
  key: keyOf(kind, name),
  text: `${kind} ${shorten(name, NAME_CHARS_MAX)}`,
});

const distinct = (names: readonly string[], max: number): readonly string[] => [...new Set(names)].slice(0, max);

/**
 * The task with what verdicts on the question with the same background add. Parts of the names of essential areas and symbols
 * become search words with the weight of a title, essential and helpful concepts join those of the text. Proposed words are
 * kept apart (`proposed`), and only searched for. Without verdicts the task stays the same.
 */
export function applyIntent(
  task: TaskQuery,
  verdicts: ReadonlyMap<string, Verdict<IntentClass>>,
  background: IntentBackground,
): TaskQuery {
  const judged = (kind: Kind, name: string): IntentClass => verdicts.get(keyOf(kind, name))?.class ?? "irrelevant";
  const isEssential = (kind: Kind) => (name: string) => judged(kind, name) === "essential";
  const named = distinct(
    [...background.symbols.filter(isEssential("symbol")), ...background.areas.filter(isEssential("area"))]
      .flatMap(identifiersIn)
      .flatMap(expandIdentifier),
    ADDED_WORDS_MAX,
  ).filter((word) => !task.keywords.includes(word));
  const concepts = background.concepts.filter((concept) => judged("concept", concept) !== "irrelevant");
  const known = new Set([...task.keywords, ...named]);
  const proposed = [...verdicts.keys()]
    .flatMap((key) => (key.startsWith(PROPOSED) ? expandIdentifier(key.slice(PROPOSED.length)) : []))
    .filter((word) => !known.has(word) && !STOP_WORDS.has(word));
  return {
    ...task,
    ...(proposed.length === 0 ? {} : { proposed: distinct(proposed, ADDED_WORDS_MAX) }),
    keywords: [...task.keywords, ...named],
    concepts: distinct([...task.concepts, ...concepts], Math.max(TASK_LIMITS.conceptsMax, task.concepts.length)),
    // One word a line, so that unrelated words form no phrase.
    sections: named.length === 0 ? task.sections : [...task.sections, { kind: "title", text: named.join("\n") }],
  };
}
