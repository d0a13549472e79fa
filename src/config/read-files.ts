/**
 * Reads configuration files with care: bounded, and never blocking (a FIFO is refused, not waited for).
 *
 * A missing file is an empty layer. A repository's file must be a regular file, not a link; the user's own may be a link.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { Failed } from "../failure.ts";
import { errorCode, systemErrorWords } from "../text/system-errors.ts";
import { suggestion } from "./did-you-mean.ts";
import { TOKENS_MAX } from "./key-kinds.ts";
import { type ConfigKey, keyFacts } from "./keys.ts";
import { type Config, type Entry, environmentLayer, fileLayer, type Layer, mergeLayers } from "./settings.ts";
import type { Variables } from "./variables.ts";

/** Far above any real configuration, and quick to parse. */
export const CONFIG_BYTES_MAX = 64 * 1024;

type ConfigSources = {
  /** Typed values, strongest first. */
  readonly flags: readonly Layer[];
  readonly variables: Variables;
  /** The repository's root; null outside of a repository. */
  readonly root: string | null;
  /** The text of the repository's file, where its root is not here. */
  readonly repositoryText?: string | null;
  /** The current folder, which paths in variables are relative to; without it they stay as they are written. */
  readonly cwd?: string;
};

/** Reads and merges all layers of the settings. Throws a config failure that names the file, variable or flag. */
export function loadConfig({ flags, variables, root, repositoryText = null, cwd }: ConfigSources): Config {
  const set = environmentLayer(variables);
  const environment = cwd === undefined ? set : { ...set, entries: pathsFrom(cwd, set.entries) };
  const user = userConfigPath(variables);
  const files = [
    repositoryText === null ? null : fileLayer("repository", CONFIG_NAME, parsedToml(repositoryText, CONFIG_NAME)),
    root === null ? null : readConfigFile("repository", repositoryConfigPath(root)),
    user === null ? null : readConfigFile("user", user),
  ];
  return mergeLayers([...flags, environment, ...files.filter((layer) => layer !== null)]);
}

/** The user's own configuration, `$XDG_CONFIG_HOME/cra/config.toml`; null without a home folder. */
export function userConfigPath(environment: Variables): string | null {
  const { XDG_CONFIG_HOME: xdg, HOME: home } = environment;
  // The XDG specification says to ignore relative values.
  if (xdg?.startsWith("/")) return join(xdg, "cra", "config.toml");
  return home ? join(home, ".config", "cra", "config.toml") : null;
}

/** The file of a repository with its settings. */
export const CONFIG_NAME = ".cra.toml";

export const repositoryConfigPath = (root: string): string => join(root, CONFIG_NAME);

/** The layer of a TOML file, or null when there is no such file. Throws a config failure. */
export function readConfigFile(kind: "repository" | "user", path: string): Layer | null {
  const text = readBounded(path, kind === "user", CONFIG_BYTES_MAX);
  if (text === null) return null;
  const layer = fileLayer(kind, path, parsedToml(text, path));
  return kind === "user" ? { ...layer, entries: pathsFrom(dirname(path), layer.entries) } : layer;
}

/** What `--budget-config` may hold. */
export const BudgetFile = z
  .strictObject({
    context_window: z.int().min(1).max(TOKENS_MAX),
    reserved_tokens: z.int().min(0).max(TOKENS_MAX),
    safety_margin: z.number().min(0).max(0.5).optional(),
  })
  .refine(({ context_window, reserved_tokens }) => reserved_tokens < context_window, {
    path: ["reserved_tokens"],
    message: "must be less than context_window",
  });

const BUDGET_KEYS = ["context_window", "reserved_tokens", "safety_margin"] as const satisfies readonly ConfigKey[];

/** The entries of a `--budget-config` file. Throws a config failure that names the key. */
export function readBudgetFile(path: string): ReadonlyMap<ConfigKey, Entry> {
  const text = readBounded(path, true, CONFIG_BYTES_MAX);
  if (text === null)
    throw new Failed({
      code: "config",
      where: path,
      message: "there is no such file",
      next: "correct --budget-config",
    });
  const checked = BudgetFile.safeParse(parsedJson(text, path));
  if (!checked.success) throw new Failed({ code: "config", where: path, ...budgetProblem(checked.error.issues[0]) });
  const { context_window, reserved_tokens, safety_margin } = checked.data;
  const entries = new Map<ConfigKey, Entry>([
    ["context_window", { value: context_window, where: path }],
    ["reserved_tokens", { value: reserved_tokens, where: path }],
  ]);
  return safety_margin === undefined ? entries : entries.set("safety_margin", { value: safety_margin, where: path });
}

function budgetProblem(issue: z.core.$ZodIssue | undefined): { readonly message: string; readonly next?: string } {
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const next = suggestion(key, BUDGET_KEYS);
    return { message: `unknown key ${JSON.stringify(key.slice(0, 60))}`, ...(next === undefined ? {} : { next }) };
  }
  const name = issue?.path.join(".") ?? "";
  if (issue?.code === "custom") return { message: `${name} ${issue.message}` };
  const key = BUDGET_KEYS.find((one) => one === name);
  return { message: key === undefined ? "is not a JSON object" : `${key} must be ${keyFacts(key).expects}` };
}

function parsedToml(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = "is not TOML"] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new Failed(
      { code: "config", where: `${path}:${error.line}:${error.column}`, message: first },
      { cause: error },
    );
  }
}

function parsedJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failed({ code: "config", where: path, message: "is not valid JSON" }, { cause: error });
  }
}

/** Paths in the user's file are relative to that file, those in variables to the current folder. */
function pathsFrom(folder: string, entries: ReadonlyMap<ConfigKey, Entry>): ReadonlyMap<ConfigKey, Entry> {
  const moved = new Map(entries);
  for (const [key, entry] of entries) {
    if (keyFacts(key).isPath && typeof entry.value === "string")
      moved.set(key, { ...entry, value: resolve(folder, entry.value) });
  }
  return moved;
}

/**
 * The text of a regular UTF-8 file of at most `bytesMax` bytes; null when there is no file. Throws a config failure for
 * anything else.
 */
export function readBounded(path: string, mayBeLink: boolean, bytesMax: number): string | null {
  const handle = openQuietly(path, mayBeLink);
  if (handle === null) return null;
  try {
    const found = fstatSync(handle);
    if (!found.isFile()) throw notUsable(path, "is not a regular file");
    if (found.size > bytesMax) throw notUsable(path, `is larger than ${bytesMax} bytes`);
    const bytes = new Uint8Array(found.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, null);
    }
    if (length > found.size) throw notUsable(path, "grew while it was read");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } catch (error) {
    if (error instanceof TypeError) throw notUsable(path, "is not UTF-8", error);
    throw error;
  } finally {
    closeSync(handle);
  }
}

function openQuietly(path: string, mayBeLink: boolean): number | null {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK | (mayBeLink ? 0 : O_NOFOLLOW));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    // HOME may name the folder of another user, which this one may not enter. Git reads nothing there either.
    if (code === "EACCES" && !canBeSeen(path)) return null;
    const isLink = code === "ELOOP" && !mayBeLink;
    throw notUsable(path, isLink ? "is a symbolic link" : `cannot be read: ${systemErrorWords(error)}`, error);
  }
}

function canBeSeen(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}

const notUsable = (path: string, message: string, cause?: unknown) =>
  new Failed({ code: "config", where: path, message }, { cause });
