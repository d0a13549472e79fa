/**
 * The call that gives a refined package at once: the task with all that was asked of it, round after round.
 *
 * Pure. Options are named where they differ from the settings that such a call would find. Not here: quoting for a shell.
 */
import { display } from "../text/display.ts";
import { type Constraints, REFINEMENT_FLAGS, REFINEMENT_LISTS } from "./refinement.ts";
import type { SelectingSettings, StoredOptions } from "./stored-options.ts";

/**
 * `words` follow `cra retrieve`, the task last; it is "-" where the text is to be piped in, since it does not fit on a
 * line. `unsaid` are settings that no option can set so.
 */
export type Reproduction = { readonly words: readonly string[]; readonly unsaid: readonly string[] };

/** A longer task is piped in. */
const TASK_CHARS_MAX = 200;

/** How each setting is typed; what is left out is said by another one. */
const SETTING_FLAGS: readonly (readonly [key: keyof SelectingSettings, flag: string])[] = [
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
  ["model", "--model"],
  ["llm_assist", "--llm-assist"],
];

/** `found` are the settings that a call in the same place finds; both budgets are in tokens. `sameTemplate`: it finds the run's. */
export function reproductionOf(
  task: string,
  { settings, hintPaths, hintSymbols }: Omit<StoredOptions, "template" | "constraints">,
  constraints: Constraints,
  found: SelectingSettings,
  sameTemplate: boolean,
): Reproduction {
  const unsaid: string[] = sameTemplate ? [] : ["template"];
  const words: string[] = [];
  for (const [key, flag] of SETTING_FLAGS) {
    const [value, other] = [settings[key], found[key]];
    if (JSON.stringify(value) === JSON.stringify(other)) continue;
    const typed = typedAs(key, value);
    // An exact tokenizer has no margin, and needs none.
    if (typed === null && key !== "safety_margin") unsaid.push(key);
    else if (value === true) words.push(flag);
    else for (const text of typed ?? []) words.push(...option(flag, text));
  }
  for (const path of hintPaths) words.push(...option("--hint-path", path));
  for (const name of hintSymbols) words.push(...option("--hint-symbol", name));
  for (const list of REFINEMENT_LISTS)
    for (const text of constraints[list]) words.push(...option(REFINEMENT_FLAGS[list], text));
  const fits = task.length <= TASK_CHARS_MAX && task !== "-" && display(task) === task;
  return { words: [...words, ...(fits ? [...(task.startsWith("-") ? ["--"] : []), task] : ["-"])], unsaid };
}

/** The values after the flag, one for each time it is given; null when nothing that can be typed says it. */
function typedAs(
  key: keyof SelectingSettings,
  value: SelectingSettings[keyof SelectingSettings],
): readonly string[] | null {
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
