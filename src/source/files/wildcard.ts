/**
 * Compiles one pattern with wildcards and matches it against bytes, as git's `wildmatch.c` does.
 *
 * The pattern is an automaton whose states are bits: each byte of the text moves all of them at once, 32 in a step. So the time is at most
 * pattern length times text length / 32, even for `*a*a*a*a*b`. Patterns and texts hold one character per byte.
 */

/** `cost` is how many steps `matches` takes for a text (`match-budget.ts`). */
export type Wildcard = { cost(text: string): number; matches(text: string): boolean };

/** What compiling takes for each byte of a pattern. */
export const COMPILE_STEPS = 128;

/** Consumes one accepted byte, or any number for a star. `isGroup`: a star over folders that may be left out together with the next slash. */
type Step = { readonly accepts: Accepts; readonly star: boolean; readonly isGroup: boolean };
/** One byte, every byte but a slash, every byte, or a set with one entry per byte. */
type Accepts = number | "name" | "any" | Uint8Array;

const SLASH = 0x2f;
const BYTES = 256;
const GLOB = /[*?[\\]/;

/** `text` is a pattern, in lower case if `foldsCase` and it has no set. A malformed one matches nothing. */
export function compileWildcard(text: string, foldsCase: boolean): Wildcard {
  const steps = stepsOf(text, foldsCase);
  if (steps === null) return { cost: () => 0, matches: () => false };
  const machine = machineOf(steps);
  const needed = steps.filter(({ star }, at) => !star && steps[at - 1]?.isGroup !== true).length;
  return {
    cost: ({ length }) => (length < needed ? 0 : length * machine.stars.length),
    matches: (candidate) => candidate.length >= needed && runs(machine, candidate),
  };
}

function stepsOf(text: string, foldsCase: boolean): readonly Step[] | null {
  const steps: Step[] = [];
  const add = (accepts: Accepts, star = false, isGroup = false): void => void steps.push({ accepts, star, isGroup });
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
      const isGroup = wholeSegment && text[after] === "/";
      // Two groups in a row match what one does.
      if (isGroup && steps.at(-2)?.isGroup === true) after++;
      else add(wholeSegment ? "any" : "name", true, isGroup);
      at = after;
    } else if (character === "?") {
      add("name");
      at++;
    } else if (character === "[") {
      const set = parseSet(text, at, foldsCase);
      if (set === null) return null;
      add(set.accepts);
      at = set.end;
    } else {
      const isEscaped = character === "\\";
      if (isEscaped) at++;
      if (at >= text.length) return null;
      const byte = text.charCodeAt(at);
      // Git compares an escaped letter as it is, with a text in lower case.
      add(foldsCase && !isEscaped ? lower(byte) : byte);
      at++;
    }
  }
  return steps;
}

/** Bits by word: `accepts` holds the words of each class of bytes, one after the other. */
type Machine = {
  readonly end: number;
  readonly classOf: Uint8Array;
  readonly accepts: Uint32Array;
  readonly stars: Uint32Array;
  readonly groups: Uint32Array;
};

function machineOf(steps: readonly Step[]): Machine {
  const words = (steps.length >> 5) + 1;
  const [stars, groups] = [new Uint32Array(words), new Uint32Array(words)];
  const set = (bits: Uint32Array, from: number, at: number): void => {
    bits[from + (at >> 5)] = (bits[from + (at >> 5)] ?? 0) | (1 << (at & 31));
  };
  for (const [at, step] of steps.entries()) {
    if (step.star) set(stars, 0, at);
    if (step.isGroup) set(groups, 0, at);
  }
  const { classOf, members } = classesOf(steps);
  const accepts = new Uint32Array(members.length * words);
  for (const [number, byte] of members.entries())
    for (const [at, step] of steps.entries()) if (accepted(step.accepts, byte)) set(accepts, number * words, at);
  return { end: steps.length, classOf, accepts, stars, groups };
}

function accepted(accepts: Accepts, byte: number): boolean {
  if (accepts === "any") return true;
  if (accepts === "name") return byte !== SLASH;
  return typeof accepts === "number" ? accepts === byte : accepts[byte] === 1;
}

/** Bytes that no step tells apart are one class; `members` has one byte of each. */
function classesOf(steps: readonly Step[]): { readonly classOf: Uint8Array; readonly members: readonly number[] } {
  const sets = new Set(steps.flatMap(({ accepts }) => (accepts instanceof Uint8Array ? [accepts] : [])));
  const alone = new Set(steps.flatMap(({ accepts }) => (typeof accepts === "number" ? [accepts] : [])));
  const numbers = new Map<string, number>();
  const classOf = new Uint8Array(BYTES);
  const members: number[] = [];
  for (let byte = 0; byte < BYTES; byte++) {
    const own = alone.has(byte) || byte === SLASH ? String(byte) : "";
    let key = own;
    if (own === "") for (const set of sets) key += set[byte] === 1 ? "+" : "-";
    const number = numbers.get(key) ?? members.length;
    if (number === members.length) members.push(byte);
    numbers.set(key, number);
    classOf[byte] = number;
  }
  return { classOf, members };
}

/** Whether the whole text matches. A state stands before the step of its number; the last one is the end. */
function runs({ end, classOf, accepts, stars, groups }: Machine, text: string): boolean {
  const words = stars.length;
  const states = new Uint32Array(words);
  states[0] = 1;
  enter(states, stars, groups);
  for (let at = 0; at < text.length; at++) {
    const from = (classOf[text.charCodeAt(at)] ?? 0) * words;
    // Bits that the word before hands on: of a step, of a group that is left out, of a star.
    let [step, group, star, any] = [0, 0, 0, 0];
    for (let word = 0; word < words; word++) {
      const moving = (states[word] ?? 0) & (accepts[from + word] ?? 0);
      const isStar = stars[word] ?? 0;
      let next = ((moving & ~isStar) << 1) | step;
      step = (moving & ~isStar) >>> 31;
      const left = next & (groups[word] ?? 0);
      next |= (left << 2) | group | (moving & isStar);
      group = left >>> 30;
      const open = next & isStar;
      next |= (open << 1) | star;
      star = open >>> 31;
      states[word] = next;
      any |= next;
    }
    if (any === 0) return false;
  }
  return ((states[end >> 5] ?? 0) & (1 << (end & 31))) !== 0;
}

/** Adds what the first state reaches without reading: a star and a group may be left out. */
function enter(states: Uint32Array, stars: Uint32Array, groups: Uint32Array): void {
  const has = (bits: Uint32Array, at: number): boolean => ((bits[at >> 5] ?? 0) & (1 << (at & 31))) !== 0;
  const add = (at: number): void => {
    states[at >> 5] = (states[at >> 5] ?? 0) | (1 << (at & 31));
    if (has(groups, at)) add(at + 2);
    if (has(stars, at)) add(at + 1);
  };
  add(0);
}

const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
const upper = (byte: number): number => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);

/** POSIX character classes in the C locale. */
const CLASSES: ReadonlyMap<string, ReadonlySet<number>> = new Map(
  Object.entries({
    alnum: /[A-Za-z0-9]/,
    alpha: /[A-Za-z]/,
    blank: /[ \t]/,
    cntrl: /[\0-\x1f\x7f]/,
    digit: /[0-9]/,
    graph: /[!-~]/,
    lower: /[a-z]/,
    print: /[ -~]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /[ \t\n\v\f\r]/,
    upper: /[A-Z]/,
    xdigit: /[A-Fa-f0-9]/,
  }).map(([name, shape]) => {
    const bytes = Array.from({ length: BYTES }, (_, byte) => byte);
    return [name, new Set(bytes.filter((byte) => shape.test(String.fromCharCode(byte))))];
  }),
);

/** Parses a bracket expression; null when malformed. */
function parseSet(
  text: string,
  start: number,
  foldsCase: boolean,
): { readonly accepts: Uint8Array; readonly end: number } | null {
  const members = new Uint8Array(BYTES);
  // With folded case, paths are in lower case, and ranges and classes (but not single letters) also test the upper case.
  const addAll = (test: (byte: number) => boolean): void => {
    for (let byte = 0; byte < BYTES; byte++) if (test(byte) || (foldsCase && test(upper(byte)))) members[byte] = 1;
  };
  let at = start + 1;
  const negated = text[at] === "!" || text[at] === "^";
  if (negated) at++;
  let [previous, close] = [-1, -1];
  let first = true;
  for (; first || text[at] !== "]"; at++, first = false) {
    if (at >= text.length) return null;
    if (text[at] === "-" && previous >= 0 && at + 1 < text.length && text[at + 1] !== "]") {
      at += text[at + 1] === "\\" ? 2 : 1;
      if (at >= text.length) return null;
      const [low, high] = [previous, text.charCodeAt(at)];
      addAll((byte) => byte >= low && byte <= high);
      previous = -1;
      continue;
    }
    if (text[at] === "[" && text[at + 1] === ":") {
      // Looked for once, however many classes seem to begin before it.
      if (close < at + 2) close = text.indexOf("]", at + 2);
      if (close < 0) return null;
      if (close > at + 2 && text[close - 1] === ":") {
        const named = CLASSES.get(text.slice(at + 2, close - 1));
        if (named === undefined) return null;
        addAll((byte) => named.has(byte));
        at = close;
        previous = -1;
        continue;
      }
    } else if (text[at] === "\\" && ++at >= text.length) return null;
    const wanted = text.charCodeAt(at);
    members[wanted] = 1;
    previous = wanted;
  }
  if (negated) for (let byte = 0; byte < BYTES; byte++) members[byte] = members[byte] === 1 ? 0 : 1;
  members[SLASH] = 0;
  return { accepts: members, end: at + 1 };
}
