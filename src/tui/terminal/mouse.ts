/**
 * Separates mouse reports from keys in terminal input.
 *
 * Reports have the SGR form, `ESC [ < button ; column ; row M` (`m` for a release), or from older terminals the form of X10: `ESC [ M` and
 * three characters, whose codes are these numbers and 32.
 */

/** `column` and `row` count from 0. A turn of the wheel goes up or down. */
export type MouseEvent =
  | { readonly is: "wheel"; readonly direction: "up" | "down"; readonly column: number; readonly row: number }
  | { readonly is: "press"; readonly column: number; readonly row: number };

const REPORT = new RegExp(String.raw`${"\x1b"}\[(?:<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])|M([^\x00-\x1f]{3}))`, "g");
const BEGUN = new RegExp(String.raw`${"\x1b"}\[(?:<[\d;]{0,17}|M[^\x00-\x1f]{0,2})$`);
const X10_OFFSET = 32;
const WHEEL = 64;
/** Bits that say a modifier key was held. */
const MODIFIERS = 4 | 8 | 16;

/** A reader of one terminal: a report that is cut by the end of a chunk is kept for the next. */
export function mouseReader(): (chunk: string) => { readonly rest: string; readonly events: readonly MouseEvent[] } {
  let begun = "";
  return (chunk) => {
    const events: MouseEvent[] = [];
    const text = begun + chunk;
    const cut = BEGUN.exec(text)?.index ?? text.length;
    begun = text.slice(cut);
    const rest = text
      .slice(0, cut)
      .replace(REPORT, (_, ...[button, column, row, end, characters]: readonly string[]) => {
        const codes = [...(characters ?? "")].map((character) => character.charCodeAt(0) - X10_OFFSET);
        const event = eventOf(codes.length > 0 ? codes : [button, column, row].map(Number), end !== "m");
        if (event !== null) events.push(event);
        return "";
      });
    return { rest, events };
  };
}

/** `column` and `row` count from 1. */
function eventOf([reported = 0, column = 0, row = 0]: readonly number[], isPress: boolean): MouseEvent | null {
  if (column < 1 || row < 1 || !isPress) return null;
  const button = reported & ~MODIFIERS;
  const place = { column: column - 1, row: row - 1 };
  if (button === WHEEL || button === WHEEL + 1)
    return { is: "wheel", direction: button === WHEEL ? "up" : "down", ...place };
  return button === 0 ? { is: "press", ...place } : null;
}
