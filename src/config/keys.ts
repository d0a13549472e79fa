/**
 * Every setting, one row per key: default, schema, notation, and whether a repository may set it.
 *
 * A repository's own `.cra.toml` comes from strangers, so it may only say what matters in the repository (sizes, weights, what
 * to include and ignore). `fromRepository` is false for paths, commands and addresses, and for the reader's own choices: the
 * resources of the machine and the form of the result. Schemas are made when a value needs them: making all would cost every
 * run milliseconds.
 */
import { z } from "zod";
import { LANGUAGE_NAMES, languageNamed } from "../languages/languages.ts";
import { SIGNAL_NAMES, WEIGHT_PROFILES } from "../retrieval/ranking/signals/table.ts";
import { FORMAT_NAMES } from "../retrieval/render/formats.ts";
import {
  BYTES_MAX,
  globsKey,
  type KeyFacts,
  MODEL_WINDOW_MIN,
  modelKey,
  optionalWholeKey,
  pathKey,
  type Row,
  row,
  secondsKey,
  switchKey,
  TOKENS_MAX,
  wholeKey,
  wordKey,
} from "./key-kinds.ts";

const COVERAGE_EXPECTED = "auto, or a share from 0.05 to 1";
/** A coverage that may be asked for, without a default. */
export const coverageSchema = () =>
  z.union([z.literal("auto"), z.number().min(0.05).max(1)], { error: `expected ${COVERAGE_EXPECTED}` });

const STAGE_NAMES = ["scope", "precision"] as const;
const PURPOSE_NAMES = ["plan", "fix", "review", "explain"] as const;
const TOKENIZER_NAMES = ["o200k_base", "cl100k_base", "approximate"] as const;

/**
 * A path below the repository's root, or "." for all of it; on no system does it lead outside. The schema of settings has this pattern, and
 * validators in Python do not know `\p{Cc}`.
 */
const INSIDE_REPOSITORY =
  /^(?:\.|(?![A-Za-z]:)(?!\.{1,2}(?:\/|$))[^/\\\u0000-\u001f\u007f-\u009f]+(?:\/(?!\.{1,2}(?:\/|$))[^/\\\u0000-\u001f\u007f-\u009f]+)*\/?)$/u;
const insideRepository = () => z.string().min(1).max(500).regex(INSIDE_REPOSITORY);

const signalWeights = () => z.partialRecord(z.enum(SIGNAL_NAMES), z.number().min(0).max(10)).readonly();

const knownLanguage = () =>
  z
    .string()
    .overwrite(languageNamed)
    .refine((name) => LANGUAGE_NAMES.includes(name));

const TOKENS = { of: "tokens", least: 1, most: TOKENS_MAX } as const;

/** The rows by key, whose dots are TOML tables (`index.workers`). `null` means not set. */
const ROWS = {
  budget: wholeKey(32_768, TOKENS, { summary: "token budget of the package's text", fromRepository: true }),
  context_window: optionalWholeKey(TOKENS, {
    summary: "context window of your model, in tokens; with reserved_tokens it replaces budget",
    fromRepository: true,
  }),
  reserved_tokens: optionalWholeKey(
    { ...TOKENS, least: 0 },
    { summary: "tokens of that window to keep free for everything else", fromRepository: true },
  ),
  max_lines: optionalWholeKey(
    { ...TOKENS, of: "lines" },
    { summary: "line limit of the package", fromRepository: true },
  ),
  coverage: row("auto", coverageSchema, {
    summary:
      "share of what is expected to matter at which packing stops, from 0.05 to 1; 1 fills the budget, auto stops where more is hardly worth its tokens",
    expects: COVERAGE_EXPECTED,
    words: ["auto"],
    notation: "number",
    fromRepository: true,
  }),
  for: row(null, () => z.enum(PURPOSE_NAMES).nullable(), {
    summary:
      "what the package is for: plan (signatures), fix or review (callers and tests too), explain (documentation too)",
    expects: `one of ${PURPOSE_NAMES.join(", ")}`,
    words: PURPOSE_NAMES,
    notation: "word",
    fromRepository: false,
  }),
  tokenizer: wordKey("o200k_base", TOKENIZER_NAMES, "tokenizer to count with"),
  safety_margin: row(null, () => z.number().min(0).max(0.5).nullable(), {
    summary: "share to add to approximate token counts, from 0 to 0.5; 0.15 if not set",
    expects: "a number from 0 to 0.5",
    notation: "number",
    fromRepository: false,
  }),
  scope_size: wholeKey(
    75,
    { of: "files", least: 1, most: 5_000 },
    {
      summary:
        "number of best-ranked files that the scope stage keeps; those that the task names, their imports and tests come on top",
      fromRepository: true,
    },
  ),
  depth: wholeKey(
    1,
    { of: "steps", least: 1, most: 3 },
    { summary: "import steps to follow from the files that the task names, 1 to 3", fromRepository: true },
  ),
  stages: row([...STAGE_NAMES], () => z.array(z.enum(STAGE_NAMES)).min(1).max(20).readonly(), {
    summary: `stages to run, in order: ${STAGE_NAMES.join(", ")}`,
    expects: `a list of stages (known: ${STAGE_NAMES.join(", ")})`,
    words: STAGE_NAMES,
    notation: "list",
    fromRepository: false,
  }),
  format: wordKey(
    "markdown",
    FORMAT_NAMES,
    "format of the package; the budget bounds its text, not the JSON around it",
  ),
  template: pathKey("file with {task}, {context}, {types} and {tests} for the prompt format"),
  weights: row("default", () => z.union([z.enum(WEIGHT_PROFILES), signalWeights()]), {
    summary: "weights of the signals: default, classic, or signal=weight,...",
    expects: "default, classic, or signal=weight pairs with weights from 0 to 10",
    words: [...WEIGHT_PROFILES, ...SIGNAL_NAMES],
    notation: "weights",
    fromRepository: true,
  }),
  include: globsKey("select only files and folders that match one of these globs, in any folder unless it has a slash"),
  exclude: globsKey("leave out files and folders that match one of these globs, in any folder unless it has a slash"),
  hint_language: row([], () => z.array(knownLanguage()).max(20).readonly(), {
    summary: "languages that the task is about, by name or file ending; only their files are candidates",
    expects: "a list of languages that cra knows, such as python, typescript, tsx, javascript",
    words: LANGUAGE_NAMES,
    notation: "list",
    fromRepository: false,
  }),
  reasons: switchKey(false, "say under each file why it is in the package, within 4 % of its tokens", true),
  with_memory: switchKey(
    false,
    "add a section with related memories and experiences, within a tenth of the budget (see cra remember)",
  ),
  data_dir: pathKey("folder for the databases instead of .cra in the repository"),
  model: modelKey('model to ask, on a server with the API of Ollama or OpenAI; "none" asks no model', "qwen3:8b"),
  embedding_model: modelKey(
    'model on an Ollama server that compares texts by meaning; "none" compares words only',
    "nomic-embed-text",
  ),
  model_time: secondsKey(90, "seconds that the model may take in one run; what it judged until then counts"),
  base_url: row("http://127.0.0.1:11434", () => z.string().min(1).max(2_000), {
    summary: "address of the model server",
    expects: "an address, such as http://127.0.0.1:11434",
    notation: "word",
    fromRepository: false,
  }),
  allow_remote_llm: switchKey(false, "allow a server on another machine, which then sees the task and code"),
  allow_secrets: switchKey(false, "show keys and passwords instead of hiding them"),
  llm_assist: switchKey(false, "ask the model only what a vague task means, and nothing about code"),
  "llm.connect_seconds": secondsKey(2, "seconds to wait for a connection to the server of the model"),
  "llm.first_token_seconds": secondsKey(60, "seconds to wait for a reply to begin, including loading the model"),
  "llm.idle_seconds": secondsKey(20, "seconds to wait for a reply to continue"),
  "llm.total_seconds": secondsKey(120, "seconds that one call of the model may take"),
  "llm.context_window": wholeKey(
    8_192,
    { ...TOKENS, least: MODEL_WINDOW_MIN },
    { summary: "tokens that a prompt and its reply may take together", fromRepository: false },
  ),
  "index.max_file_size": row(1024 * 1024, () => z.int().min(1_024).max(BYTES_MAX), {
    summary: "size above which a file is skipped, in bytes or with KiB or MiB",
    expects: "a size from 1KiB to 100MiB, as bytes or with KiB or MiB",
    notation: "bytes",
    fromRepository: true,
  }),
  "index.ignore": globsKey("patterns of files to skip, as in .gitignore", "a list of patterns"),
  "index.nested": switchKey(
    true,
    "also index nested repositories and submodules, by their own ignore rules; history is the outer one's",
  ),
  "index.commits_max": wholeKey(
    5_000,
    { of: "commits", least: 0, most: 1_000_000 },
    { summary: "number of newest commits to read", fromRepository: true },
  ),
  "index.commit_files_max": wholeKey(
    50,
    { of: "files", least: 1, most: 100_000 },
    { summary: "commits that touch more files than this do not count for co-change", fromRepository: true },
  ),
  "index.workers": optionalWholeKey(
    { of: "workers", least: 1, most: 64 },
    { summary: "parsers that run in parallel; by default one per processor, at most 8", fromRepository: false },
  ),
  "workspace.repos": row([], () => z.array(z.string().min(1).max(4_096)).max(50).readonly(), {
    summary: "repositories to ask instead of this one, separated by commas; in .cra.toml only folders inside it",
    expects: "a list of at most 50 folders",
    notation: "list",
    fromRepository: true,
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

/** The same rows for a key that is only known at run time. */
const KEYS: { readonly [Key in ConfigKey]: Row<Settings[Key]> } = ROWS;

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(ROWS, name);
}

/** Every key, in the order of the table. */
export const CONFIG_KEYS: readonly ConfigKey[] = Object.keys(ROWS).filter(isConfigKey);

/** The row of a key without its default and schema. */
export const keyFacts = (key: ConfigKey): KeyFacts => KEYS[key];

/** The schema of a key; it turns undefined into the default. */
export const keySchema = <Key extends ConfigKey>(key: Key): z.ZodType<Settings[Key]> => KEYS[key].schema();

/** The variable that sets a key: `index.max_file_size` is `CRA_INDEX_MAX_FILE_SIZE`. */
export const variableOf = (key: ConfigKey): string => `CRA_${key.replaceAll(".", "_").toUpperCase()}`;

/** The settings with these values, and defaults for other keys. Throws a `ZodError` for a wrong value. */
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
