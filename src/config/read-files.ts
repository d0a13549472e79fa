/**
 * Reads configuration files: thin, bounded, suspicious.
 *
 * A file that is not there is an empty layer. A repository's file must be a regular file and not a
 * link; the user's own may be a link. Opening never blocks (a FIFO is refused, not waited for).
 * `--budget-config` is JSON of three keys. Not here: what keys mean, which layer wins.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { Failed } from "../failure.ts";
import { systemErrorWords } from "../text/system-errors.ts";
import { suggestion } from "./did-you-mean.ts";
import { type ConfigKey, keyFacts } from "./keys.ts";
import { type Entry, fileLayer, type Layer } from "./settings.ts";

/** Far above any real configuration, far below anything that costs time to parse. */
export const CONFIG_BYTES_MAX = 64 * 1024;

/** Where the user's own configuration is: `$XDG_CONFIG_HOME/cra/config.toml`; null without a home folder. */
export function userConfigPath(environment: Readonly<Record<string, string | undefined>>): string | null {
  const { XDG_CONFIG_HOME: xdg, HOME: home } = environment;
  // The base-directory specification says to ignore relative values.
  if (xdg?.startsWith("/")) return join(xdg, "cra", "config.toml");
  return home ? join(home, ".config", "cra", "config.toml") : null;
}

export const repositoryConfigPath = (root: string): string => join(root, ".cra.toml");

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
    context_window: z.int().min(1).max(10_000_000),
    reserved_tokens: z.int().min(0).max(10_000_000),
    safety_margin: z.number().min(0).max(0.5).optional(),
  })
  .refine(({ context_window, reserved_tokens }) => reserved_tokens < context_window, {
    path: ["reserved_tokens"],
    message: "must be less than context_window",
  });

/** The entries of a `--budget-config` file. Throws a config failure that names the key. */
export function readBudgetFile(path: string): ReadonlyMap<ConfigKey, Entry> {
  const text = readBounded(path, true, CONFIG_BYTES_MAX);
  if (text === null) throw new Failed({ code: "config", where: path, message: "no such file" });
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
    const next = suggestion(key, ["context_window", "reserved_tokens", "safety_margin"]);
    return { message: `unknown key ${JSON.stringify(key.slice(0, 60))}`, ...(next === undefined ? {} : { next }) };
  }
  const key = issue?.path.join(".") ?? "";
  if (issue?.code === "custom") return { message: `${key} ${issue.message}` };
  if (key === "") return { message: "is not a JSON object" };
  return {
    message: `${key} must be ${key === "safety_margin" ? "a number from 0 to 0.5" : "a whole number of tokens"}`,
  };
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

/** Paths in the user's file are relative to that file. */
function pathsFrom(folder: string, entries: ReadonlyMap<ConfigKey, Entry>): ReadonlyMap<ConfigKey, Entry> {
  const moved = new Map(entries);
  for (const [key, entry] of entries) {
    if (keyFacts(key).isPath && typeof entry.value === "string")
      moved.set(key, { ...entry, value: resolve(folder, entry.value) });
  }
  return moved;
}

/**
 * The text of a regular file of UTF-8 of at most `bytesMax` bytes; null when there is none. Throws a
 * config failure for everything else that is there.
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
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const isLink = code === "ELOOP" && !mayBeLink;
    throw notUsable(path, isLink ? "is a symbolic link" : `cannot be read: ${systemErrorWords(error)}`, error);
  }
}

const notUsable = (path: string, message: string, cause?: unknown) =>
  new Failed({ code: "config", where: path, message }, { cause });
