/**
 * An entry as a text to write in an editor (TOML with comments), and what was written there as a draft again.
 *
 * Pure. Invariant: a template that nobody touched gives the draft that it was made of, whatever its texts hold. Fields
 * left empty are not set. Not here: the editor (`cli/entries/edit-entry.ts`), whether what was written is whole.
 */
import { parse, TomlError } from "smol-toml";
import { type Checked, checked } from "./entry.ts";
import { type Draft, DraftSchema, type ExperienceDraft, type MemoryDraft } from "./entry-draft.ts";
import { CONFIDENCES, DOMAINS, MEMORY_CATEGORIES, OUTCOMES, ROOT_CAUSE_CATEGORIES, STRATEGIES } from "./vocabulary.ts";

/** The text to edit. `remarks` come first, as comments. */
export const entryTemplate = (draft: Draft, remarks: readonly string[]): string =>
  [
    ...remarks
      .flatMap((remark) => remark.split(/\r\n|[\n\r\u2028\u2029]/))
      .map((line) => `# ${printable(line)}`.trimEnd()),
    ...(draft.type === "memory" ? memoryLines(draft) : experienceLines(draft)),
    "",
  ].join("\n");

const memoryLines = ({ content, category, importance }: MemoryDraft): readonly string[] => [
  'type = "memory"',
  prose("content", content),
  `# one of ${MEMORY_CATEGORIES.join(", ")}; fact when it is left empty`,
  word("category", category),
  "# from 0 to 1; 0.5 when it is left out",
  importance === undefined ? "# importance = 0.5" : `importance = ${importance}`,
];

const experienceLines = (draft: ExperienceDraft): readonly string[] => [
  'type = "experience"',
  "",
  "# What was to be reached.",
  prose("goal", draft.goal),
  `# one of ${DOMAINS.join(", ")}`,
  word("domain", draft.domain),
  `# one of ${STRATEGIES.join(", ")}`,
  word("strategy", draft.strategy),
  "# What was not expected.",
  prose("surprise", draft.surprise),
  `# one of ${CONFIDENCES.join(", ")}; from the outcome when it is left empty`,
  word("confidence", draft.confidence),
  "",
  "# Each attempt: what was believed, what was done about it, and what was expected to come of that.",
  ...(draft.iterations?.length ? draft.iterations : [{}]).flatMap(({ hypothesis, action, prediction }) => [
    "[[iterations]]",
    prose("hypothesis", hypothesis),
    prose("action", action),
    prose("prediction", prediction),
    "",
  ]),
  `# How the last attempt ended: ${OUTCOMES.join(", ")}. Empty while it goes on.`,
  "[outcome]",
  word("status", draft.outcome?.status),
  prose("result", draft.outcome?.result),
  "",
  `# Why it failed: ${ROOT_CAUSE_CATEGORIES.join(", ")}.`,
  "[root_cause]",
  word("category", draft.root_cause?.category),
  prose("description", draft.root_cause?.description),
  "",
  "# What worked, and what to do the next time.",
  "[lesson]",
  prose("what_worked", draft.lesson?.what_worked),
  prose("takeaway", draft.lesson?.takeaway),
];

const word = (name: string, text: string | undefined): string => `${name} = "${text ?? ""}"`;

/** A text of any length between quotes that take everything as it is, where it can stand between them. */
function prose(name: string, text: string | null | undefined): string {
  if (text === null || text === undefined) return `${name} = '''\n'''`;
  return /'''|'$|[^\P{Cc}\n\t]/u.test(text) ? `${name} = ${escaped(text)}` : `${name} = '''\n${text}'''`;
}

/** The text on one line, with what TOML would not take as it is spelled out. */
const escaped = (text: string): string =>
  `"${text.replace(/["\\]|\p{Cc}/gu, (found) =>
    found === '"' || found === "\\" ? `\\${found}` : `\\u${code(found).toString(16).padStart(4, "0")}`,
  )}"`;

const code = (character: string): number => character.codePointAt(0) ?? 0;

/** Comments of TOML hold no control characters. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, " ");

/** What was written, or what is wrong with it and in which line, where that is known. */
export function readTemplate(text: string): Checked<Draft> & { readonly line?: number } {
  const parsed = parsedToml(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  if (!parsed.ok) return parsed;
  const draft = checked(DraftSchema, withoutEmpty(parsed.value));
  return draft.ok && draft.value.type === "experience" ? { ok: true, value: emptied(draft.value) } : draft;
}

function parsedToml(text: string): Checked<unknown> & { readonly line?: number } {
  try {
    return { ok: true, value: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = "it is not TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    return { ok: false, problem: { field: "", why }, line: error.line };
  }
}

/** Fields that hold nothing are as good as left out, and so are tables of such fields. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => item !== undefined);
  // A time is an object too, and no table.
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const kept = Object.entries(value).flatMap(([name, own]) => {
    const left = withoutEmpty(own);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** What is left empty in an editor is to be empty: there, everything is said. */
const emptied = (draft: ExperienceDraft): ExperienceDraft => ({
  ...draft,
  iterations: draft.iterations ?? [],
  outcome: draft.outcome ?? null,
  surprise: draft.surprise ?? null,
  root_cause: draft.root_cause ?? null,
  lesson: draft.lesson ? { ...draft.lesson, takeaway: draft.lesson.takeaway ?? null } : null,
});
