/** The options and the file of `cra remember` as drafts of a memory and an experience. Options override the file. */
import { resolve } from "node:path";
import { readBounded } from "../../config/read-files.ts";
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
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

/** Larger than any entry. */
const ENTRY_BYTES_MAX = 8 * 1024 * 1024;
/** A memory is a line or a page. */
const TEXT_BYTES_MAX = 1024 * 1024;

/** Each flag of a memory with its field; the text itself is an argument. */
const MEMORY_FLAGS = { category: "--category", importance: "--importance" } as const;
const ATTEMPT_FLAGS = { hypothesis: "--hypothesis", action: "--action", prediction: "--prediction" } as const;
const EXPERIENCE_FLAGS = {
  goal: "--goal",
  domain: "--domain",
  strategy: "--strategy",
  surprise: "--surprise",
  confidence: "--confidence",
} as const;
const PART_FLAGS = {
  outcome: { status: "--outcome", result: "--result" },
  root_cause: { category: "--root-cause", description: "--root-cause-text" },
  lesson: { what_worked: "--lesson", takeaway: "--takeaway" },
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
  const texts = (flags: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(flags).flatMap(([field, flag]) => {
        const text = values.text(flag);
        return text === undefined ? [] : [[field, text]];
      }),
    );
  const parts = Object.entries(PART_FLAGS).flatMap(([field, flags]) => {
    const part = texts(flags);
    return Object.keys(part).length === 0 ? [] : [[field, part] as const];
  });
  const attempt = texts(ATTEMPT_FLAGS);
  const { importance, ...memory } = texts(MEMORY_FLAGS);
  return {
    memory: {
      ...(content === undefined ? {} : { content }),
      ...memory,
      ...(importance === undefined
        ? {}
        : { importance: /^[\d.eE+-]+$/.test(importance) ? Number(importance) : importance }),
    },
    experience: {
      ...texts(EXPERIENCE_FLAGS),
      ...Object.fromEntries(parts),
      ...(Object.keys(attempt).length === 0 ? {} : { iterations: [attempt] }),
    },
  };
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
  const flag = FLAG_OF.get(field.replace(/^iterations\[\d+\]\./, ""));
  return flag === undefined ? problemWords({ field, why }) : `${flag} ${why}`;
}

const FLAG_OF: ReadonlyMap<string, string> = new Map<string, string>([
  ["content", "the text"],
  ...Object.entries({ ...MEMORY_FLAGS, ...ATTEMPT_FLAGS, ...EXPERIENCE_FLAGS }),
  ...Object.entries(PART_FLAGS).flatMap(([part, flags]) =>
    Object.entries(flags).map(([field, flag]): [string, string] => [`${part}.${field}`, flag]),
  ),
]);

/** The draft in a file, or on standard input for "-": JSON, or TOML as the editor shows it. */
async function entryIn(file: string, input: Context["input"], cwd: string): Promise<Draft> {
  const text =
    file === "-"
      ? await readUtf8(input.bytes(), ENTRY_BYTES_MAX)
      : readBounded(resolve(cwd, file), true, ENTRY_BYTES_MAX);
  if (text === null) throw new Failed({ code: "usage", message: `--entry: there is no file ${file}` });
  const where = file === "-" ? "the entry" : file;
  const isJson = text
    .replace(/^\uFEFF/, "")
    .trimStart()
    .startsWith("{");
  const read = isJson ? readDraft(parsedJson(text, where)) : readTemplate(text);
  if (read.ok) return read.value;
  const line = "line" in read && read.line !== undefined ? `line ${read.line}: ` : "";
  throw new Failed({
    code: "usage",
    message: `${where}: ${line}${problemWords(read.problem)}`,
    next: "see: cra schema entry",
  });
}

function parsedJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // JSON that is nested too deeply is refused with a RangeError.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new Failed({ code: "usage", message: `${where} is not JSON`, next: "see: cra schema entry" });
  }
}
