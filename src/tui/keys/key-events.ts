/**
 * Turns what Ink hands over into presses of single keys, each with a name.
 *
 * A printable character is its own name, a blank is "space". Others are named: "up", "return", "ctrl+r", "alt+b",
 * "shift+tab". Ink hands over characters that arrive together as one input, so an input gives several presses. Shift is
 * said for a tab and arrows only, since a shifted letter is another letter.
 */
import type { Key } from "ink";
import type { CommandName } from "./bindings.ts";

/** What the user's hands did. */
export type KeyAction =
  /** A key, by its name. */
  | { readonly is: "pressed"; readonly key: string }
  /** Text from a bracketed paste, whole. Nothing in it is a key. */
  | { readonly is: "pasted"; readonly text: string }
  /** A named action, from the palette or a test, as if its key had been pressed. */
  | { readonly is: "named"; readonly name: CommandName };

/** What of Ink's key says which it is. */
export type InkKey = Partial<Readonly<Pick<Key, (typeof NAMED)[number][0] | "ctrl" | "shift" | "meta" | "eventType">>>;

const NAMED = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "return"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const;

/** Controls that may come in the middle of an input. Those above 26 have no letter. */
const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "return",
  "\t": "tab",
  "\b": "backspace",
  "\x7f": "backspace",
  "\x1b": "escape",
  " ": "space",
};

/** The presses of one input, in order. None for what has no name. */
export function keysFromInput(input: string, key: InkKey): readonly string[] {
  if (key.eventType === "release") return [];
  const named = NAMED.find(([flag]) => key[flag] === true)?.[1];
  if (named !== undefined) return [`${modifiersOf(key, true)}${named}`];
  if (key.ctrl === true || key.meta === true)
    return [...input].slice(0, 1).map((letter) => `${modifiersOf(key, false)}${CONTROLS[letter] ?? letter}`);
  return [...input].flatMap(pressOf);
}

function modifiersOf({ ctrl, meta, shift }: InkKey, shifts: boolean): string {
  return `${ctrl === true ? "ctrl+" : ""}${meta === true ? "alt+" : ""}${shifts && shift === true ? "shift+" : ""}`;
}

function pressOf(character: string): readonly string[] {
  const named = CONTROLS[character];
  if (named !== undefined) return [named];
  const code = character.codePointAt(0) ?? 0;
  if (code >= 1 && code <= 26) return [`ctrl+${String.fromCharCode(code + 96)}`];
  return code < 32 || (code >= 0x7f && code <= 0x9f) ? [] : [character];
}

/** The text that a press types; null for one that types none. */
export function textOfKey(press: string): string | null {
  if (press === "space") return " ";
  const [first, second] = press;
  return first !== undefined && press.slice(first.length) === "" && second === undefined ? first : null;
}
