/**
 * Builds the `cra retrieve` command that produces a refined package in one run, with everything that the rounds requested.
 *
 * It names only the options that differ from the settings in force where the command runs.
 */
import type { Settings } from "../../config/keys.ts";
import { display } from "../../text/display.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { Reviewed } from "../model/review.ts";
import type { SelectingSettings, StoredOptions } from "../record/stored-options.ts";
import { changesTask, isChangesTask } from "../requests/changes-task.ts";
import { type Constraints, REFINEMENT_FLAGS, REFINEMENT_LISTS } from "../requests/refinement.ts";

/**
 * `words` follow `cra retrieve`, the task last; it is "-" when the text must be piped in because it does not fit on a
 * line, and missing when the changes under review are the task. `unsupported` are the settings that no option can express.
 */
export type Reproduction = { readonly words: readonly string[]; readonly unsupported: readonly string[] };

/** A longer task is piped in. */
const TASK_CHARS_MAX = 200;

/**
 * The settings of the command. `format` and `allow_secrets` say how the package is printed, `base_url` and `allow_remote_llm` where its
 * model is.
 */
export type ReproducedSettings = SelectingSettings &
  Pick<Settings, "base_url" | "allow_remote_llm" | "format" | "allow_secrets">;

/** The settings in force, and the keys of those given as options, which another command would not have. */
export type FoundSettings = { readonly settings: ReproducedSettings; readonly typed: ReadonlySet<string> };

/** The settings that the budget in tokens covers. */
type Covered = "context_window" | "reserved_tokens";

/** The option of each setting, in the order of the command; null where there is none. */
const SETTING_FLAGS: Readonly<Record<Exclude<keyof ReproducedSettings, Covered>, string | null>> = {
  budget: "--budget",
  max_lines: "--max-lines",
  coverage: "--coverage",
  tokenizer: "--tokenizer",
  safety_margin: "--safety-margin",
  scope_size: "--scope-size",
  depth: "--depth",
  stages: "--stages",
  weights: "--weights",
  include: "--include",
  exclude: "--exclude",
  hint_language: "--hint-language",
  for: "--for",
  "workspace.repos": "--repos",
  reasons: "--no-reasons",
  with_memory: "--with-memory",
  format: "--format",
  allow_secrets: "--allow-secrets",
  model: "--model",
  llm_assist: "--llm-assist",
  base_url: "--base-url",
  allow_remote_llm: "--allow-remote-llm",
  "llm.context_window": null,
};
const isReproduced = (key: string): key is keyof typeof SETTING_FLAGS => Object.hasOwn(SETTING_FLAGS, key);
const REPRODUCED = Object.keys(SETTING_FLAGS).filter(isReproduced);

/** Settings that matter only to a run with a model. */
const MODEL_SETTINGS: ReadonlySet<string> = new Set([
  "llm_assist",
  "base_url",
  "allow_remote_llm",
  "llm.context_window",
]);

/** `found` is what the command finds where it runs; both budgets are in tokens. `sameTemplate`: it finds the run's template. */
export function reproductionOf(
  task: string,
  {
    settings,
    hintPaths,
    hintSymbols,
    only = [],
    keepShown = null,
    reviewed,
  }: Pick<StoredOptions, "hintPaths" | "hintSymbols"> &
    Partial<Pick<StoredOptions, "only" | "keepShown">> & {
      readonly settings: ReproducedSettings;
      readonly reviewed?: Reviewed | undefined;
    },
  constraints: Constraints,
  found: FoundSettings,
  sameTemplate: boolean,
): Reproduction {
  const unsupported: string[] = sameTemplate ? [] : ["template"];
  const words: string[] = [];
  for (const key of REPRODUCED) {
    const flag = SETTING_FLAGS[key];
    if (MODEL_SETTINGS.has(key) && settings.model === null) continue;
    const [value, other] = [settings[key], found.settings[key]];
    const isSame = JSON.stringify(value) === JSON.stringify(other);
    if (isSame && !wasTyped(key, found.typed)) continue;
    const values = flag === null ? null : optionValues(key, value);
    if (key === "reasons" && value === false) {
      words.push("--no-reasons");
      continue;
    }
    // An exact tokenizer needs no safety margin; a permission does not change the result.
    if (flag === null || values === null) {
      if (!isSame && key !== "safety_margin" && key !== "allow_remote_llm") unsupported.push(key);
    } else if (value === true) words.push(flag);
    else for (const text of values) words.push(...option(flag, text));
  }
  for (const path of only) words.push(...option("--only", path));
  for (const path of hintPaths) words.push(...option("--hint-path", path));
  for (const name of hintSymbols) words.push(...option("--hint-symbol", name));
  if (keepShown !== null) words.push("--keep-shown", keepShown);
  if (reviewed !== undefined) words.push(...comparison(reviewed));
  for (const list of REFINEMENT_LISTS)
    for (const text of constraints[list]) words.push(...option(REFINEMENT_FLAGS[list], text));
  if (reviewed !== undefined && isMadeOf(task, constraints.changed)) return { words, unsupported };
  const fits = task.length <= TASK_CHARS_MAX && task !== "-" && display(task) === task;
  return { words: [...words, ...(fits ? [...(task.startsWith("-") ? ["--"] : []), task] : ["-"])], unsupported };
}

const comparison = ({ base, tip, uncommitted }: Reviewed): readonly string[] =>
  uncommitted ? ["--diff", base] : ["--since", tip === undefined ? base : `${base}..${tip}`];

/** Whether the command makes this task itself, from what it finds changed. */
function isMadeOf(task: string, changed: readonly string[]): boolean {
  const parts = (text: string): string => text.split("\n").map(partsOfLine).toSorted().join("\n");
  return isChangesTask(task) && parts(task) === parts(changesTask(changed, () => false));
}

/** The names of a line, in one order. */
const partsOfLine = (line: string): string => line.split(/: |, /).toSorted().join(", ");

/** A budget can be given as a context window. */
const wasTyped = (key: string, typed: ReadonlySet<string>): boolean =>
  typed.has(key) || (key === "budget" && typed.has("context_window"));

/** The values of the option, one for each time it is given; null when it cannot express the value. */
function optionValues(
  key: keyof ReproducedSettings,
  value: ReproducedSettings[keyof ReproducedSettings],
): readonly string[] | null {
  if (key === "model") return [String(value ?? "none")];
  if (value === null || value === false || key === "reasons") return null;
  if (typeof value !== "object") return [String(value)];
  const texts = listed(value);
  if (texts.length === 0) return null;
  if (key === "stages" || key === "workspace.repos") return [texts.join(",")];
  return Array.isArray(value) ? texts : [texts.join(",")];
}

const listed = (value: object): readonly string[] =>
  Array.isArray(value) ? value.map(String) : Object.entries(value).map(([name, weight]) => `${name}=${weight}`);

/** `=` keeps a value that begins with a dash from being read as an option. */
const option = (flag: string, value: string): readonly string[] =>
  value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];

/** A word that needs no quotes although it begins with a dash. */
const FLAG = /^--?[a-z-]*$/;

/** The command as a line for a shell. `location` are the options that say where the repository and its data are. */
export function shellCommand(location: readonly string[], { words }: Pick<Reproduction, "words">): string {
  const quoted = ["cra", "retrieve", ...location, ...words].map((word) => (FLAG.test(word) ? word : shellWord(word)));
  return `${quoted.join(" ")}${words.at(-1) === "-" ? " < TASK" : ""}`;
}
