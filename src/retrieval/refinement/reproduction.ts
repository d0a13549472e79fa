/**
 * The `cra retrieve` call that gives a refined package at once: the task with everything that its rounds requested.
 *
 * It names the options that differ from the settings such a call would find.
 */
import type { Settings } from "../../config/keys.ts";
import { display } from "../../text/display.ts";
import { shellWord } from "../../text/shell-word.ts";
import { type Constraints, REFINEMENT_FLAGS, REFINEMENT_LISTS } from "../model/refinement.ts";
import type { SelectingSettings, StoredOptions } from "../record/stored-options.ts";

/**
 * `words` follow `cra retrieve`, the task last; it is "-" where the text is to be piped in, since it does not fit on a
 * line. `unsaid` are settings that no option can set so.
 */
export type Reproduction = { readonly words: readonly string[]; readonly unsaid: readonly string[] };

/** A longer task is piped in. */
const TASK_CHARS_MAX = 200;

/** The settings that the call must have; `base_url` and `allow_remote_llm` only say where its model is. */
export type ReproducedSettings = SelectingSettings & Pick<Settings, "base_url" | "allow_remote_llm">;

/** The settings in force in a place, and the keys of those that were typed: another call there has them not. */
export type FoundSettings = { readonly settings: ReproducedSettings; readonly typed: ReadonlySet<string> };

/** How each setting is typed, null where it cannot be; what is left out is said by another one. */
const SETTING_FLAGS: readonly (readonly [key: keyof ReproducedSettings, flag: string | null])[] = [
  ["budget", "--budget"],
  ["max_lines", "--max-lines"],
  ["tokenizer", "--tokenizer"],
  ["safety_margin", "--safety-margin"],
  ["scope_size", "--scope-size"],
  ["depth", "--depth"],
  ["stages", "--stages"],
  ["weights", "--weights"],
  ["include", "--include"],
  ["exclude", "--exclude"],
  ["hint_language", "--hint-language"],
  ["with_memory", "--with-memory"],
  ["model", "--model"],
  ["llm_assist", "--llm-assist"],
  ["base_url", "--base-url"],
  ["allow_remote_llm", "--allow-remote-llm"],
  ["llm.context_window", null],
];

/** What only matters to a run that asks a model. */
const OF_MODELS: ReadonlySet<string> = new Set(["llm_assist", "base_url", "allow_remote_llm", "llm.context_window"]);

/** `found` is what a call in the same place finds; both budgets are in tokens. `sameTemplate`: it finds the run's. */
export function reproductionOf(
  task: string,
  {
    settings,
    hintPaths,
    hintSymbols,
    only = [],
  }: Pick<StoredOptions, "hintPaths" | "hintSymbols"> &
    Partial<Pick<StoredOptions, "only">> & { readonly settings: ReproducedSettings },
  constraints: Constraints,
  found: FoundSettings,
  sameTemplate: boolean,
): Reproduction {
  const unsaid: string[] = sameTemplate ? [] : ["template"];
  const words: string[] = [];
  for (const [key, flag] of SETTING_FLAGS) {
    if (OF_MODELS.has(key) && settings.model === null) continue;
    const [value, other] = [settings[key], found.settings[key]];
    const isSame = JSON.stringify(value) === JSON.stringify(other);
    if (isSame && !wasTyped(key, found.typed)) continue;
    const typed = flag === null ? null : typedAs(key, value);
    // An exact tokenizer has no margin, and needs none; a permission is no setting of the run.
    if (flag === null || typed === null) {
      if (!isSame && key !== "safety_margin" && key !== "allow_remote_llm") unsaid.push(key);
    } else if (value === true) words.push(flag);
    else for (const text of typed) words.push(...option(flag, text));
  }
  for (const path of only) words.push(...option("--only", path));
  for (const path of hintPaths) words.push(...option("--hint-path", path));
  for (const name of hintSymbols) words.push(...option("--hint-symbol", name));
  for (const list of REFINEMENT_LISTS)
    for (const text of constraints[list]) words.push(...option(REFINEMENT_FLAGS[list], text));
  const fits = task.length <= TASK_CHARS_MAX && task !== "-" && display(task) === task;
  return { words: [...words, ...(fits ? [...(task.startsWith("-") ? ["--"] : []), task] : ["-"])], unsaid };
}

/** A budget can be typed as what is left of a window. */
const wasTyped = (key: string, typed: ReadonlySet<string>): boolean =>
  typed.has(key) || (key === "budget" && typed.has("context_window"));

/** The values after the flag, one for each time it is given; null when nothing that can be typed says it. */
function typedAs(
  key: keyof ReproducedSettings,
  value: ReproducedSettings[keyof ReproducedSettings],
): readonly string[] | null {
  if (key === "model") return [String(value ?? "none")];
  if (value === null || value === false) return null;
  if (typeof value !== "object") return [String(value)];
  if (key === "stages") return [listed(value).join(",")];
  const texts = listed(value);
  if (texts.length === 0) return null;
  return Array.isArray(value) ? texts : [texts.join(",")];
}

const listed = (value: object): readonly string[] =>
  Array.isArray(value) ? value.map(String) : Object.entries(value).map(([name, weight]) => `${name}=${weight}`);

/** A value that begins with a dash is not mistaken for a flag. */
const option = (flag: string, value: string): readonly string[] =>
  value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];

/** Needs no quotes, although it begins with a dash. */
const FLAG = /^--?[a-z-]*$/;

/** The call as a line for a shell. `place` are the words that say where the repository and its data are. */
export function shellCommand(place: readonly string[], { words }: Pick<Reproduction, "words">): string {
  const quoted = ["cra", "retrieve", ...place, ...words].map((word) => (FLAG.test(word) ? word : shellWord(word)));
  return `${quoted.join(" ")}${words.at(-1) === "-" ? " < TASK" : ""}`;
}
