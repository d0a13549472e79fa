/**
 * Removes secrets from everything that is printed, whichever command prints it.
 *
 * JSON is redacted as a value before it is written, so that no marker can change its syntax, and once more as text.
 */
import { REDACTOR } from "../../secrets/redact.ts";
import { NO_REDACTION, type Redactor } from "../../secrets/redactor.ts";
import type { Sink } from "./sink.ts";

export type Guard = {
  /** The same stream without secrets. */
  sink(sink: Sink): Sink;
  /** The same value without secrets, to print as JSON. */
  value<T>(value: T): T;
  /** From now on secrets are printed. */
  lift(): void;
};

export function openGuard(): Guard {
  let redactor: Redactor = REDACTOR;
  return {
    sink: (sink) => ({
      get isTerminal() {
        return sink.isTerminal;
      },
      get columns() {
        return sink.columns;
      },
      write: (text) => sink.write(redactor.text(text)),
    }),
    value: (value) => redactor.value(value),
    lift: () => {
      redactor = NO_REDACTION;
    },
  };
}
