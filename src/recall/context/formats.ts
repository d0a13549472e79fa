/**
 * Turns each kind of result into Markdown and metadata, one function per source.
 *
 * Texts of entries are escaped, so that they cannot act as Markdown (`text/markdown.ts`). On the full axis an experience is shown
 * whole; on another axis, only what the axis is about.
 */

import { fenceName } from "../../languages/languages.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Axis } from "../../memory/vocabulary.ts";
import { displayLines } from "../../text/display.ts";
import { fenced, hasOuterUnderscore, inlineCode, lineOfProse, paragraph, pathCode } from "../../text/markdown.ts";
import type { FoundCode, FoundCommit } from "../search/searcher.ts";
import type { Candidate, CharacterBudget } from "./candidate.ts";

const CUT_NOTE = "\n\n*(truncated)*";
/** The characters of a commit hash that are shown, and the number of its files. */
const SHA_SHOWN = 7;
const FILES_SHOWN = 5;

export function memoryCandidate(memory: Memory, relevance: number): Candidate {
  const { id, category, importance, created_at, content } = memory;
  return {
    ...textCandidate("memories", relevance, id, content),
    at: created_at,
    content: (budget) =>
      lines([
        labelled("**Memory**: ", "", budget.take(content)),
        whenWhole(budget, `*Category: ${category}, Importance: ${importance}*`),
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
    at: null,
    paths: [path],
    // Definitions with similar text (accessors, overrides) are still distinct.
    text: null,
    chars: text.length,
    content: (budget) =>
      `**${lineOfProse(kind)}** ${inlineCode(name)} in ${pathCode(`${path}:${startLine}`)}\n${fenced(displayLines(budget.take(text) ?? ""), fenceName(language))}`,
    note: `\n\n*(truncated, see full at ${emphasisSafePath(`${path}:${startLine}`)})*`,
    item: (shown) => ({
      source: "code",
      content: shown,
      relevance,
      metadata: { file_path: path, start_line: startLine, end_line: endLine, language, qualified_name: qualifiedName },
    }),
  };
}

/** The rows that an experience shows on each axis; a row with null text is left out. */
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

/** The id of the candidate that shows an experience on an axis. */
export const experienceKey = (id: string, axis: Axis): string => (axis === "full" ? id : `${id} ${axis}`);

export function experienceCandidate(experience: Experience, axis: Axis, relevance: number): Candidate {
  const { id, domain, strategy, outcome, confidence, iterations, created_at } = experience;
  const rows = ROWS[axis](experience).flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
  return {
    // Another axis shows other rows, so it is not a duplicate.
    ...textCandidate("experiences", relevance, experienceKey(id, axis), rows.map(({ text }) => text).join("\n")),
    at: created_at,
    content: (budget) =>
      lines([
        `**Experience**: ${domain} | ${strategy}`,
        ...rows.map(({ label, text }) => labelled(`- **${label}**: `, "  ", budget.take(text))),
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
    ...textCandidate("values", relevance, id, text),
    // The first experience is the medoid, which supplies the text.
    of: experience_ids[0] ?? null,
    content: (budget) =>
      lines([`**Value** (${axis}, cluster size: ${cluster_size}):`, labelled("", "", budget.take(text))]),
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
  const named = filesChanged.slice(0, FILES_SHOWN).map(emphasisSafePath);
  const files = `*Files: ${[...named, ...(filesChanged.length > named.length ? ["..."] : [])].join(", ")}*`;
  return {
    ...textCandidate("commits", relevance, sha, message),
    at: timestamp,
    paths: filesChanged,
    content: (budget) =>
      lines([
        `**Commit** ${inlineCode(sha.slice(0, SHA_SHOWN))} by ${lineOfProse(author)} on ${lineOfProse(timestamp)}`,
        labelled("", "", budget.take(message)),
        named.length === 0 ? null : whenWhole(budget, files),
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

/** The fields shared by candidates with an id and a text of their own. */
const textCandidate = (type: Candidate["type"], relevance: number, id: string, text: string) =>
  ({ type, relevance, id, of: null, at: null, paths: [], text, chars: text.length }) as const;

/** Whether the experience ended without confirming its hypothesis. */
export const hasFailed = ({ outcome }: Experience): boolean => outcome !== null && outcome.status !== "confirmed";

const outcomeOf = ({ outcome }: Experience): string =>
  outcome === null ? "open" : `${outcome.status} - ${outcome.result}`;

/** A text behind its label; null without a text. */
const labelled = (label: string, indent: string, text: string | null): string | null =>
  text === null ? null : `${label}${paragraph(text, indent)}`;

/** A line that is shown only if nothing before it was cut. */
const whenWhole = (budget: CharacterBudget, line: string): string | null => (budget.take("") === null ? null : line);

const lines = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join("\n");

/** A path inside an emphasis: plain if no character of it is Markdown syntax there, else as code. */
function emphasisSafePath(path: string): string {
  return /[^\p{L}\p{N}_./@:+-]/u.test(path) || hasOuterUnderscore(path) ? pathCode(path) : path;
}
