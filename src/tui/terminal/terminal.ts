/**
 * Controls the terminal while the interface runs: alternate screen, keys, mouse, and restoring everything.
 *
 * `leave` restores everything that `enter` changed, may be called at any time and repeatedly, and never throws. While the
 * terminal is lent, nothing is read from it.
 */
import { Readable } from "node:stream";
import type { Size } from "../state/state.ts";
import { answerFilter } from "./answers.ts";
import { sequenceJoiner } from "./cut-sequences.ts";
import type { Device } from "./device.ts";
import { readableKeys } from "./modified-keys.ts";
import { type MouseEvent, mouseReader } from "./mouse.ts";
import { pasteInterrupter } from "./paste.ts";

/** Keys as Ink reads them: a stream that passes on what the terminal sends, mouse reports apart. */
type KeyStream = Readable & { readonly isTTY: true; setRawMode(on: boolean): void; ref(): void; unref(): void };

export type Terminal = {
  readonly keys: KeyStream;
  readonly screen: Device["screen"];
  size(): Size;
  /** Switches to the alternate screen and clears it, with the cursor at its top. */
  enter(): void;
  leave(): void;
  /** Whether the terminal reports the mouse; remembered over `leave` and `enter`. */
  reportMouse(on: boolean): void;
  /** Clears the screen, so that the next frame is drawn from nothing. */
  wipe(): void;
  write(sequence: string): void;
  /** Stops reading keys for good. */
  close(): void;
};

const ALTERNATE_ON = "\x1b[?1049h";
const ALTERNATE_OFF = "\x1b[?1049l";
/**
 * Terminals disagree about the width of some characters, such as joined emoji. Without wrapping, a row that gets too wide is cut; with it,
 * its rest would take a row of its own and move all others.
 */
const WRAP_OFF = "\x1b[?7l";
const WRAP_ON = "\x1b[?7h";
const CURSOR_ON = "\x1b[?25h";
const PASTE_OFF = "\x1b[?2004l";
const WIPE = "\x1b[2J\x1b[H";
/** Reports presses and the wheel, in the format without a limit of columns. */
const MOUSE_ON = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF = "\x1b[?1006l\x1b[?1000l";

type TerminalEvents = {
  onMouse(event: MouseEvent): void;
  onResize(size: Size): void;
  /** Called when the terminal is gone and sends nothing more. */
  onLost(): void;
};

type Input = NonNullable<ReturnType<Device["keys"]>>;

/** `alternate`: uses the alternate screen; without it, text continues on the current screen. */
export function openTerminal(
  { screen }: Pick<Device, "screen">,
  input: Input,
  { alternate }: { readonly alternate: boolean },
  { onMouse, onResize, onLost }: TerminalEvents,
): Terminal {
  let isEntered = false;
  let reportsMouse = false;
  const readMouse = mouseReader();
  const interruptPaste = pasteInterrupter();
  const withoutAnswers = answerFilter();
  const joiner = sequenceJoiner((sent) => {
    const { rest, events } = readMouse(withoutAnswers(interruptPaste(sent)));
    if (rest !== "") keys.push(readableKeys(rest));
    // A program before may have left the mouse on.
    if (reportsMouse) for (const event of events) onMouse(event);
  });
  const keys = keyStream(input, joiner.take);
  input.setEncoding("utf8");
  for (const event of ["end", "close", "error"] as const) input.on(event, onLost);
  const size = (): Size => ({ columns: screen.columns || 80, rows: screen.rows || 24 });
  const resized = (): void => onResize(size());
  screen.on("resize", resized);
  const write = (text: string): void => {
    if (!screen.destroyed && screen.writable) screen.write(text);
  };
  return {
    keys,
    screen,
    size,
    enter() {
      if (isEntered) return;
      isEntered = true;
      // Input before the first frame must neither be echoed nor stop the process.
      untilGone(() => input.setRawMode(true));
      if (alternate) write(ALTERNATE_ON + WRAP_OFF + WIPE);
      if (reportsMouse) write(MOUSE_ON);
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      const below = alternate ? WRAP_ON + ALTERNATE_OFF : "\r\n";
      write(`${reportsMouse ? MOUSE_OFF : ""}${PASTE_OFF}${below}${CURSOR_ON}`);
    },
    reportMouse(on) {
      reportsMouse = on;
      if (isEntered) write(on ? MOUSE_ON : MOUSE_OFF);
    },
    wipe() {
      if (isEntered && alternate) write(WIPE);
    },
    write,
    close() {
      joiner.stop();
      screen.off("resize", resized);
      for (const event of ["end", "close", "error"] as const) input.off(event, onLost);
      // Nobody can handle late errors of a terminal that is gone.
      input.on("error", () => {});
      untilGone(() => input.setRawMode(false));
      input.pause();
      input.unref();
    },
  };
}

/** An empty stream of keys. While it is in raw mode, `onText` receives what the terminal sends. */
function keyStream(input: Input, onText: (text: string) => void): KeyStream {
  const onData = (chunk: Buffer | string): void => onText(typeof chunk === "string" ? chunk : chunk.toString("utf8"));
  return Object.assign(new Readable({ read: () => {} }), {
    isTTY: true as const,
    setRawMode(on: boolean): void {
      // A terminal that is gone has no modes; `onLost` reports that.
      untilGone(() => input.setRawMode(on));
      if (on) {
        input.on("data", onData);
        input.resume();
      } else {
        // While paused, input goes to the program that has the terminal.
        input.off("data", onData);
        input.pause();
      }
    },
    ref: () => void input.ref(),
    unref: () => void input.unref(),
  });
}

/** Ignores the errors of a terminal that is gone. */
function untilGone(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error && /errno|EIO|ENOTTY|EBADF/.test(error.message))) throw error;
  }
}
