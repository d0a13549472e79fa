/**
 * Everything that is printed goes through here: data to stdout, all else to stderr.
 *
 * Data that goes to a file or a pipe keeps its bytes; on a terminal it is made safe first, so that no
 * name or line of a repository can steer the terminal. Messages are always made safe. Each write waits
 * until the stream has taken it, so the process may end after the last one. `--quiet` silences notices
 * and progress, never data or errors.
 * Not here: what is said, and files (`write-file.ts`).
 */
import { z } from "zod";
import { type Failure, type Notice, noticeSentence, sentence } from "../../failure.ts";
import { FAILURE_FIELDS } from "../../failure-json.ts";
import type { EventLine } from "../../retrieval/model/events.ts";
import { display, displayLines } from "../../text/display.ts";
import { type Progress, progressOn } from "./progress.ts";
import type { Guard } from "./redacting-sink.ts";

/** A stream to print to. `write` settles when the stream has taken all of the text. */
export type Sink = {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 when it is none. */
  readonly columns: number;
  write(text: string): Promise<void>;
};

export type Look = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: boolean;
};

export type Output = {
  readonly look: Look;
  /** Text for stdout, ending in a newline when it has none. */
  data(text: string): Promise<void>;
  /** The same, where U+0001 and U+0002 surround what to emphasise. */
  marked(text: string): Promise<void>;
  /** One JSON object. */
  json(value: unknown): Promise<void>;
  /** One JSON value on one line. */
  jsonLine(value: unknown): Promise<void>;
  /** Lines for stderr, unless quiet. */
  say(text: string): Promise<void>;
  /** Lines for stderr, only with `--verbose`. */
  detail(text: string): Promise<void>;
  notice(notice: Notice): Promise<void>;
  /** From now on secrets are printed as they are: the user's settings want that. */
  showSecrets(): void;
  /** A sequence for the terminal itself, through whichever stream leads to one; false where none does. */
  toTerminal(sequence: string): Promise<boolean>;
  progress(nowMs: () => number): Progress;
};

/** Prints on streams that `guard` looks after. */
export function outputOn(out: Sink, err: Sink, look: Look, guard: Guard): Output {
  const print = (text: string) => out.write(out.isTerminal ? displayLines(ended(text)) : ended(text));
  const say = async (text: string) => {
    if (!look.quiet) await err.write(displayLines(ended(text)));
  };
  return {
    look,
    data: print,
    marked: (text) => out.write(emphasised(ended(text), look.colour && out.isTerminal)),
    json: async (value) => await print(JSON.stringify(await guard.value(value), null, 2)),
    jsonLine: async (value) => await print(JSON.stringify(await guard.value(value))),
    say,
    detail: async (text) => {
      if (look.verbose) await say(text);
    },
    notice: (notice) => say(`cra: note: ${display(noticeSentence(notice))}`),
    showSecrets: guard.lift,
    toTerminal: async (sequence) => {
      const stream = [err, out].find(({ isTerminal }) => isTerminal);
      await stream?.write(sequence);
      return stream !== undefined;
    },
    progress: (nowMs) => progressOn(err, nowMs, { shown: err.isTerminal && !look.quiet }),
  };
}

/** What stands on stdout in place of a result, when JSON was asked for. */
export const ErrorObject = z.strictObject({ schema_version: z.literal(1), error: z.strictObject(FAILURE_FIELDS) });

/** What stopped a command, as one line of JSON: an object of its own, or the last event. */
export function failureJson(failure: Failure, form: "object" | "event"): string {
  const fields = failureFields(failure);
  const line: z.infer<typeof ErrorObject> | EventLine =
    form === "event" ? { event: "error", ...fields } : { schema_version: 1, error: fields };
  return `${JSON.stringify(line)}\n`;
}

/** A refused budget comes with its numbers, so that a program can ask again. */
function failureFields(failure: Failure) {
  const fields = { code: failure.code, message: display(sentence(failure)) };
  if (failure.code !== "budget-below-floor") return fields;
  const { budget, floor, unit } = failure;
  return { ...fields, budget, floor, unit };
}

/** Whether to colour: not when NO_COLOR is set to anything, not on a dumb terminal, not when told. */
export function wantsColour(variables: Readonly<Record<string, string | undefined>>, noColour: boolean): boolean {
  return !noColour && !variables.NO_COLOR && variables.TERM !== "dumb";
}

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function emphasised(text: string, colour: boolean): string {
  return text
    .split("\u0001")
    .map((part, position) => {
      if (position === 0) return displayLines(part.replaceAll("\u0002", ""));
      const [marked = "", ...rest] = part.split("\u0002");
      return `${colour ? `\x1b[1m${displayLines(marked)}\x1b[22m` : displayLines(marked)}${displayLines(rest.join(""))}`;
    })
    .join("");
}
