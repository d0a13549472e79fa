/**
 * A stream of the process to print to.
 *
 * With an error handler, a failed write never settles: the handler ends the process, so no caller has to check. Without one
 * (stderr), what cannot be written is dropped.
 */

/** A stream to print to. `write` settles when the stream has taken all of the text. */
export type Sink = {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 when there is none. */
  readonly columns: number;
  write(text: string): Promise<void>;
};

/** The used part of a writable stream. */
export type Writable = {
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
