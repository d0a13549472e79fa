/**
 * Lets Ctrl-C end a bracketed paste that the terminal never ended.
 *
 * Until the end of a paste, all that arrives is its text. Terminals remove control characters from what is pasted, so a Ctrl-C in a
 * paste was pressed.
 */

const END = "\x1b[201~";
const MARKERS = new RegExp(`${"\x1b"}\\[20([01])~|${"\x03"}`, "g");

/** Returns a filter of what one terminal sends, which puts the end of an open paste before a Ctrl-C. A marker may be cut anywhere. */
export function pasteInterrupter(): (chunk: string) => string {
  let isOpen = false;
  let before = "";
  return (chunk) => {
    const text = before + chunk;
    let passed = "";
    let at = before.length;
    for (const { index, 0: marker, 1: kind } of text.matchAll(MARKERS)) {
      if (index + marker.length <= before.length) continue;
      const isInterrupt = kind === undefined;
      if (isInterrupt && isOpen) {
        passed += text.slice(at, index) + END;
        at = index;
      }
      isOpen = kind === "0";
    }
    before = text.slice(1 - END.length);
    return passed + text.slice(at);
  };
}
