/**
 * Everything a user may set, one row per key: its default and schema, how it is written as text (in a
 * variable or after a flag), what it must be, and whether a repository may set it for its readers. Making all
 * schemas takes milliseconds of every run, so each is made when a value asks for it.
 *
 * A repository's own `.cra.toml` comes from strangers: it may say what matters in it (sizes, weights, what
 * to include and ignore). `fromRepository` is false for every key that names a path, a command or an address,
 * and for what is the reader's own choice: the machine's resources and the shape of the result. Keys are
 * dotted as TOML tables are (`index.workers`). Not here: reading files (`read-files.ts`), which layer wins (`config.ts`).
 */
import { z } from "zod";
import { LANGUAGE_NAMES } from "../languages/languages.ts";
import { FORMAT_NAMES } from "../retrieval/render/formats.ts";
import {
  BYTES_MAX,
  globs,
  type KeyFacts,
  modelKey,
  pathKey,
  type Row,
  row,
  seconds,
  switchKey,
  TOKENS_MAX,
  tokens,
} from "./key-kinds.ts";
import { MODEL_WINDOW_MIN } from "./parse-value.ts";

/** The signals that `weights` can change. Retrieval's table of signals is held to this list. */
export const SIGNAL_NAMES = [
  "content_match",
  "definition_match",
  "mention",
  "trace_match",
  "phrase_match",
  "history_match",
  "path_match",
  "symbol_match",
  "dependency_proximity",
  "cochange_affinity",
  "recency",
  "domain_match",
  "concept_overlap",
  "structural_centrality",
  "entry_point",
  "file_size",
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** Weight tables with a name. `classic` is the table of the first design; `default` is what real tasks support. */
export const WEIGHT_PROFILES = ["default", "classic"] as const;
export const STAGE_NAMES = ["scope", "precision"] as const;
const TOKENIZER_NAMES = ["o200k_base", "cl100k_base", "approximate"] as const;

/** A path below the repository's root, or "." for all of it; nothing that leads out, whatever the system. */
const INSIDE_REPOSITORY =
  /^(?:\.|(?![A-Za-z]:)(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}]+)*\/?)$/u;
const insideRepository = () => z.string().min(1).max(500).regex(INSIDE_REPOSITORY);

const signalWeights = () => z.partialRecord(z.enum(SIGNAL_NAMES), z.number().min(0).max(10)).readonly();

const knownLanguage = () =>
  z
    .string()
    .toLowerCase()
    .refine((name) => LANGUAGE_NAMES.includes(name));

/** The rows, by key. `null` means not set. */
const ROWS = {
  budget: row(32_768, () => tokens(1), {
    summary: "tokens that the rendered package may take",
    expects: "a whole number of tokens from 1 to 10000000",
    notation: "whole",
    fromRepository: true,
  }),
  context_window: row(null, () => tokens(1).nullable(), {
    summary: "tokens of the model's window; with reserved_tokens, in place of budget",
    expects: "a whole number of tokens from 1 to 10000000",
    notation: "whole",
    fromRepository: true,
  }),
  reserved_tokens: row(null, () => tokens(0).nullable(), {
    summary: "tokens of that window kept for everything else",
    expects: "a whole number of tokens from 0 to 10000000",
    notation: "whole",
    fromRepository: true,
  }),
  max_lines: row(null, () => z.int().min(1).max(TOKENS_MAX).nullable(), {
    summary: "lines that the rendered package may take",
    expects: "a whole number of lines from 1 to 10000000",
    notation: "whole",
    fromRepository: true,
  }),
  tokenizer: row("o200k_base", () => z.enum(TOKENIZER_NAMES), {
    summary: `how tokens are counted: ${TOKENIZER_NAMES.join(", ")}`,
    expects: `one of ${TOKENIZER_NAMES.join(", ")}`,
    words: TOKENIZER_NAMES,
    notation: "word",
    fromRepository: false,
  }),
  safety_margin: row(null, () => z.number().min(0).max(0.5).nullable(), {
    summary: "share added to approximate token counts; 0.15 when not set",
    expects: "a number from 0 to 0.5",
    notation: "number",
    fromRepository: false,
  }),
  scope_size: row(75, () => z.int().min(1).max(5_000), {
    summary: "files that the scope stage keeps",
    expects: "a whole number of files from 1 to 5000",
    notation: "whole",
    fromRepository: true,
  }),
  depth: row(1, () => z.int().min(1).max(3), {
    summary: "steps along imports from the files that the task names",
    expects: "1, 2 or 3",
    notation: "whole",
    fromRepository: true,
  }),
  stages: row([...STAGE_NAMES], () => z.array(z.enum(STAGE_NAMES)).min(1).max(20).readonly(), {
    summary: "stages to run, in order",
    expects: `a list of stages (known: ${STAGE_NAMES.join(", ")})`,
    words: STAGE_NAMES,
    notation: "list",
    fromRepository: false,
  }),
  format: row("markdown", () => z.enum(FORMAT_NAMES), {
    summary: `how the package is written: ${FORMAT_NAMES.join(", ")}`,
    expects: `one of ${FORMAT_NAMES.join(", ")}`,
    words: FORMAT_NAMES,
    notation: "word",
    fromRepository: false,
  }),
  template: pathKey("file with {task}, {context}, {types} and {tests} for the prompt format"),
  weights: row("default", () => z.union([z.enum(WEIGHT_PROFILES), signalWeights()]), {
    summary: "weights of the signals: default, classic, or signal=weight pairs",
    expects: "default, classic, or signal=weight pairs with weights from 0 to 10",
    words: [...WEIGHT_PROFILES, ...SIGNAL_NAMES],
    notation: "weights",
    fromRepository: true,
  }),
  include: row([], globs, {
    summary: "only files that match one of these globs",
    expects: "a list of globs",
    notation: "list",
    fromRepository: true,
  }),
  exclude: row([], globs, {
    summary: "no files that match one of these globs",
    expects: "a list of globs",
    notation: "list",
    fromRepository: true,
  }),
  hint_language: row([], () => z.array(knownLanguage()).max(20).readonly(), {
    summary: "languages that the task is about: only their files are candidates",
    expects: "a list of languages that cra knows, such as python, typescript, tsx, javascript",
    words: LANGUAGE_NAMES,
    notation: "list",
    fromRepository: false,
  }),
  with_memory: switchKey(false, "add to a package what was learned before, within a tenth of its budget"),
  data_dir: pathKey("folder for the databases, in place of .cra in the repository"),
  model: modelKey('model of an Ollama server that judges what the stages find; "none" is none', "qwen3:8b"),
  embedding_model: modelKey(
    'model of that server that compares meanings of what is remembered; "none" is none',
    "nomic-embed-text",
  ),
  base_url: row("http://127.0.0.1:11434", () => z.string().min(1).max(2_000), {
    summary: "address of that server",
    expects: "an address, such as http://127.0.0.1:11434",
    notation: "word",
    fromRepository: false,
  }),
  allow_remote_llm: switchKey(false, "let base_url be another machine, which then sees the task and code"),
  allow_secrets: switchKey(false, "show keys and passwords that stand in texts, instead of hiding them"),
  llm_assist: switchKey(false, "ask the model only what a vague task means, and nothing about code"),
  "llm.connect_seconds": seconds(2, "seconds in which the model's server must take a connection"),
  "llm.first_token_seconds": seconds(60, "seconds in which a reply must begin; loading the model counts"),
  "llm.idle_seconds": seconds(20, "seconds in which a reply that has begun must go on"),
  "llm.total_seconds": seconds(120, "seconds that one call of the model may take"),
  "llm.context_window": row(8_192, () => z.int().min(MODEL_WINDOW_MIN).max(TOKENS_MAX), {
    summary: "tokens that a question to the model and its reply may take together",
    expects: "a whole number of tokens from 2048 to 10000000",
    notation: "whole",
    fromRepository: false,
  }),
  "index.max_file_size": row(1024 * 1024, () => z.int().min(1_024).max(BYTES_MAX), {
    summary: "bytes above which a file is skipped; KiB and MiB are understood",
    expects: "a size from 1KiB to 100MiB, as bytes or with KiB or MiB",
    notation: "bytes",
    fromRepository: true,
  }),
  "index.ignore": row([], globs, {
    summary: "patterns of files to skip, as in .gitignore",
    expects: "a list of patterns",
    notation: "list",
    fromRepository: true,
  }),
  "index.nested": switchKey(
    true,
    "enter nested repositories and submodules, by their own ignore rules; history stays the outer one's",
  ),
  "index.commits_max": row(5_000, () => z.int().min(0).max(1_000_000), {
    summary: "newest commits that are read",
    expects: "a whole number of commits from 0 to 1000000",
    notation: "whole",
    fromRepository: true,
  }),
  "index.commit_files_max": row(50, () => z.int().min(1).max(100_000), {
    summary: "commits that touch more files than this say nothing about co-change",
    expects: "a whole number of files from 1 to 100000",
    notation: "whole",
    fromRepository: true,
  }),
  "index.workers": row(null, () => z.int().min(1).max(64).nullable(), {
    summary: "parsers that run at once; by default as many as there are processors, 8 at most",
    expects: "a whole number from 1 to 64",
    notation: "whole",
    fromRepository: false,
  }),
  "escalate.docs": row(["docs", "src", "tests"], () => z.array(insideRepository()).max(100).readonly(), {
    summary: "folders of the repository in which cra escalate looks for documentation and source",
    expects: "a list of folders inside the repository, such as docs,src",
    notation: "list",
    fromRepository: true,
  }),
};

/** The settings of one run, by key. */
export type Settings = { [Key in keyof typeof ROWS]: z.output<ReturnType<(typeof ROWS)[Key]["schema"]>> };
export type ConfigKey = keyof Settings;

/** The same rows, for a key that is not known by name. */
const KEYS: { readonly [Key in ConfigKey]: Row<Settings[Key]> } = ROWS;

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(ROWS, name);
}

/** Every key, in the order of the table. */
export const CONFIG_KEYS: readonly ConfigKey[] = Object.keys(ROWS).filter(isConfigKey);

/** What the table says of a key. */
export const keyFacts = (key: ConfigKey): KeyFacts => KEYS[key];

/** What a value of a key must be; without one it gives the default. */
export const keySchema = <Key extends ConfigKey>(key: Key): z.ZodType<Settings[Key]> => KEYS[key].schema();

/** The variable that sets a key: `index.max_file_size` is `CRA_INDEX_MAX_FILE_SIZE`. */
export const variableOf = (key: ConfigKey): string => `CRA_${key.replaceAll(".", "_").toUpperCase()}`;

/** The settings where these values are set. Throws a `ZodError` for one that the key does not take. */
export function settingsOf(values: ReadonlyMap<ConfigKey, unknown>): Settings {
  const settings: Partial<Settings> = {};
  const place = <Key extends ConfigKey>(key: Key): void => {
    settings[key] = values.has(key) ? keySchema(key).parse(values.get(key)) : KEYS[key].fallback;
  };
  CONFIG_KEYS.forEach(place);
  if (!isWhole(settings)) throw new Error("a key has no value");
  return settings;
}

const isWhole = (settings: Partial<Settings>): settings is Settings =>
  CONFIG_KEYS.every((key) => settings[key] !== undefined);

/** The defaults of every key. */
export const DEFAULT_SETTINGS: Settings = settingsOf(new Map());
