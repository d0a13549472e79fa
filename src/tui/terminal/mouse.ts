/**
 * Separates mouse reports from keys in terminal input.
 *
 * Reports have the SGR form, `ESC [ < button ; column ; row M` (`m` for a release).
 */

/** `column` and `row` count from 0. A turn of the wheel goes up or down. */
export type MouseEvent =
  | { readonly is: "wheel"; readonly direction: "up" | "down"; readonly column: number; readonly row: number }
  | { readonly is: "press"; readonly column: number; readonly row: number };

const REPORT = new RegExp(String.raw`${"\x1b"}\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])`, "g");
const BEGUN = new RegExp(String.raw`${"\x1b"}\[<[\d;]{0,17}$`);
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
    const rest = text.slice(0, cut).replace(REPORT, (_, button: string, column: string, row: string, end: string) => {
      const event = eventOf(Number(button) & ~MODIFIERS, Number(column) - 1, Number(row) - 1, end === "M");
      if (event !== null) events.push(event);
      return "";
    });
    return { rest, events };
  };
}

function eventOf(button: number, column: number, row: number, isPress: boolean): MouseEvent | null {
  if (column < 0 || row < 0 || !isPress) return null;
  if (button === WHEEL || button === WHEEL + 1)
    return { is: "wheel", direction: button === WHEEL ? "up" : "down", column, row };
  return button === 0 ? { is: "press", column, row } : null;
}
