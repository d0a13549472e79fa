/**
 * Writes a draft as TOML for an editor, and parses the edited text back into a draft.
 *
 * An unedited template gives back the original draft for any text. Empty fields are not set.
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
  `# one of ${MEMORY_CATEGORIES.join(", ")}; empty means fact`,
  word("category", category),
  "# from 0 to 1; 0.5 by default",
  importance === undefined ? "# importance = 0.5" : `importance = ${importance}`,
];

const experienceLines = (draft: ExperienceDraft): readonly string[] => [
  'type = "experience"',
  "",
  "# What you wanted to achieve.",
  prose("goal", draft.goal),
  `# one of ${DOMAINS.join(", ")}`,
  word("domain", draft.domain),
  `# one of ${STRATEGIES.join(", ")}`,
  word("strategy", draft.strategy),
  "# What was unexpected.",
  prose("surprise", draft.surprise),
  `# one of ${CONFIDENCES.join(", ")}; empty: derived from the outcome`,
  word("confidence", draft.confidence),
  "",
  "# Each attempt: what you believed, what you did, and what you expected.",
  ...(draft.iterations?.length ? draft.iterations : [{}]).flatMap(({ hypothesis, action, prediction }) => [
    "[[iterations]]",
    prose("hypothesis", hypothesis),
    prose("action", action),
    prose("prediction", prediction),
    "",
  ]),
  `# How the last attempt ended: ${OUTCOMES.join(", ")}. Leave empty while it is open.`,
  "[outcome]",
  word("status", draft.outcome?.status),
  prose("result", draft.outcome?.result),
  "",
  `# Why it failed: ${ROOT_CAUSE_CATEGORIES.join(", ")}.`,
  "[root_cause]",
  word("category", draft.root_cause?.category),
  prose("description", draft.root_cause?.description),
  "",
  "# What worked, and what to do next time.",
  "[lesson]",
  prose("what_worked", draft.lesson?.what_worked),
  prose("takeaway", draft.lesson?.takeaway),
];

const word = (name: string, text: string | undefined): string => `${name} = "${text ?? ""}"`;

/** A TOML string: multi-line literal if the text allows it, else escaped. */
function prose(name: string, text: string | null | undefined): string {
  if (text === null || text === undefined) return `${name} = '''\n'''`;
  return /'''|'$|[^\P{Cc}\n\t]/u.test(text) ? `${name} = ${escaped(text)}` : `${name} = '''\n${text}'''`;
}

/** The text as a basic TOML string on one line. */
const escaped = (text: string): string =>
  `"${text.replace(/["\\]|\p{Cc}/gu, (found) =>
    found === '"' || found === "\\" ? `\\${found}` : `\\u${code(found).toString(16).padStart(4, "0")}`,
  )}"`;

const code = (character: string): number => character.codePointAt(0) ?? 0;

/** TOML comments must not contain control characters. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, " ");

/** The draft in an edited text, or what is wrong with it, with the line if known. */
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

/** Removes empty fields, and tables that have only empty fields. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((item) => item !== undefined);
  // A TOML date is an object too.
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const kept = Object.entries(value).flatMap(([name, own]) => {
    const left = withoutEmpty(own);
    return left === undefined ? [] : [[name, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The editor shows every field, so a field left empty clears the stored value. */
const emptied = (draft: ExperienceDraft): ExperienceDraft => ({
  ...draft,
  iterations: draft.iterations ?? [],
  outcome: draft.outcome ?? null,
  surprise: draft.surprise ?? null,
  root_cause: draft.root_cause ?? null,
  lesson: draft.lesson ? { ...draft.lesson, takeaway: draft.lesson.takeaway ?? null } : null,
});
