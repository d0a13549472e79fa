/**
 * The question that the analysis of a task asks: the kind of work, and the words, concepts and areas it concerns.
 *
 * It is one question, so the model is called once. Verdicts keep the task's raw text, hints, frames, given names and all
 * keywords. They add search words, never a path or a name that resolves to a file.
 */
import { TASK_LIMITS, TASK_TYPES, type TaskQuery, type TaskType } from "../task/query.ts";
import { expandIdentifier, identifiersIn } from "../text/terms/identifiers.ts";
import { STOP_WORDS } from "../text/terms/stop-words.ts";
import { type Candidate, PROPOSED, PROPOSED_MAX, type Question, type Verdict } from "./judge.ts";
import { shorten } from "./shorten.ts";

export const INTENT_CLASSES = ["essential", "helpful", "irrelevant"] as const;
export type IntentClass = (typeof INTENT_CLASSES)[number];

/**
 * From the index, most important first: concepts (lower case); for a vague task also top-level folders and names of the
 * best-known symbols.
 */
export type IntentBackground = {
  readonly concepts: readonly string[];
  readonly areas: readonly string[];
  readonly symbols: readonly string[];
};

/** The most of each kind; together they stay below `CANDIDATES_MAX`. */
const CONCEPTS_MAX = 60;
const AREAS_MAX = 40;
const SYMBOLS_MAX = 30;
const NAME_CHARS_MAX = 80;

/** The most words that verdicts add to the search, with the weight of a title. */
const ADDED_WORDS_MAX = 24;

const INSTRUCTION = [
  "A tool looks for the source code that a task needs. Judge how much each item says about what the task needs.",
  'An item begins with its kind. "type" is a kind of work: essential if the task is of that kind, else irrelevant; exactly one type is essential.',
  '"word" is a word of the task, "concept" a subject that the repository knows, "area" one of its folders, "symbol" a name defined in it: essential if code that the task needs is likely named so or lies there, helpful if it may be, irrelevant if it leads elsewhere.',
  `Besides, "words" may hold up to ${PROPOSED_MAX} single words of your own that such code is likely to contain and that are not listed: synonyms, technical terms, parts of names. They are only searched for.`,
].join("\n");

const TYPE_TEXT: { readonly [type in TaskType]: string } = {
  bug_fix: "fixing something that is wrong",
  feature: "adding something that is not there yet",
  refactor: "changing how code is built, not what it does",
  test: "writing or changing tests",
  investigation: "finding out how something works, or where it is",
};

/** The question. Its keys are `type:…`, `word:…`, `concept:…`, `area:…` and `symbol:…`. */
export function intentQuestion(task: TaskQuery, background: IntentBackground): Question<IntentClass> {
  return {
    stage: "analysis",
    task: task.raw,
    instruction: INSTRUCTION,
    classes: INTENT_CLASSES,
    proposals: "helpful",
    candidates: [
      ...TASK_TYPES.map((type) => candidate("type", type, `${type.replace("_", " ")}: ${TYPE_TEXT[type]}`)),
      ...task.keywords.slice(0, TASK_LIMITS.keywordsMax).map((word) => candidate("word", word)),
      ...distinct(background.concepts, CONCEPTS_MAX).map((concept) => candidate("concept", concept)),
      ...distinct(background.areas, AREAS_MAX).map((area) => candidate("area", area)),
      ...distinct(background.symbols, SYMBOLS_MAX).map((name) => candidate("symbol", name)),
    ],
  };
}

type Kind = "type" | "word" | "concept" | "area" | "symbol";

const keyOf = (kind: Kind, name: string): string => `${kind}:${name}`;
const candidate = (kind: Kind, name: string, text = name): Candidate => ({
  key: keyOf(kind, name),
  text: `${kind} ${shorten(text, NAME_CHARS_MAX)}`,
});

const distinct = (names: readonly string[], max: number): readonly string[] => [...new Set(names)].slice(0, max);

/**
 * The task, refined by verdicts on the question with the same background. The type changes if exactly one is essential.
 * Essential words come first among the keywords and weigh like title words; irrelevant ones come last. Essential and
 * helpful concepts join those of the text. Parts of the names of essential areas and symbols count as essential words.
 * Proposed words are kept apart (`proposed`), and only searched for. Without verdicts the task stays the same.
 */
export function applyIntent(
  task: TaskQuery,
  verdicts: ReadonlyMap<string, Verdict<IntentClass>>,
  background: IntentBackground,
): TaskQuery {
  const judged = (kind: Kind, name: string): IntentClass | undefined => verdicts.get(keyOf(kind, name))?.class;
  const essential = (kind: Kind) => (name: string) => judged(kind, name) === "essential";
  const words = task.keywords.filter(essential("word"));
  const rest = task.keywords.filter((word) => judged("word", word) === "helpful" || judged("word", word) === undefined);
  const last = task.keywords.filter((word) => judged("word", word) === "irrelevant");
  const named = distinct(
    [...background.symbols.filter(essential("symbol")), ...background.areas.filter(essential("area"))]
      .flatMap(identifiersIn)
      .flatMap(expandIdentifier),
    ADDED_WORDS_MAX,
  ).filter((word) => !task.keywords.includes(word));
  const concepts = background.concepts.filter((concept) =>
    ["essential", "helpful"].includes(judged("concept", concept) ?? "irrelevant"),
  );
  const types = TASK_TYPES.filter(essential("type"));
  const [type] = types;
  // One word a line, so that unrelated words form no phrase.
  const added = [...words, ...named].slice(0, ADDED_WORDS_MAX);
  const known = new Set([...task.keywords, ...named]);
  const proposed = [...verdicts.keys()]
    .flatMap((key) => (key.startsWith(PROPOSED) ? expandIdentifier(key.slice(PROPOSED.length)) : []))
    .filter((word) => !known.has(word) && !STOP_WORDS.has(word));
  return {
    ...task,
    ...(proposed.length === 0 ? {} : { proposed: distinct(proposed, ADDED_WORDS_MAX) }),
    taskType: type !== undefined && types.length === 1 ? type : task.taskType,
    keywords: [...words, ...rest, ...named, ...last],
    concepts: distinct([...task.concepts, ...concepts], Math.max(TASK_LIMITS.conceptsMax, task.concepts.length)),
    sections: added.length === 0 ? task.sections : [...task.sections, { kind: "title", text: added.join("\n") }],
  };
}
