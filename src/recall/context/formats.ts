/**
 * How what a source found reads as Markdown, and what is said of it for a program: one function a source.
 *
 * Whatever an entry holds is text: it is made into prose or code that cannot act (`text/markdown.ts`). An experience
 * reads whole on the full axis; on another one it shows what that axis is about. Not here: sections (`sections.ts`),
 * cutting (`item-cap.ts`).
 */
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Axis } from "../../memory/vocabulary.ts";
import { displayLines } from "../../text/display.ts";
import { fenceName } from "../../text/language.ts";
import { fenced, inlineCode, lineOfProse, paragraph, pathCode } from "../../text/markdown.ts";
import type { FoundCode, FoundCommit } from "../search/searcher.ts";
import type { Candidate } from "./candidate.ts";
import type { Ration } from "./character-budget.ts";

const CUT_NOTE = "\n\n*(truncated)*";
/** Characters of a commit's name that are shown, and files of its list. */
const SHA_SHOWN = 7;
const FILES_SHOWN = 5;

export function memoryCandidate(memory: Memory, relevance: number): Candidate {
  const { id, category, importance, created_at, content } = memory;
  return {
    ...said("memories", relevance, id, content),
    content: (ration) =>
      lines([
        labelled("**Memory**: ", "", ration.take(content)),
        whenWhole(ration, `*Category: ${category}, Importance: ${importance}*`),
      ]),
    note: CUT_NOTE,
    item: (shown) => ({
      source: "memory",
      content: shown,
      relevance,
      metadata: { id, category, importance, created_at },
    }),
  };
}

export function codeCandidate(code: FoundCode, relevance: number): Candidate {
  const { path, startLine, endLine, language, kind, name, qualifiedName, signature, docstring } = code;
  const text = docstring === null ? signature : `${signature}\n${docstring}`;
  return {
    type: "code",
    relevance,
    id: `${path}:${startLine}:${qualifiedName}`,
    of: null,
    paths: [path],
    // Definitions may well read alike (accessors, overrides); each is one of its own.
    text: null,
    chars: text.length,
    content: (ration) =>
      `**${lineOfProse(kind)}** ${inlineCode(name)} in ${pathCode(`${path}:${startLine}`)}\n${fenced(displayLines(ration.take(text) ?? ""), fenceName(language))}`,
    note: `\n\n*(truncated, see full at ${placeText(`${path}:${startLine}`)})*`,
    item: (shown) => ({
      source: "code",
      content: shown,
      relevance,
      metadata: { file_path: path, start_line: startLine, end_line: endLine, language, qualified_name: qualifiedName },
    }),
  };
}

/** What an experience shows on each axis, after its heading: label and text, null where it has none. */
const ROWS: Record<Axis, (experience: Experience) => readonly (readonly [label: string, text: string | null])[]> = {
  full: (experience) => {
    const { goal, surprise, lesson } = experience;
    const last = experience.iterations.at(-1);
    return [
      ["Goal", goal],
      ["Hypothesis", last?.hypothesis ?? null],
      ["Action", last?.action ?? null],
      ["Prediction", last?.prediction ?? null],
      ["Outcome", outcomeOf(experience)],
      ["Surprise", surprise],
      ["Lesson", lesson?.what_worked ?? null],
    ];
  },
  strategy: (experience) => [
    [hasFailed(experience) ? "Failure" : "Outcome", outcomeOf(experience)],
    ["Goal", experience.goal],
    ["Action", experience.iterations.at(-1)?.action ?? null],
    ["Lesson", experience.lesson?.what_worked ?? null],
  ],
  surprise: (experience) => [
    ["Surprise", experience.surprise],
    ["Goal", experience.goal],
    ["Prediction", experience.iterations.at(-1)?.prediction ?? null],
  ],
  root_cause: ({ root_cause, goal, iterations, lesson }) => [
    ["Root cause", root_cause === null ? null : `${root_cause.category} - ${root_cause.description}`],
    ["Goal", goal],
    ["Hypothesis", iterations.at(-1)?.hypothesis ?? null],
    ["Lesson", lesson?.what_worked ?? null],
  ],
};

export function experienceCandidate(experience: Experience, axis: Axis, relevance: number): Candidate {
  const { id, domain, strategy, outcome, confidence, iterations, created_at } = experience;
  const rows = ROWS[axis](experience).flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
  return {
    // On another axis it says another thing.
    ...said("experiences", relevance, axis === "full" ? id : `${id} ${axis}`, rows.map(({ text }) => text).join("\n")),
    content: (ration) =>
      lines([
        `**Experience**: ${domain} | ${strategy}`,
        ...rows.map(({ label, text }) => labelled(`- **${label}**: `, "  ", ration.take(text))),
      ]),
    note: `\n\n*(truncated, full experience ID: ${id})*`,
    item: (shown) => ({
      source: "experience",
      content: shown,
      relevance,
      metadata: {
        id,
        domain,
        strategy,
        outcome_status: outcome?.status ?? "open",
        confidence_tier: confidence,
        iteration_count: iterations.length,
        axis,
        created_at,
      },
    }),
  };
}

export function valueCandidate(value: Value, relevance: number): Candidate {
  const { id, axis, cluster_id, cluster_size, similarity_to_centroid, text, experience_ids } = value;
  return {
    ...said("values", relevance, id, text),
    // Its text is that of the first one, its medoid.
    of: experience_ids[0] ?? null,
    content: (ration) =>
      lines([`**Value** (${axis}, cluster size: ${cluster_size}):`, labelled("", "", ration.take(text))]),
    note: CUT_NOTE,
    item: (shown) => ({
      source: "value",
      content: shown,
      relevance,
      metadata: { id, axis, cluster_id, cluster_size, similarity_to_centroid, experience_ids },
    }),
  };
}

export function commitCandidate(commit: FoundCommit, relevance: number): Candidate {
  const { sha, author, timestamp, message, filesChanged, insertions, deletions } = commit;
  const named = filesChanged.slice(0, FILES_SHOWN).map(placeText);
  const files = `*Files: ${[...named, ...(filesChanged.length > named.length ? ["..."] : [])].join(", ")}*`;
  return {
    ...said("commits", relevance, sha, message),
    paths: filesChanged,
    content: (ration) =>
      lines([
        `**Commit** ${inlineCode(sha.slice(0, SHA_SHOWN))} by ${lineOfProse(author)} on ${lineOfProse(timestamp)}`,
        labelled("", "", ration.take(message)),
        named.length === 0 ? null : whenWhole(ration, files),
      ]),
    note: CUT_NOTE,
    item: (shown) => ({
      source: "commit",
      content: shown,
      relevance,
      metadata: { sha, author, timestamp, files_changed: filesChanged, insertions, deletions },
    }),
  };
}

/** What most candidates are: something with an id and a text of its own. */
const said = (type: Candidate["type"], relevance: number, id: string, text: string) =>
  ({ type, relevance, id, of: null, paths: [], text, chars: text.length }) as const;

/** Whether it did not go as it was meant to. */
export const hasFailed = ({ outcome }: Experience): boolean => outcome !== null && outcome.status !== "confirmed";

const outcomeOf = ({ outcome }: Experience): string =>
  outcome === null ? "open" : `${outcome.status} - ${outcome.result}`;

/** A text behind its label; null when there is none to show. */
const labelled = (label: string, indent: string, text: string | null): string | null =>
  text === null ? null : `${label}${paragraph(text, indent)}`;

/** What is shown only behind a text that was not cut. */
const whenWhole = (ration: Ration, line: string): string | null => (ration.take("") === null ? null : line);

const lines = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join("\n");

/** A path, letter by letter, inside of an emphasis: plain where nothing in it acts there, else as code. */
function placeText(place: string): string {
  const acts = /[^\p{L}\p{N}_./@:+-]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.test(place);
  return acts ? pathCode(place) : place;
}
