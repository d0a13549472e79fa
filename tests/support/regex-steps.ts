/** Counts the steps that a backtracking engine takes to find every match, and makes texts on which it takes many. */
import { regexTree, type Tree } from "./regex-tree.ts";

export type Pattern = { readonly source: string; readonly flags: string };

/** Counting ends here. */
export const STEPS_MAX = 4_000_000;

/** The steps of a search for all matches in a text, each right after the one before if sticky; `STEPS_MAX` for that many and more. */
export function stepsOf(tree: Tree, text: string, isSticky = false): number {
  const characters = [...text];
  const captured = new Map<number, readonly string[]>();
  let steps = 0;

  /** Whether the tree matches at `at` in a direction, and what comes after it does too. */
  function matches(part: Tree, at: number, way: 1 | -1, then: (end: number) => boolean): boolean {
    steps += 1;
    if (steps > STEPS_MAX) throw new RangeError("too many steps");
    switch (part.kind) {
      case "set": {
        const character = characters[way === 1 ? at : at - 1];
        return character !== undefined && part.has(character) && then(at + way);
      }
      case "edge":
        return part.holds(characters[at - 1] ?? "", characters[at] ?? "") && then(at);
      case "choice":
        return part.options.some((option) => matches(option, at, way, then));
      case "group":
        return matches(part.body, at, way, (end) => {
          captured.set(part.number, characters.slice(Math.min(at, end), Math.max(at, end)));
          return then(end);
        });
      case "back": {
        const wanted = captured.get(part.number) ?? [];
        return wanted.every((character, index) => characters[at + index] === character) && then(at + wanted.length);
      }
      case "look":
        return matches(part.body, at, part.ahead ? 1 : -1, () => true) === part.wanted && then(at);
      case "sequence":
        return inSequence(way === 1 ? part.parts : part.parts.toReversed(), 0, at, way, then);
      case "repeat":
        return part.body.kind === "set" ? run(part, part.body, at, way, then) : repeat(part, 0, at, -1, way, then);
    }
  }

  function inSequence(
    parts: readonly Tree[],
    index: number,
    at: number,
    way: 1 | -1,
    then: (end: number) => boolean,
  ): boolean {
    const part = parts[index];
    return part === undefined
      ? then(at)
      : matches(part, at, way, (end) => inSequence(parts, index + 1, end, way, then));
  }

  type Repeat = Tree & { readonly kind: "repeat" };

  function repeat(
    part: Repeat,
    count: number,
    at: number,
    before: number,
    way: 1 | -1,
    then: (end: number) => boolean,
  ): boolean {
    // A round that matched nothing is the last one.
    const more = (): boolean =>
      count < part.max &&
      at !== before &&
      matches(part.body, at, way, (end) => repeat(part, count + 1, end, at, way, then));
    if (count < part.min) return more() || (at === before && then(at));
    return part.lazy ? then(at) || more() : more() || then(at);
  }

  /** A repeated character, without a call for each. */
  function run(
    part: Repeat,
    body: Tree & { readonly kind: "set" },
    at: number,
    way: 1 | -1,
    then: (end: number) => boolean,
  ): boolean {
    let length = 0;
    const isNext = (): boolean => {
      const character = characters[way === 1 ? at + length : at - length - 1];
      steps += 1;
      return length < part.max && character !== undefined && body.has(character);
    };
    const end = (): number => at + way * length;
    if (part.lazy) {
      while (length < part.min) {
        if (!isNext()) return false;
        length += 1;
      }
      while (!then(end())) {
        if (!isNext()) return false;
        length += 1;
      }
      return true;
    }
    while (isNext()) length += 1;
    for (; length >= part.min; length -= 1) {
      steps += 1;
      if (then(end())) return true;
    }
    return false;
  }

  try {
    for (let at = 0; at <= characters.length; ) {
      let end = -1;
      matches(tree, at, 1, (found) => {
        end = found;
        return true;
      });
      if (isSticky && end <= at) break;
      at = Math.max(end, at + 1);
    }
  } catch (error) {
    if (error instanceof RangeError) return STEPS_MAX;
    throw error;
  }
  return steps;
}

const CHARACTERS = [..."aAzZ01_xX \t\n\r./-\"'`*#()[]<>:;@=\\{},!?&|+$%^~é日\u0301"];

/** A text of some characters that repeats `pump` between two others. */
export type Attack = { readonly before: string; readonly pump: string; readonly after: string };

export const attackText = ({ before, pump, after }: Attack, length: number): string =>
  before + pump.repeat(Math.ceil(length / pump.length)) + after;

/** Texts that match in parts of the expression, again and again, and then do not; always the same for the same expression. */
export function attacksOn({ source, flags }: Pattern): readonly Attack[] {
  let state = source.length;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * limit);
  };
  const sample = (part: Tree): string => {
    switch (part.kind) {
      case "set": {
        const fitting = CHARACTERS.filter((character) => part.has(character));
        return fitting[below(fitting.length)] ?? "";
      }
      case "sequence":
        return part.parts.map(sample).join("");
      case "choice":
        return sample(part.options[below(part.options.length)] ?? part.options[0] ?? { kind: "sequence", parts: [] });
      case "group":
        return sample(part.body);
      case "repeat":
        return Array.from({ length: Math.min(40, part.min + below(Math.min(3, part.max - part.min + 1))) }, () =>
          sample(part.body),
        ).join("");
      default:
        return "";
    }
  };
  const tree = regexTree(source, flags);
  const found = new Map<string, Attack>();
  const add = (before: string, pump: string, after: string): void => {
    if (pump !== "") found.set(JSON.stringify([before, pump, after]), { before, pump, after });
  };
  const visit = (part: Tree, ahead: () => string): void => {
    if (part.kind === "choice") for (const option of part.options) visit(option, ahead);
    if (part.kind === "group" || part.kind === "look") visit(part.body, ahead);
    if (part.kind === "repeat") {
      for (let turn = 0; turn < 3 && part.max > 8; turn++) {
        const [before, pump] = [ahead(), sample(part.body)];
        for (const after of ["", "\n!", "\u0001"]) add(before, pump, after);
        add("", before + pump, "");
        add("", before, "");
      }
      visit(part.body, ahead);
    }
    if (part.kind === "sequence")
      for (const [index, inner] of part.parts.entries())
        visit(inner, () => ahead() + part.parts.slice(0, index).map(sample).join(""));
  };
  visit(tree, () => "");
  for (let turn = 0; turn < 3; turn++) {
    const whole = sample(tree);
    for (const pump of [whole, whole.slice(0, -1), whole.slice(0, whole.length >> 1)]) add("", pump, "\u0001");
  }
  for (const pump of [" ", "\n", "a", "0", " \n", "a "]) add("", pump, "\u0001");
  return [...found.values()];
}
