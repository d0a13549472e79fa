/** Counts the steps that a backtracking engine takes to find every match, and makes texts on which it takes many. */
import { regexTree, type Tree } from "./regex-tree.ts";

export type Pattern = { readonly source: string; readonly flags: string };

/** Counting ends here. */
export const STEPS_MAX = 2_000_000;

/** Matches at a place, and what comes after it too. */
type Matcher = (at: number) => boolean;
type Kind<Name extends Tree["kind"]> = Tree & { readonly kind: Name };

/** Every character has a number, so that whether a set has it is looked up in a table. */
const numbers = new Map<string, number>();
function numberOf(character: string): number {
  const known = numbers.get(character) ?? numbers.size;
  numbers.set(character, known);
  return known;
}

/**
 * Counts the steps of a search for all matches in a text, each right after the one before if sticky; `STEPS_MAX` for that many and more.
 * The tree is compiled once: each part becomes a function that calls the one after it.
 */
export function stepCounter(tree: Tree, isSticky = false): (text: string) => number {
  let characters: readonly string[] = [];
  let coded: readonly number[] = [];
  /** Where each group began and ended. */
  const captured: { from: number; to: number }[] = [];
  let steps = 0;
  let end = -1;
  const step = (): void => {
    steps += 1;
    if (steps > STEPS_MAX) throw new RangeError("too many steps");
  };

  /** How a part matches in a direction, and then what comes after it. */
  function compiled(part: Tree, way: 1 | -1, then: Matcher): Matcher {
    switch (part.kind) {
      case "set": {
        const isIn = member(part, way);
        return (at) => {
          step();
          return isIn(at) && then(at + way);
        };
      }
      case "edge":
        return (at) => {
          step();
          return part.holds(characters[at - 1] ?? "", characters[at] ?? "") && then(at);
        };
      case "choice": {
        const options = part.options.map((option) => compiled(option, way, then));
        return (at) => {
          step();
          for (const option of options) if (option(at)) return true;
          return false;
        };
      }
      case "group":
        return group(part, way, then);
      case "back":
        return (at) => {
          step();
          const { from, to } = captured[part.number] ?? { from: 0, to: 0 };
          for (let index = from; index < to; index += 1) if (coded[at + index - from] !== coded[index]) return false;
          return then(at + to - from);
        };
      case "look": {
        const body = compiled(part.body, part.ahead ? 1 : -1, () => true);
        return (at) => {
          step();
          return body(at) === part.wanted && then(at);
        };
      }
      case "sequence": {
        const last = (way === 1 ? part.parts : part.parts.toReversed()).reduceRight(
          (after, one) => compiled(one, way, after),
          then,
        );
        return (at) => {
          step();
          return last(at);
        };
      }
      case "repeat":
        return part.body.kind === "set" ? run(part, part.body, way, then) : repeat(part, way, then);
    }
  }

  /** Whether the character at a place, or before it, is of a set. */
  function member(part: Kind<"set">, way: 1 | -1): Matcher {
    const known: (boolean | undefined)[] = [];
    return (at) => {
      const index = way === 1 ? at : at - 1;
      const number = coded[index];
      if (number === undefined) return false;
      const has = known[number] ?? part.has(characters[index] ?? "");
      known[number] = has;
      return has;
    };
  }

  function group(part: Kind<"group">, way: 1 | -1, then: Matcher): Matcher {
    let from = 0;
    const place = { from: 0, to: 0 };
    const body = compiled(part.body, way, (to) => {
      place.from = Math.min(from, to);
      place.to = Math.max(from, to);
      captured[part.number] = place;
      return then(to);
    });
    return (at) => {
      step();
      const outer = from;
      from = at;
      const is = body(at);
      from = outer;
      return is;
    };
  }

  function repeat(part: Kind<"repeat">, way: 1 | -1, then: Matcher): Matcher {
    // The turn that is being matched, and where it began. Whoever changes them sets them back.
    let count = 0;
    let before = -1;
    const body = compiled(part.body, way, turn);
    function turn(at: number): boolean {
      const [turns, began] = [count, before];
      const more = (): boolean => {
        // A round that matched nothing is the last one.
        if (turns >= part.max || at === began) return false;
        count = turns + 1;
        before = at;
        const is = body(at);
        count = turns;
        before = began;
        return is;
      };
      if (turns < part.min) return more() || (at === began && then(at));
      return part.lazy ? then(at) || more() : more() || then(at);
    }
    return (at) => {
      step();
      const [turns, began] = [count, before];
      count = 0;
      before = -1;
      const is = turn(at);
      count = turns;
      before = began;
      return is;
    };
  }

  /** A repeated character, without a call for each. */
  function run({ min, max, lazy }: Kind<"repeat">, body: Kind<"set">, way: 1 | -1, then: Matcher): Matcher {
    const isIn = member(body, way);
    return (at) => {
      step();
      let length = 0;
      const isNext = (): boolean => {
        steps += 1;
        return length < max && isIn(at + way * length);
      };
      if (lazy) {
        while (length < min) {
          if (!isNext()) return false;
          length += 1;
        }
        while (!then(at + way * length)) {
          if (!isNext()) return false;
          length += 1;
        }
        return true;
      }
      while (isNext()) length += 1;
      for (; length >= min; length -= 1) {
        steps += 1;
        if (then(at + way * length)) return true;
      }
      return false;
    };
  }

  const matches = compiled(tree, 1, (found) => {
    end = found;
    return true;
  });
  return (text) => {
    characters = [...text];
    coded = characters.map(numberOf);
    captured.length = 0;
    steps = 0;
    try {
      for (let at = 0; at <= characters.length; ) {
        end = -1;
        matches(at);
        if (isSticky && end <= at) break;
        at = Math.max(end, at + 1);
      }
    } catch (error) {
      if (error instanceof RangeError) return STEPS_MAX;
      throw error;
    }
    return steps;
  };
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
