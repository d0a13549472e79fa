/**
 * The failure that a log tells of: its last error with the trace of that, and a few lines around, as what a failed
 * attempt hands on.
 *
 * Pure. However long the log is, what comes of it is short; it is read from its end, and only as far as that failure.
 * Colours, and what collectors of logs put in front of every line, are taken off. A short text is kept whole.
 * Not here: what is done with a failure (`failure-task.ts`), reading the log (`cli/handoff-input.ts`).
 */
import { stripVTControlCharacters } from "node:util";
import { isErrorLine, isFrameLine, isTraceHead } from "../task/section-patterns.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** Whoever reads a log stops there. */
export const LOG_BYTES_MAX = 32 * 1024 * 1024;

/** A text of so many lines and characters is no log. */
const WHOLE_LINES_MAX = 80;
const WHOLE_CHARS_MAX = 8_000;

/** Lines of a trace that are neither frames nor errors: code, marks, what was going on. */
const GAP_MAX = 4;
/** Lines around a trace, and around an error without one. */
const BEFORE_TRACE = 6;
const AFTER_TRACE = 4;
const BEFORE_ERROR = 20;
const AFTER_ERROR = 10;
/** Of a log without any error, the last lines. */
const TAIL_LINES = 60;
/** What is kept of a longer trace, and of a longer line. */
const HEAD_KEPT = 60;
const TAIL_KEPT = 100;
const LINE_CHARS_MAX = 400;

/** What a service, a job or a clock writes before a line. */
const PREFIX =
  /^(?:[A-Za-z][\w.-]{0,60}\s+\|\s|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?\]?\s|##\[error\])+/;
const WARNING = /\w*Warning\b/;

/** The failure, or null for a text that says nothing. */
export function failureInLog(log: string): HandoffBundle | null {
  const lines = log.split("\n").map(plainLine);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return null;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const said = lines.slice(first, last + 1);
  const isShort = said.length <= WHOLE_LINES_MAX && said.reduce((sum, line) => sum + line.length, 0) <= WHOLE_CHARS_MAX;
  const { from, to } = isShort ? { from: 0, to: said.length - 1 } : partThatSays(said);
  const part = said.slice(from, to + 1);
  const error = part.findLast((line) => isSerious(line)) ?? part.findLast((line) => isErrorLine(line)) ?? "";
  return {
    error_message: error.trim().slice(0, LINE_CHARS_MAX).toWellFormed(),
    stack_trace: shortened(part).join("\n").toWellFormed(),
    root_cause: "",
    recent_changes: [],
    isEmpty: false,
  };
}

/** One line as a program wrote it: what a progress bar overwrote is gone. */
function plainLine(raw: string): string {
  const line = stripVTControlCharacters(raw).replaceAll("\0", "").replace(/\r+$/, "");
  return line.slice(line.lastIndexOf("\r") + 1).replace(PREFIX, "");
}

type Part = { readonly from: number; readonly to: number };

/** The lines to look at: the last trace that has an error, else the last error, else the last trace, else the end. */
function partThatSays(lines: readonly string[]): Part {
  const around = (from: number, to: number, before: number, after: number): Part => ({
    from: Math.max(0, from - before),
    to: Math.min(lines.length - 1, to + after),
  });
  let error: number | null = null;
  let trace: Part | null = null;
  let open: { from: number; readonly to: number; frames: number; isSerious: boolean } | null = null;
  for (let at = lines.length - 1; at >= -1; at -= 1) {
    const line = lines[at]?.slice(0, LINE_CHARS_MAX) ?? "";
    const isFrame = at >= 0 && (isFrameLine(line) || isTraceHead(line));
    const isError = at >= 0 && isErrorLine(line);
    if (isError && error === null && !WARNING.test(line)) error = at;
    if (open !== null && (at < 0 || open.from - at > GAP_MAX + 1)) {
      if (open.frames > 0 && open.isSerious) return around(open.from, open.to, BEFORE_TRACE, AFTER_TRACE);
      if (open.frames > 0) trace ??= around(open.from, open.to, BEFORE_TRACE, AFTER_TRACE);
      open = null;
    }
    if (!isFrame && !isError) continue;
    open ??= { from: at, to: at, frames: 0, isSerious: false };
    open.from = at;
    open.frames += isFrame ? 1 : 0;
    open.isSerious ||= isTraceHead(line) || isSerious(line);
  }
  if (error !== null) return around(error, error, BEFORE_ERROR, AFTER_ERROR);
  return trace ?? { from: Math.max(0, lines.length - TAIL_LINES), to: lines.length - 1 };
}

const isSerious = (line: string): boolean => isErrorLine(line) && !WARNING.test(line);

/** No line is long, and of very many lines those in the middle go. */
function shortened(lines: readonly string[]): readonly string[] {
  const short = lines.map((line) => (line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line));
  const left = short.length - HEAD_KEPT - TAIL_KEPT;
  return left <= 1 ? short : [...short.slice(0, HEAD_KEPT), `[… ${left} lines …]`, ...short.slice(-TAIL_KEPT)];
}
