/**
 * Names the keys of one Ink input: a printable character is its own name, others are "space", "up", "ctrl+r", "alt+b".
 *
 * Ink reports characters that arrive together as one input, so an input can yield several keys. Only tab and arrows
 * carry "shift+", because a shifted letter is another letter.
 */
import type { Key } from "ink";
import type { CommandName } from "./bindings.ts";

/** An action of the user's hands. */
export type KeyAction =
  /** A key, by its name. */
  | { readonly is: "pressed"; readonly key: string }
  /** The whole text of a bracketed paste. Nothing in it is a key. */
  | { readonly is: "pasted"; readonly text: string }
  /** A command from the palette or a test, as if its key had been pressed. */
  | { readonly is: "named"; readonly name: CommandName };

/** The fields of Ink's key that identify it. */
type InkKey = Partial<Readonly<Pick<Key, (typeof NAMED)[number][0] | "ctrl" | "shift" | "meta" | "eventType">>>;

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

/** Control characters that may occur inside an input. */
const CONTROLS: Readonly<Record<string, string>> = {
  "\r": "return",
  "\t": "tab",
  "\b": "backspace",
  "\x7f": "backspace",
  "\x1b": "escape",
  " ": "space",
};

/** The keys of one input, in order. Characters without a name are skipped. */
export function keysFromInput(input: string, key: InkKey): readonly string[] {
  if (key.eventType === "release") return [];
  const named = NAMED.find(([flag]) => key[flag] === true)?.[1];
  if (named !== undefined) return [`${modifiers(key)}${key.shift === true ? "shift+" : ""}${named}`];
  if (key.ctrl === true || key.meta === true)
    return [...input].slice(0, 1).map((letter) => `${modifiers(key)}${CONTROLS[letter] ?? letter}`);
  // The kitty protocol names a letter by its key.
  return [...(key.shift === true ? input.toUpperCase() : input)].flatMap(keysFromCharacter);
}

/** Whether an input is text or a plain enter, which may as well be pasted. */
export const isTyped = (key: InkKey): boolean =>
  key.ctrl !== true && key.meta !== true && NAMED.every(([flag]) => flag === "return" || key[flag] !== true);

const modifiers = ({ ctrl, meta }: InkKey): string => `${ctrl === true ? "ctrl+" : ""}${meta === true ? "alt+" : ""}`;

/** What terminals send for Ctrl-_ and Ctrl-/. */
const UNIT_SEPARATOR = 0x1f;

function keysFromCharacter(character: string): readonly string[] {
  const named = CONTROLS[character];
  if (named !== undefined) return [named];
  const code = character.codePointAt(0) ?? 0;
  if (code >= 1 && code <= 26) return [`ctrl+${String.fromCharCode(code + 96)}`];
  if (code === UNIT_SEPARATOR) return ["ctrl+_"];
  return code < 32 || (code >= 0x7f && code <= 0x9f) ? [] : [character];
}

/** The text that a key types; null when it types none. */
export function textOfKey(key: string): string | null {
  if (key === "space") return " ";
  return [...key].length === 1 ? key : null;
}
