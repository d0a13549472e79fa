/** The options and the file of `cra remember` as drafts of a memory and an experience. Options override the file. */
import { Failed } from "../../failure.ts";
import { type EntryProblem, problemWords } from "../../memory/entry.ts";
import {
  type Draft,
  type ExperienceDraft,
  type MemoryDraft,
  mergeExperience,
  mergeMemory,
  readDraft,
} from "../../memory/entry-draft.ts";
import { readTemplate } from "../../memory/entry-template.ts";
import { readUtf8 } from "../input/input.ts";
import { parseNamedJson, readNamedFile } from "../input/named-file.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

/** Larger than any entry. */
const ENTRY_BYTES_MAX = 8 * 1024 * 1024;
/** A memory is a line or a page. */
const TEXT_BYTES_MAX = 1024 * 1024;

/** The options of a memory and of an experience, and the field that each sets. */
const MEMORY_FIELDS = { "--category": "category", "--importance": "importance" } as const;
const EXPERIENCE_FIELDS = {
  "--goal": "goal",
  "--hypothesis": "iterations.hypothesis",
  "--action": "iterations.action",
  "--prediction": "iterations.prediction",
  "--domain": "domain",
  "--strategy": "strategy",
  "--outcome": "outcome.status",
  "--result": "outcome.result",
  "--surprise": "surprise",
  "--root-cause": "root_cause.category",
  "--root-cause-text": "root_cause.description",
  "--lesson": "lesson.what_worked",
  "--takeaway": "lesson.takeaway",
  "--confidence": "confidence",
} as const;

/** What was typed of an entry. The type is null when nothing tells it. */
export type TypedEntry = {
  readonly type: Draft["type"] | null;
  readonly memory: MemoryDraft;
  readonly experience: ExperienceDraft;
  /** The attempts come from a file, which lists all of them. */
  readonly allAttempts: boolean;
};

/** Reads options, text and file. Throws a usage failure when some belong to a memory and some to an experience. */
export async function readTypedEntry({
  values,
  input,
  environment,
}: Pick<Context, "values" | "input" | "environment">): Promise<TypedEntry> {
  const text = values.argument("text");
  const file = values.text("--entry");
  if (text === "-" && file === "-")
    throw new Failed({ code: "usage", message: "standard input cannot be both the text and the entry" });
  const content = text === "-" ? await readUtf8(input.bytes(), TEXT_BYTES_MAX) : text;
  if (content !== undefined && content.trim() === "")
    throw new Failed({
      code: "usage",
      message: "the text is empty",
      next: 'give a text: cra remember "CI runs on Node 20 only"',
    });
  const typed = typedFields(values, content);
  const written = file === undefined ? null : await entryIn(file, input, environment.cwd);
  return joined(typed, written);
}

type Fields = { readonly memory: Record<string, unknown>; readonly experience: Record<string, unknown> };

function typedFields(values: Values, content: string | undefined): Fields {
  const memory = fieldsOf(values, MEMORY_FIELDS);
  const { importance } = memory;
  const isNumber = typeof importance === "string" && /^[\d.eE+-]+$/.test(importance);
  const { iterations, ...experience } = fieldsOf(values, EXPERIENCE_FIELDS);
  return {
    memory: {
      ...(content === undefined ? {} : { content }),
      ...memory,
      ...(isNumber ? { importance: Number(importance) } : {}),
    },
    experience: { ...experience, ...(iterations === undefined ? {} : { iterations: [iterations] }) },
  };
}

/** The typed options as fields; `outcome.status` is a field of the object `outcome`. */
function fieldsOf(values: Values, paths: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const parts = new Map<string, Record<string, string>>();
  for (const [flag, path] of Object.entries(paths)) {
    const text = values.text(flag);
    if (text === undefined) continue;
    const [field = "", inner] = path.split(".");
    if (inner === undefined) fields[field] = text;
    else fields[field] = parts.set(field, { ...parts.get(field), [inner]: text }).get(field);
  }
  return fields;
}

function joined({ memory, experience }: Fields, written: Draft | null): TypedEntry {
  const types = [
    ...(Object.keys(memory).length > 0 ? (["memory"] as const) : []),
    ...(Object.keys(experience).length > 0 ? (["experience"] as const) : []),
    ...(written === null ? [] : [written.type]),
  ];
  const [type = null] = types;
  const other = types.find((own) => own !== type);
  if (other !== undefined)
    throw new Failed({
      code: "usage",
      message: "some options are for a memory and some for an experience",
      next: "a memory has a text, --category and --importance; the other options are for experiences",
    });
  const typedMemory = typedDraft({ type: "memory", ...memory });
  const typedExperience = typedDraft({ type: "experience", ...experience });
  return {
    type,
    memory:
      typedMemory.type !== "memory"
        ? NO_MEMORY
        : written?.type === "memory"
          ? mergeMemory(written, typedMemory)
          : typedMemory,
    experience:
      typedExperience.type !== "experience"
        ? NO_EXPERIENCE
        : written?.type === "experience"
          ? mergeExperience(written, typedExperience, "last")
          : typedExperience,
    allAttempts: written?.type === "experience" && written.iterations !== undefined,
  };
}

const NO_MEMORY: MemoryDraft = { type: "memory" };
const NO_EXPERIENCE: ExperienceDraft = { type: "experience" };

function typedDraft(fields: Readonly<Record<string, unknown>>): Draft {
  const read = readDraft(fields);
  if (read.ok) return read.value;
  throw new Failed({ code: "usage", message: flagWords(read.problem) });
}

/** A problem with the name of the option instead of the field. */
export function flagWords({ field, why }: EntryProblem): string {
  const flag = FLAG_OF.get(field.replace(/^iterations\[\d+\]/, "iterations"));
  return flag === undefined ? problemWords({ field, why }) : `${flag} ${why}`;
}

const FLAG_OF: ReadonlyMap<string, string> = new Map([
  ["content", "the text"],
  ...Object.entries({ ...MEMORY_FIELDS, ...EXPERIENCE_FIELDS }).map(([flag, field]): [string, string] => [field, flag]),
]);

/** The draft in a file, or on standard input for "-": JSON, or TOML as the editor shows it. */
async function entryIn(file: string, input: Context["input"], cwd: string): Promise<Draft> {
  const text =
    file === "-"
      ? await readUtf8(input.bytes(), ENTRY_BYTES_MAX)
      : readNamedFile("--entry", file, cwd, ENTRY_BYTES_MAX);
  const where = file === "-" ? "the entry" : file;
  const isJson = text
    .replace(/^\uFEFF/, "")
    .trimStart()
    .startsWith("{");
  const read = isJson ? readDraft(parseNamedJson(text, where, "entry")) : readTemplate(text);
  if (read.ok) return read.value;
  const line = "line" in read && read.line !== undefined ? `line ${read.line}: ` : "";
  throw new Failed({
    code: "usage",
    message: `${where}: ${line}${problemWords(read.problem)}`,
    next: "see: cra schema entry",
  });
}
