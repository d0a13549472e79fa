/**
 * The last look at what is printed: no secret leaves, whatever command prints it and wherever the text comes from.
 *
 * The rules load when a text first has a mark of a secret (`secrets/prefilter.ts`), so most commands never load them. Writes
 * keep their order. Who prints JSON hands its values in first (`value`), as escapes in JSON hide where a word begins.
 */
import { mayHoldSecret } from "../../secrets/prefilter.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { Sink } from "./output.ts";

export type Guard = {
  /** The same stream, without secrets. */
  sink(sink: Sink): Sink;
  /** What may be printed as JSON. */
  value<T>(value: T): Promise<T>;
  /** From now on everything is shown: the user wants to see it. */
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
