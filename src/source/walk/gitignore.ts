/**
 * Parses one ignore file and matches paths, exactly as git does.
 *
 * Follows gitignore(5) and git's `dir.c` and `wildmatch.c` byte for byte: paths and patterns are compared as UTF-8 bytes, held as one
 * character per byte. Matching follows all alternatives at once, so its time is bounded by pattern length times path length, even for a
 * hostile pattern such as `*a*a*a*a*b`.
 */
/** The verdict of the last matching line; null when none matches. */
export type Verdict = "ignored" | "kept" | null;

export type IgnoreFile = {
  /** `path` is relative to the folder of the ignore file, without a slash at either end. */
  verdict(path: string, isFolder: boolean): Verdict;
};

type Matches = (path: string, name: string) => boolean;

/** `match` is a lookup key (see `keyOf`) or a matching function. */
type Pattern = { readonly kept: boolean; readonly foldersOnly: boolean; readonly match: string | Matches };

/** Parses an ignore file; every content is valid. `foldsCase` ignores the case of ASCII letters, as git's `core.ignoreCase` does. */
export function parseIgnoreFile(bytes: Uint8Array, foldsCase = false): IgnoreFile {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const patterns = asBytes(marked ? bytes.subarray(3) : bytes)
    .split("\n")
    .map((line) => parsePattern(line, foldsCase))
    .filter((pattern) => pattern !== null)
    .toReversed();
  const none = patterns.length;
  /** The first pattern of each key for files and for folders, and the patterns without a key. */
  const keyed = new Map<string, { readonly file: number; readonly folder: number }>();
  const others: { readonly index: number; readonly foldersOnly: boolean; readonly matches: Matches }[] = [];
  for (const [index, { foldersOnly, match }] of patterns.entries()) {
    if (typeof match !== "string") others.push({ index, foldersOnly, matches: match });
    else {
      const first = keyed.get(match) ?? { file: none, folder: none };
      const file = foldersOnly ? first.file : Math.min(first.file, index);
      keyed.set(match, { file, folder: Math.min(first.folder, index) });
    }
  }
  const firstOf = (key: string, isFolder: boolean): number => keyed.get(key)?.[isFolder ? "folder" : "file"] ?? none;
  return {
    verdict(path, isFolder) {
      if (patterns.length === 0) return null;
      const written = isAscii(path) ? path : asBytes(Buffer.from(path, "utf8"));
      const bytePath = foldsCase ? lower(written) : written;
      const name = bytePath.slice(bytePath.lastIndexOf("/") + 1);
      const dot = name.lastIndexOf(".");
      let best = firstOf(name, isFolder);
      if (dot >= 0) best = Math.min(best, firstOf(`*${name.slice(dot)}`, isFolder));
      for (const { index, foldersOnly, matches } of others) {
        if (index >= best) break;
        if ((isFolder || !foldersOnly) && matches(bytePath, name)) best = index;
      }
      const found = patterns[best];
      return found === undefined ? null : found.kept ? "kept" : "ignored";
    },
  };
}

/** No path is longer (PATH_MAX), so no useful pattern is. */
const PATTERN_BYTES_MAX = 4096;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const lower = (bytes: string): string => bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
const asBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

function parsePattern(line: string, foldsCase: boolean): Pattern | null {
  if (line.startsWith("#")) return null;
  // Git ends a line at a NUL.
  let text = trimTrailingSpaces((line.endsWith("\r") ? line.slice(0, -1) : line).split("\0", 1)[0] ?? "");
  const kept = text.startsWith("!");
  if (kept) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  if (text === "" || text.length > PATTERN_BYTES_MAX) return null;
  return { kept, foldersOnly, match: keyOf(text, foldsCase) ?? matcher(text, foldsCase) };
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

/** The key of a pattern of the form `name` or `*.extension`, as most are; null for others. */
function keyOf(text: string, foldsCase: boolean): string | null {
  if (!/^(?:\*\.)?[^/*?[\\]+$/.test(text) || /^\*\..*\./.test(text)) return null;
  return foldsCase ? lower(text) : text;
}

/** The matching function of a pattern. Without a slash it tests the last name only. */
function matcher(written: string, foldsCase: boolean): Matches {
  const text = foldsCase && !SETS.test(written) ? lower(written) : written;
  if (!text.includes("/")) {
    const end = text.slice(1);
    if (text.startsWith("*") && !GLOB.test(end)) return (_path, name) => name.endsWith(end);
    const [start, machine] = [literalStart(text, foldsCase), compile(text, foldsCase)];
    return (_path, name) => name.startsWith(start) && fitsName(machine, name);
  }
  const anchored = text.startsWith("/") ? text.slice(1) : text;
  if (!GLOB.test(anchored)) return (path) => path === anchored;
  const [start, end] = [literalStart(anchored, foldsCase), literalEnd(anchored, foldsCase)];
  const machine = compile(anchored, foldsCase);
  return (path) => path.startsWith(start) && path.endsWith(end) && runs(machine, path);
}

/** The literal prefix of every match, a fast test. */
function literalStart(text: string, foldsCase: boolean): string {
  const start = text.slice(0, text.search(GLOB));
  return foldsCase ? lower(start) : start;
}

function literalEnd(text: string, foldsCase: boolean): string {
  // A slash after `**` may be skipped with it.
  const end = text.slice(text.search(/[^*?[\]\\]*$/)).replace(/^\//, "");
  return foldsCase ? lower(end) : end;
}

const GLOB = /[*?[\\]/;
const SETS = /\[/;

/** A state of the automaton: consumes one accepted byte, or any number for a star. `skipTo` is an alternative next state, after `**` and its slash. */
type Step = { readonly accepts: (byte: number) => boolean; readonly star: boolean; readonly skipTo: number | null };

const nothing = (): boolean => false;
const NEVER: Step = { accepts: nothing, star: false, skipTo: null };
const SLASH = 0x2f;
const notSlash = (byte: number): boolean => byte !== SLASH;
const anyByte = (): boolean => true;

function compile(text: string, foldsCase: boolean): readonly Step[] {
  const steps: Step[] = [];
  // Git compares the literal start of a pattern first and matches the rest as if it began there: so in
  // `a**/b` the two stars cross folders, although its manual says otherwise.
  const prefixEnd = text.search(GLOB);
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === "*") {
      let after = at;
      while (text[after] === "*") after++;
      const wholeSegment =
        after - at > 1 &&
        (at === prefixEnd || text[at - 1] === "/") &&
        (after === text.length || text[after] === "/" || text.startsWith("\\/", after));
      // A fork: match folders with the star and its slash, or skip both.
      if (wholeSegment && text[after] === "/") steps.push({ accepts: nothing, star: true, skipTo: steps.length + 3 });
      steps.push({ accepts: wholeSegment ? anyByte : notSlash, star: true, skipTo: null });
      at = after;
    } else if (character === "?") {
      steps.push({ accepts: notSlash, star: false, skipTo: null });
      at++;
    } else if (character === "[") {
      const set = parseSet(text, at, foldsCase);
      if (set === null) return [NEVER];
      steps.push({ accepts: set.accepts, star: false, skipTo: null });
      at = set.end;
    } else {
      if (character === "\\") at++;
      if (at >= text.length) return [NEVER];
      const wanted = (foldsCase ? lower(text[at] ?? "") : text).charCodeAt(foldsCase ? 0 : at);
      steps.push({ accepts: (byte) => byte === wanted, star: false, skipTo: null });
      at++;
    }
  }
  return steps;
}

/** Matches a name. Without slashes a star matches anything, so only the last star ever needs to backtrack. */
function fitsName(steps: readonly Step[], name: string): boolean {
  // Most names fail on the part after the last star.
  for (let back = 1; back <= name.length; back++) {
    const step = steps[steps.length - back];
    if (step === undefined || step.star) break;
    if (!step.accepts(name.charCodeAt(name.length - back))) return false;
  }
  let [position, at, star, taken] = [0, 0, -1, 0];
  while (at < name.length) {
    const step = steps[position];
    if (step?.star) {
      [star, taken] = [position, at];
      position += 1;
    } else if (step?.accepts(name.charCodeAt(at))) {
      position += 1;
      at += 1;
    } else if (star >= 0) {
      taken += 1;
      [position, at] = [star + 1, taken];
    } else return false;
  }
  while (steps[position]?.star) position += 1;
  return position === steps.length;
}

/** Runs the automaton on all alternatives at once; its states are positions in `steps`. */
function runs(steps: readonly Step[], text: string): boolean {
  let states = enter(new Set(), steps, 0);
  for (let at = 0; at < text.length && states.size > 0; at++) {
    const byte = text.charCodeAt(at);
    const next = new Set<number>();
    for (const position of states) {
      const step = steps[position];
      if (step?.accepts(byte)) enter(next, steps, step.star ? position : position + 1);
    }
    states = next;
  }
  return states.has(steps.length);
}

function enter(states: Set<number>, steps: readonly Step[], position: number): Set<number> {
  if (states.has(position)) return states;
  states.add(position);
  const step = steps[position];
  if (step?.star) enter(states, steps, position + 1);
  if (step?.skipTo != null) enter(states, steps, step.skipTo);
  return states;
}

/** POSIX character classes in the C locale. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[A-Za-z0-9]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /[\0-\x1f\x7f]/],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t\n\v\f\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[A-Fa-f0-9]/],
]);

const upper = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);

/** Parses a bracket expression; null when malformed, and then the pattern matches nothing. */
function parseSet(
  text: string,
  start: number,
  foldsCase: boolean,
): { readonly accepts: Step["accepts"]; readonly end: number } | null {
  // With folded case, paths are in lower case, and ranges and classes (but not single letters) also test the upper case.
  const folded =
    (test: (byte: number) => boolean) =>
    (byte: number): boolean =>
      test(byte) || (foldsCase && test(upper(byte)));
  const tests: ((byte: number) => boolean)[] = [];
  let at = start + 1;
  const negated = text[at] === "!" || text[at] === "^";
  if (negated) at++;
  let previous = -1;
  let first = true;
  for (; first || text[at] !== "]"; at++, first = false) {
    if (at >= text.length) return null;
    if (text[at] === "-" && previous >= 0 && at + 1 < text.length && text[at + 1] !== "]") {
      at += text[at + 1] === "\\" ? 2 : 1;
      if (at >= text.length) return null;
      const [low, high] = [previous, text.charCodeAt(at)];
      tests.push(folded((byte) => byte >= low && byte <= high));
      previous = -1;
      continue;
    }
    if (text[at] === "[" && text[at + 1] === ":") {
      const close = text.indexOf("]", at + 2);
      if (close < 0) return null;
      if (close > at + 2 && text[close - 1] === ":") {
        const named = CLASSES.get(text.slice(at + 2, close - 1));
        if (named === undefined) return null;
        tests.push(folded((byte) => named.test(String.fromCharCode(byte))));
        at = close;
        previous = -1;
        continue;
      }
    } else if (text[at] === "\\" && ++at >= text.length) return null;
    const wanted = text.charCodeAt(at);
    tests.push((byte) => byte === wanted);
    previous = wanted;
  }
  return { accepts: (byte) => byte !== SLASH && tests.some((test) => test(byte)) !== negated, end: at + 1 };
}
