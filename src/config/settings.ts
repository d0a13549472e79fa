/**
 * Merges layers of settings, each value with its origin.
 *
 * From strongest to weakest: flags, `CRA_*` variables, the repository's `.cra.toml`, the user's `config.toml`, defaults. A
 * layer is checked as a whole first, so an error names the file, variable or flag. `budget`, and `context_window` with
 * `reserved_tokens`, are one choice: the strongest layer with either of them decides.
 */

import { Failed } from "../failure.ts";
import { suggestion } from "./did-you-mean.ts";
import {
  CONFIG_KEYS,
  type ConfigKey,
  DEFAULT_SETTINGS,
  isConfigKey,
  keyFacts,
  keySchema,
  type Settings,
  settingsOf,
  variableOf,
} from "./keys.ts";
import { readNotation, readTomlValue } from "./parse-value.ts";
import type { Variables } from "./variables.ts";

type LayerKind = "flag" | "environment" | "repository" | "user" | "default";

/** A checked value and where it was written: a flag, a variable, a path, or "default". */
export type Entry = { readonly value: unknown; readonly where: string };
export type Layer = { readonly kind: LayerKind; readonly entries: ReadonlyMap<ConfigKey, Entry> };

/** The value of one key, its origin, and the values that it overrides in weaker layers, strongest first. */
export type Explained = {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly kind: LayerKind;
  readonly where: string;
  readonly hidden: readonly Entry[];
};
export type Config = { readonly settings: Settings; readonly explained: readonly Explained[] };

/** What was typed after a flag; a list for a repeatable flag. */
export type TypedFlag = { readonly flag: string; readonly typed: string | readonly string[] };

/** Flags as typed, by key. Throws a usage failure that names the flag. */
export function flagLayer(flags: ReadonlyMap<ConfigKey, TypedFlag>): Layer {
  const entries = new Map<ConfigKey, Entry>();
  for (const [key, { flag, typed }] of flags) {
    const value = typeof typed === "string" ? readNotation(keyFacts(key).notation, typed) : typed;
    const checked = keySchema(key).safeParse(value);
    if (!checked.success || value === null) {
      throw new Failed({ code: "usage", message: `${flag}: ${notExpected(key, typed)}`, ...nextFor(key, value) });
    }
    entries.set(key, { value: checked.data, where: flag });
  }
  return { kind: "flag", entries };
}

/** `CRA_*` variables that name a key; an empty one counts as unset. Throws a config failure that names the variable. */
export function environmentLayer(environment: Variables): Layer {
  const entries = new Map<ConfigKey, Entry>();
  for (const key of CONFIG_KEYS) {
    const name = variableOf(key);
    const text = environment[name];
    if (text === undefined || text === "") continue;
    entries.set(key, {
      value: checkedValue(key, readNotation(keyFacts(key).notation, text), text, name, ""),
      where: name,
    });
  }
  return { kind: "environment", entries };
}

/**
 * A parsed TOML document as a layer. Throws a config failure for unknown keys, wrong values and, in a repository's file, keys
 * that only the user may set.
 */
export function fileLayer(
  kind: "repository" | "user",
  path: string,
  document: Readonly<Record<string, unknown>>,
): Layer {
  const entries = new Map<ConfigKey, Entry>();
  for (const [name, raw] of flatten(document)) {
    if (!isConfigKey(name)) {
      const next = suggestion(name, CONFIG_KEYS) ?? "to list all keys: cra config";
      throw new Failed({ code: "config", where: path, message: `unknown key "${name}"`, next });
    }
    if (kind === "repository" && !keyFacts(name).fromRepository) {
      throw new Failed({
        code: "config",
        where: path,
        message: `"${name}" cannot be set by a repository`,
        next: `set it with a flag, ${variableOf(name)}, or in your own config.toml`,
      });
    }
    const value = readTomlValue(keyFacts(name).notation, raw);
    entries.set(name, { value: checkedValue(name, value, raw, path, `"${name}": `), where: path });
  }
  return { kind, entries };
}

/** Merges layers, strongest first. Throws a config failure when the parts of the budget contradict each other. */
export function mergeLayers(layers: readonly Layer[]): Config {
  const overridden = overriddenByBudget(layers);
  const explained = CONFIG_KEYS.map((key): Explained => {
    const set = layers.flatMap(({ kind, entries }) => {
      const entry = entries.get(key);
      return entry === undefined ? [] : [{ kind, ...entry }];
    });
    const fallback = { kind: "default" as const, value: DEFAULT_SETTINGS[key], where: "default" };
    if (overridden.has(key)) return { key, ...fallback, hidden: set.map(entryOf) };
    const [first = fallback, ...rest] = set;
    return { key, ...first, hidden: rest.map(entryOf) };
  });
  const settings = settingsOf(
    new Map(explained.flatMap(({ key, kind, value }) => (kind === "default" ? [] : [[key, value] as const]))),
  );
  checkWindow(settings, explained);
  return { settings, explained };
}

/** Token budget of the package, before any safety margin. At least 1. */
export function budgetTokens(settings: Pick<Settings, "budget" | "context_window" | "reserved_tokens">): number {
  const { budget, context_window, reserved_tokens } = settings;
  return context_window === null ? budget : context_window - (reserved_tokens ?? 0);
}

/** The file or variable that set the budget; null when it was typed or is the default. */
export function budgetSource({ explained }: Config, unit: "tokens" | "lines"): string | null {
  const keys: readonly ConfigKey[] = unit === "lines" ? ["max_lines"] : ["context_window", "budget"];
  const row = explained.find(({ key, kind }) => keys.includes(key) && kind !== "default");
  return row === undefined || row.kind === "flag" ? null : row.where;
}

const entryOf = ({ value, where }: Entry): Entry => ({ value, where });
const WINDOW_KEYS = ["context_window", "reserved_tokens"] as const;

/** The keys of the other form of the budget, once the strongest layer with a budget has chosen one. */
function overriddenByBudget(layers: readonly Layer[]): ReadonlySet<ConfigKey> {
  for (const { entries } of layers) {
    const budget = entries.get("budget");
    const window = WINDOW_KEYS.find((key) => entries.has(key));
    if (budget !== undefined && window !== undefined) {
      throw new Failed({
        code: "config",
        where: budget.where,
        message: `budget and ${window} exclude each other`,
        next: "set budget, or context_window with reserved_tokens",
      });
    }
    if (budget !== undefined) return new Set(WINDOW_KEYS);
    if (window !== undefined) return new Set(["budget"]);
  }
  return new Set();
}

function checkWindow({ context_window, reserved_tokens }: Settings, explained: readonly Explained[]): void {
  if (context_window === null && reserved_tokens === null) return;
  const whereOf = (key: ConfigKey) => explained.find((row) => row.key === key)?.where ?? "default";
  if (context_window === null || reserved_tokens === null) {
    const [given, missing] = context_window === null ? WINDOW_KEYS.toReversed() : WINDOW_KEYS;
    throw new Failed({
      code: "config",
      where: whereOf(given ?? "context_window"),
      message: `${given} needs ${missing} too`,
      next: "give both, or budget alone",
    });
  }
  if (reserved_tokens >= context_window) {
    throw new Failed({
      code: "config",
      where: whereOf("reserved_tokens"),
      message: `reserved_tokens (${reserved_tokens}) must be less than context_window (${context_window})`,
    });
  }
}

function checkedValue(key: ConfigKey, value: unknown, written: unknown, where: string, named: string): unknown {
  const checked = keySchema(key).safeParse(value);
  // TOML has no null, so null here is text that could not be read.
  if (checked.success && value !== null && value !== undefined) return checked.data;
  throw new Failed({ code: "config", where, message: `${named}${notExpected(key, written)}`, ...nextFor(key, value) });
}

const notExpected = (key: ConfigKey, written: unknown): string => `${shown(written)} is not ${keyFacts(key).expects}`;

/** A value for an error, on one line of at most 60 characters. */
function shown(value: unknown): string {
  // JSON has neither big nor infinite numbers.
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const text = isNumber ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Advice when a value nearly matches a known word of the key. */
function nextFor(key: ConfigKey, value: unknown): { readonly next?: string } {
  const { words = [], notation } = keyFacts(key);
  if (notation === "weights" && typeof value === "string" && value.includes("="))
    return { next: "a file has a table instead, such as weights = { mention = 2 }" };
  for (const typed of wordsOf(value)) {
    if (words.length === 0 || words.includes(typed) || keySchema(key).safeParse([typed]).success) continue;
    const next = suggestion(typed, words);
    // The error already lists the words, except for `weights`, which has many.
    if (next !== undefined && (next.startsWith("did") || notation === "weights")) return { next };
  }
  return {};
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/**
 * Tables one level deep become dotted names, except where a key's value is itself a table (`weights`). An empty table that no key is
 * in stays, to be refused as one with entries is.
 */
function flatten(document: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(document).flatMap(([name, value]) => {
    if (!isTable(value) || isConfigKey(name)) return [[name, value] as const];
    const inside = Object.entries(value).map(([inner, innerValue]) => [`${name}.${inner}`, innerValue] as const);
    const isKnown = inside.length > 0 || CONFIG_KEYS.some((key) => key.startsWith(`${name}.`));
    return isKnown ? inside : [[name, value] as const];
  });
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
