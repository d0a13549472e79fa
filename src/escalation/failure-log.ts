/**
 * The failure that a log tells of: its last error with the trace of that, and a few lines around, as what a failed
 * attempt hands on.
 *
 * Pure. However long the log is, what comes of it is short; it is read from its end, and only as far as that failure.
 * Colours, and what collectors of logs put in front of every line, are taken off. A short text is kept whole.
 */
import { stripVTControlCharacters } from "node:util";
import { isErrorLine, isFrameLine, isTraceHead } from "../task/section-patterns.ts";
import { shortLine } from "./cut-secrets.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** Of a longer log whoever reads it takes the end. */
export const LOG_BYTES_MAX = 32 * 1024 * 1024;

/** A text of so many lines and characters is no log. */
const WHOLE_LINES_MAX = 80;
const WHOLE_CHARS_MAX = 8_000;

/** Lines of a trace that are neither frames nor errors: marks, what was going on, and code, which is indented. */
const GAP_MAX = 4;
const CODE_GAP_MAX = 40;
/** Lines around a trace, more of them where they are indented, and around an error without one. */
const BEFORE_TRACE = 6;
const CODE_BEFORE_TRACE = 30;
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
  /^(?:[A-Za-z][\w.-]{0,60}\s+\|\s|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w./-]{1,80}(?:\[\d{1,10}\])?: |\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?\]?\s|##\[error\])+/;
const WARNING = /\w*Warning\b/;
/** How pytest says what did not hold. */
const ASSERTED = /^E {3,}\S/;
/** How test runners say which test failed, and where, in lines that are no errors by themselves. */
const FAILED_TEST =
  /^(?:E {3,}\S|\s*(?:--- FAIL: |● (?!Console)\S|✕ |not ok \d|FAILED \S)|\S{1,300}:\d+: \w*(?:Error|Exception)$)/;
/** Where test runners begin to tell of another test, or of something else. */
const RULED = /^(?:_{3,} .* _{3,}|={3,} .* ={3,}|-{3,} (?!Captured ).* -{3,}|\s*● .*)$/;
/** How tools say once more that there was an error. */
const SAID_AGAIN =
  /^\s*(?:error: (?:test failed, to rerun|could not compile|aborting due to)|Error: Process completed with exit code|npm ERR!)/;

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
  const error =
    part.findLast((line) => isSerious(line)) ??
    part.findLast((line) => ASSERTED.test(line)) ??
    part.findLast((line) => FAILED_TEST.test(line)) ??
    part.findLast((line) => isErrorLine(line)) ??
    "";
  return {
    error_message: shortLine(error.trim(), LINE_CHARS_MAX).toWellFormed(),
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
  const last = lines.length - 1;
  const around = ({ from, to }: Part): Part => ({
    from: beforeTrace(lines, from),
    to: Math.min(last, to + AFTER_TRACE),
  });
  let error: number | null = null;
  let trace: Part | null = null;
  let open: OpenTrace | null = null;
  for (let at = last; at >= -1; at -= 1) {
    const line = lines[at]?.slice(0, LINE_CHARS_MAX) ?? "";
    const isFrame = at >= 0 && (isFrameLine(line) || isTraceHead(line));
    const isFailure = isSerious(line) || FAILED_TEST.test(line);
    if (isFailure) error ??= at;
    const isRuled = RULED.test(line);
    // The line that names a test belongs to what is told of it.
    if (open !== null && isRuled) [open.from, open.isSerious] = [at, open.isSerious || isFailure];
    if (open !== null && (at < 0 || isRuled || open.gap > GAP_MAX || open.from - at > CODE_GAP_MAX)) {
      if (open.frames > 0 && open.isSerious) return around(open);
      if (open.frames > 0) trace ??= around(open);
      open = null;
    }
    if (isFrame || isFailure || isErrorLine(line)) {
      open ??= { from: at, to: at, gap: 0, frames: 0, isSerious: false };
      [open.from, open.gap] = [at, 0];
      open.frames += isFrame ? 1 : 0;
      open.isSerious ||= isTraceHead(line) || isFailure;
    } else if (open !== null && !isIndented(line)) open.gap += 1;
  }
  if (error !== null) return { from: Math.max(0, error - BEFORE_ERROR), to: Math.min(last, error + AFTER_ERROR) };
  return trace ?? { from: Math.max(0, lines.length - TAIL_LINES), to: last };
}

const isSerious = (line: string): boolean => isErrorLine(line) && !WARNING.test(line) && !SAID_AGAIN.test(line);

/** `gap`: lines that are nothing of a trace, since its line that was seen last. */
type OpenTrace = { from: number; readonly to: number; gap: number; frames: number; isSerious: boolean };

/** Where to begin so that the lines above a trace are seen, and all of the code there, but no other test. */
function beforeTrace(lines: readonly string[], trace: number): number {
  let from = trace;
  while (from > 0 && !RULED.test(lines[from] ?? "")) {
    const before = trace - from;
    if (before >= BEFORE_TRACE && (before >= CODE_BEFORE_TRACE || !isIndented(lines[from - 1] ?? ""))) break;
    from -= 1;
  }
  return from;
}

/** Code and what is told of it; a mark stands for the blank in front of the line that failed. */
const isIndented = (line: string): boolean => line === "" || /^(?:\s|>)/.test(line);

/** No line is long, and of very many lines those in the middle go. */
function shortened(lines: readonly string[]): readonly string[] {
  const short = lines.map((line) => shortLine(line, LINE_CHARS_MAX));
  const left = short.length - HEAD_KEPT - TAIL_KEPT;
  return left <= 1 ? short : [...short.slice(0, HEAD_KEPT), `[… ${left} lines …]`, ...short.slice(-TAIL_KEPT)];
}
