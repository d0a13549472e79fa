/**
 * Prints everything: data to stdout, all else to stderr.
 *
 * Data keeps its bytes in a file or a pipe; on a terminal it is made safe first, so that no name or line of a repository can
 * control the terminal. Messages are always made safe. Each write waits until the stream has taken it. `--quiet` silences
 * notices and progress, never data or errors.
 */
import { z } from "zod";
import type { Variables } from "../../config/variables.ts";
import { type Failure, sentence } from "../../failure.ts";
import { FAILURE_FIELDS } from "../../failure-json.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { EventLine } from "../../retrieval/model/events.ts";
import { display, displayLines } from "../../text/display.ts";
import { withLastLineFeed } from "../../text/lines.ts";
import { hangingLines } from "./hanging-lines.ts";
import { type Progress, progressOn } from "./progress.ts";
import type { Guard } from "./redacting-sink.ts";
import type { Sink } from "./sink.ts";

/** How a run prints, from the global options and the environment. */
export type OutputMode = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: boolean;
  /** Whether a line can be erased: not on a dumb terminal, which shows no progress. */
  readonly redraws: boolean;
  /** Completes the commands that a notice suggests. */
  completed?(sentence: string): string;
};

export type Output = {
  readonly mode: OutputMode;
  /** The result of a command: one JSON object with `--json`, else text. */
  result(forms: { json(): unknown; text(): string }): Promise<void>;
  /** Text for stdout; a missing final newline is added. */
  data(text: string): Promise<void>;
  /** The same on a terminal through `show`, which gets the safe text, and returns false if it did not show it. */
  paged(text: string, show: (safe: string) => Promise<boolean>): Promise<void>;
  /** A report for one of these, with lines that fit on a terminal; the same text elsewhere. */
  fitted(report: string): string;
  /** Text for stdout, with what to emphasise between U+0001 and U+0002. */
  marked(text: string): Promise<void>;
  /** One JSON object. */
  json(value: unknown): Promise<void>;
  /** One JSON value on one line. */
  jsonLine(value: unknown): Promise<void>;
  /** One JSON value on one line of stderr, also when quiet: the log of a server. */
  logLine(value: unknown): Promise<void>;
  /** Lines for stderr, unless quiet. A line end within one is shown as an escape: no name can make up a line. */
  say(...lines: readonly string[]): Promise<void>;
  /** Lines for stderr, only with `--verbose`. */
  detail(text: string): Promise<void>;
  /** `next` is the end of the line: what may be run then. */
  notice(notice: Notice, next?: string): Promise<void>;
  /** From now on secrets are printed, as the settings allow. */
  showSecrets(): void;
  /** Writes a control sequence to whichever stream is a terminal; false when none is. */
  toTerminal(sequence: string): Promise<boolean>;
  progress(nowMs: () => number): Progress;
};

/** Prints on streams that `guard` redacts. */
export function outputOn(out: Sink, err: Sink, mode: OutputMode, guard: Guard): Output {
  const print = (text: string) =>
    out.write(out.isTerminal ? displayLines(withLastLineFeed(text)) : withLastLineFeed(text));
  const say: Output["say"] = async (...lines) => {
    if (!mode.quiet) await err.write(lines.map((line) => `${display(line)}\n`).join(""));
  };
  const json = async (value: unknown) => await print(JSON.stringify(guard.value(value), null, 2));
  return {
    mode,
    result: async (forms) => await (mode.json ? json(forms.json()) : print(forms.text())),
    data: print,
    paged: async (text, show) => {
      if (!out.isTerminal || !(await show(displayLines(guard.value(withLastLineFeed(text)))))) await print(text);
    },
    fitted: (report) => (out.isTerminal ? hangingLines(report, out.columns) : report),
    marked: (text) => out.write(emphasised(withLastLineFeed(text), mode.colour && out.isTerminal)),
    json,
    jsonLine: async (value) => await print(JSON.stringify(guard.value(value))),
    logLine: async (value) => await err.write(`${escapedJson(guard.value(value))}\n`),
    say,
    detail: async (text) => {
      if (mode.verbose && !mode.quiet) await err.write(displayLines(withLastLineFeed(text)));
    },
    notice: (notice, next = "") => {
      const told = `${noticeSentence(notice)}${next}`;
      return say(`cra: note: ${mode.completed?.(told) ?? told}`);
    },
    showSecrets: guard.lift,
    toTerminal: async (sequence) => {
      const stream = [err, out].find(({ isTerminal }) => isTerminal);
      await stream?.write(sequence);
      return stream !== undefined;
    },
    progress: (nowMs) => progressOn(err, nowMs, { shown: err.isTerminal && mode.redraws && !mode.quiet }),
  };
}

/** What stdout gets instead of a result with `--json`. */
export const ErrorObject = z.strictObject({ schema_version: z.literal(1), error: z.strictObject(FAILURE_FIELDS) });

/** A failure as one line of JSON: an object, or the last event. `message` is its sentence. */
export function failureJson(failure: Failure, form: "object" | "event", message = sentence(failure)): string {
  const fields = failureFields(failure, message);
  const line: z.infer<typeof ErrorObject> | EventLine =
    form === "event" ? { event: "error", ...fields } : { schema_version: 1, error: fields };
  return `${JSON.stringify(line)}\n`;
}

/** A refused budget has its numbers, so that a program can ask again. */
function failureFields(failure: Failure, message: string) {
  const fields = { code: failure.code, message: display(message) };
  if (failure.code !== "budget-below-floor") return fields;
  const { budget, floor, unit } = failure;
  return { ...fields, budget, floor, unit };
}

/** Whether to colour: not with `--no-color`, a NO_COLOR that is not empty, or a dumb terminal. */
export function wantsColour(variables: Variables, noColour: boolean): boolean {
  return !noColour && !variables.NO_COLOR && variables.TERM !== "dumb";
}

/** JSON in which no character controls a terminal. */
const escapedJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\u007f-\u{10ffff}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

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
