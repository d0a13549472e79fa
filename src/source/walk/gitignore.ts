/**
 * Parses one ignore file and matches paths, exactly as git does.
 *
 * Follows gitignore(5) and git's `dir.c` byte for byte: paths and patterns are compared as UTF-8 bytes, held as one character per byte.
 * Names, extensions and whole paths are looked up; other patterns are tried in turn (`wildcard.ts`), as long as the budget lasts.
 */
import { nameOf } from "../../text/repo-path.ts";
import { COMPILE_STEPS, compileWildcard, type Wildcard } from "../files/wildcard.ts";
import type { MatchBudget } from "./match-budget.ts";

/** The verdict of the last matching line; null when none matches. */
export type Verdict = "ignored" | "kept" | null;

export type IgnoreFile = {
  /** Without patterns, like the `info/exclude` that git makes. */
  readonly isEmpty: boolean;
  /** `path` is relative to the folder of the ignore file, without a slash at either end. */
  verdict(path: string, isFolder: boolean): Verdict;
};

/** Whether a pattern matches. Null when the budget has run out. */
type Matches = (path: string, name: string) => boolean | null;

type Spend = (steps: number) => boolean;

/** `match` is a lookup key (see `keyOf`) or a matching function. */
type Pattern = { readonly kept: boolean; readonly foldersOnly: boolean; readonly match: string | Matches };

/**
 * Parses the ignore file of this name; every content is valid. `foldsCase` ignores the case of ASCII letters, as git's
 * `core.ignoreCase` does. Patterns with wildcards are left out where the budget has run out.
 */
export function parseIgnoreFile(
  bytes: Uint8Array,
  fileName: string,
  foldsCase: boolean,
  budget: MatchBudget,
): IgnoreFile {
  const spend = (steps: number): boolean => budget.spend(steps, fileName);
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const patterns = asBytes(marked ? bytes.subarray(3) : bytes)
    .split("\n")
    .map((line) => parsePattern(line, foldsCase, spend))
    .filter((pattern) => pattern !== null)
    .toReversed();
  const none = patterns.length;
  /** The first pattern of each key for files and for folders, the last names of those that are paths, and the patterns without a key. */
  const keyed = new Map<string, { readonly file: number; readonly folder: number }>();
  const lastNames = new Set<string>();
  const others: { readonly index: number; readonly foldersOnly: boolean; readonly matches: Matches }[] = [];
  for (const [index, { foldersOnly, match }] of patterns.entries()) {
    if (typeof match !== "string") others.push({ index, foldersOnly, matches: match });
    else {
      const first = keyed.get(match) ?? { file: none, folder: none };
      const file = foldersOnly ? first.file : Math.min(first.file, index);
      keyed.set(match, { file, folder: Math.min(first.folder, index) });
      if (match.startsWith("/")) lastNames.add(nameOf(match));
    }
  }
  const firstOf = (key: string, isFolder: boolean): number => keyed.get(key)?.[isFolder ? "folder" : "file"] ?? none;
  return {
    isEmpty: patterns.length === 0,
    verdict(path, isFolder) {
      spend(LOOKUP_STEPS);
      const written = isAscii(path) ? path : asBytes(Buffer.from(path, "utf8"));
      const bytePath = foldsCase ? lower(written) : written;
      const name = nameOf(bytePath);
      const dot = name.lastIndexOf(".");
      let best = firstOf(name, isFolder);
      if (dot >= 0) best = Math.min(best, firstOf(`*${name.slice(dot)}`, isFolder));
      if (lastNames.has(name)) best = Math.min(best, firstOf(`/${bytePath}`, isFolder));
      for (const { index, foldersOnly, matches } of others) {
        if (index >= best) break;
        const isMatch = isFolder || !foldersOnly ? matches(bytePath, name) : false;
        if (isMatch === null) break;
        if (isMatch) best = index;
      }
      const found = patterns[best];
      return found === undefined ? null : found.kept ? "kept" : "ignored";
    },
  };
}

/** No path is longer (PATH_MAX), so no useful pattern is. */
const PATTERN_BYTES_MAX = 4096;

/** What looking up a path takes, as it is done for every file above it. */
const LOOKUP_STEPS = 100;
/** What a pattern with wildcards takes in time and memory before it is matched. */
const PATTERN_STEPS = 2_000;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const lower = (bytes: string): string => bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
const asBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

function parsePattern(line: string, foldsCase: boolean, spend: Spend): Pattern | null {
  if (line.startsWith("#")) return null;
  // Git ends a line at a NUL.
  let text = trimTrailingSpaces((line.endsWith("\r") ? line.slice(0, -1) : line).split("\0", 1)[0] ?? "");
  const kept = text.startsWith("!");
  if (kept) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  if (text === "" || text.length > PATTERN_BYTES_MAX) return null;
  const match = keyOf(text, foldsCase) ?? (spend(PATTERN_STEPS) ? matcher(text, foldsCase, spend) : null);
  return match === null ? null : { kept, foldersOnly, match };
}

/** Removes trailing spaces, except those quoted by a backslash. */
function trimTrailingSpaces(line: string): string {
  let keptEnd = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") {
      at++;
      keptEnd = Math.min(at + 1, line.length);
    } else if (line[at] !== " ") keptEnd = at + 1;
  }
  return line.slice(0, keptEnd);
}

/** The key of a pattern of the form `name`, `*.extension` or `folder/name`, as most are; null for others. A path begins with a slash. */
function keyOf(text: string, foldsCase: boolean): string | null {
  const isPath = text.includes("/") && !GLOB.test(text);
  if (!isPath && (!/^(?:\*\.)?[^/*?[\\]+$/.test(text) || /^\*\..*\./.test(text))) return null;
  const key = isPath && !text.startsWith("/") ? `/${text}` : text;
  return foldsCase ? lower(key) : key;
}

/** The matching function of a pattern. Without a slash it tests the last name only. */
function matcher(written: string, foldsCase: boolean, spend: Spend): Matches {
  const text = foldsCase && !SETS.test(written) ? lower(written) : written;
  const isName = !text.includes("/");
  const pattern = text.startsWith("/") ? text.slice(1) : text;
  const [start, end] = [literalStart(pattern, foldsCase), literalEnd(pattern, foldsCase)];
  const part = literalPart(pattern, foldsCase);
  let wildcard: Wildcard | null = null;
  return (path, name) => {
    const tested = isName ? name : path;
    if (!tested.startsWith(start) || !tested.endsWith(end) || !tested.includes(part)) return spend(1) ? false : null;
    if (wildcard === null) {
      // Most patterns are never needed.
      if (!spend(pattern.length * COMPILE_STEPS)) return null;
      wildcard = compileWildcard(pattern, foldsCase);
    }
    return spend(1 + wildcard.cost(tested)) ? wildcard.matches(tested) : null;
  };
}

/** The literal prefix of every match, a fast test. */
function literalStart(text: string, foldsCase: boolean): string {
  const start = text.slice(0, text.search(GLOB));
  return foldsCase ? lower(start) : start;
}

/** The literal end of every match. A slash after `**` may be skipped with it. */
function literalEnd(text: string, foldsCase: boolean): string {
  let start = text.length;
  while (start > 0 && !ENDED_BY.has(text[start - 1] ?? "")) start--;
  const end = text.slice(start).replace(/^\//, "");
  return foldsCase ? lower(end) : end;
}

/** A literal that every match contains, like `.py` of `*.py[cod]`; the longest outside of sets. A slash after `**` may be skipped with it. */
function literalPart(text: string, foldsCase: boolean): string {
  if (text.includes("\\")) return "";
  const outside = text.includes("[")
    ? [text.slice(0, text.indexOf("[")), text.slice(text.lastIndexOf("]") + 1)]
    : [text];
  const literals = outside.flatMap((part) => part.split(/[*?]/)).map((part) => part.replace(/^\//, ""));
  const longest = literals.reduce((best, literal) => (literal.length > best.length ? literal : best), "");
  return foldsCase ? lower(longest) : longest;
}

const ENDED_BY: ReadonlySet<string> = new Set("*?[]\\");
const GLOB = /[*?[\\]/;
const SETS = /\[/;
