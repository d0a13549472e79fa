/**
 * Joins an escape sequence that arrives in pieces, as it does on a slow connection.
 *
 * An escape alone is the escape key, so it is kept only for a moment. What begins a sequence (`ESC [`, `ESC O`) is no key that a
 * person presses here, so it may take longer.
 */

/** Ink adds 20 ms of its own; other programs wait for 50 to 100 ms. */
const ESCAPE_MS = 50;
const SEQUENCE_MS = 1_000;

const ESC = "\x1b";
/** A sequence without its end, at the end of a text. */
const CUT = new RegExp(`${ESC}{1,2}(?:\\[\\[?[ -?]{0,64}|O[\\d;]{0,16})?$`);

/** `pass` receives everything that arrives, in its order. */
export function sequenceJoiner(pass: (text: string) => void): { take(chunk: string): void; stop(): void } {
  let kept = "";
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const wait = (): void => {
    if (kept !== "") timer = setTimeout(release, kept === ESC || kept === ESC + ESC ? ESCAPE_MS : SEQUENCE_MS);
  };
  const release = (): void => {
    // Ink reads two escapes at once as another key.
    const text = kept === ESC + ESC ? ESC : kept;
    kept = kept.slice(text.length);
    pass(text);
    wait();
  };
  return {
    take(chunk) {
      stop();
      // Two presses of the escape key, not the start of one sequence.
      if (kept === ESC && chunk === ESC) release();
      const text = kept + chunk;
      const cut = CUT.exec(text)?.index ?? text.length;
      kept = text.slice(cut);
      if (cut > 0) pass(text.slice(0, cut));
      wait();
    },
    stop() {
      stop();
      kept = "";
    },
  };
}
