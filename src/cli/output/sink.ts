/**
 * A stream of the process as something to print to.
 *
 * With a handler, a write that fails never settles: the handler ends the process, so nothing after a
 * failed write runs and nothing needs to check. Without one (stderr) what cannot be said is dropped.
 */
import type { Sink } from "./output.ts";

/** The part of a writable stream that is used. */
type Writable = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, taken: (error?: Error | null) => void): boolean;
};

type DrainingSink = Sink & {
  /** Settles when everything written so far has been taken. */
  drained(): Promise<void>;
};

const COLUMNS_OF_NONE = 80;

export function sinkOn(stream: Writable, onError: ((error: unknown) => void) | null): DrainingSink {
  let last: Promise<void> = Promise.resolve();
  return {
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns || COLUMNS_OF_NONE;
    },
    write(text) {
      if (text === "") return last;
      last = new Promise((resolve) => {
        stream.write(text, (error) => (error && onError ? onError(error) : resolve()));
      });
      return last;
    },
    drained: () => last,
  };
}
