/**
 * Removes secrets from everything that is printed, whichever command prints it.
 *
 * The rules load when a text first may hold a secret (`secrets/prefilter.ts`), so most runs never load them. Writes keep their
 * order. JSON is redacted as a value before it is written, since its escapes hide where a word begins.
 */
import { mayHoldSecret } from "../../secrets/prefilter.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { Sink } from "./sink.ts";

export type Guard = {
  /** The same stream without secrets. */
  sink(sink: Sink): Sink;
  /** The same value without secrets, to print as JSON. */
  value<T>(value: T): Promise<T>;
  /** From now on secrets are printed. */
  lift(): void;
};

export function openGuard(): Guard {
  let lifted = false;
  const redactor = async (): Promise<Redactor> => (await import("../../secrets/redact.ts")).REDACTOR;
  return {
    sink(sink) {
      let before: Promise<void> | null = null;
      return {
        get isTerminal() {
          return sink.isTerminal;
        },
        get columns() {
          return sink.columns;
        },
        write(text) {
          const isPlain = lifted || !mayHoldSecret(text);
          if (before === null && isPlain) return sink.write(text);
          const written = (before ?? Promise.resolve()).then(async () =>
            sink.write(isPlain ? text : (await redactor()).text(text)),
          );
          before = written;
          return written.finally(() => {
            if (before === written) before = null;
          });
        },
      };
    },
    value: async (value) =>
      lifted || !mayHoldSecret(JSON.stringify(value) ?? "") ? value : (await redactor()).value(value),
    lift: () => {
      lifted = true;
    },
  };
}
