/**
 * Extracts the failure from a log: its last error with the trace and a few lines around, as a handoff bundle.
 *
 * The result is short however long the log is, which is read from its end. Terminal codes and line prefixes of log
 * collectors are removed, and what a test runner says about tests that passed; the rest of a short text is kept whole.
 */
import { stripVTControlCharacters } from "node:util";
import { withTracesWritten } from "../task/sections/escaped-traces.ts";
import { SYSLOG, withoutLogPrefix } from "../task/sections/log-prefixes.ts";
import { isErrorLine, isFrameLine, isTraceHead } from "../task/sections/section-patterns.ts";
import { shortLine } from "./cut-secrets.ts";
import { CODE_GAP_MAX, GAP_MAX, isFailureLine, isLoggedFrame } from "./failure-lines.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";
import { withoutPassed } from "./passed-lines.ts";

/** Readers take the end of a longer log. */
export const LOG_BYTES_MAX = 32 * 1024 * 1024;

/** Lines that are read, from the end: the rest may be millions of empty ones. */
const LINES_MAX = 200_000;

/** A text within these limits is kept whole. */
const WHOLE_LINES_MAX = 80;
const WHOLE_CHARS_MAX = 8_000;

/** Context lines around a trace (more if they are indented) and around an error without a trace. */
const BEFORE_TRACE = 6;
const CODE_BEFORE_TRACE = 30;
const AFTER_TRACE = 4;
const BEFORE_ERROR = 20;
const AFTER_ERROR = 10;
/** What is kept of a log without errors: its last lines. */
const TAIL_LINES = 60;
/** What is kept of a longer trace, and of a longer line. */
const HEAD_KEPT = 60;
const TAIL_KEPT = 100;
const LINE_CHARS_MAX = 400;

/** Line prefixes: names of services and jobs, time stamps. */
const PREFIX = new RegExp(
  `^(?:${[
    String.raw`[A-Za-z][\w.-]{0,60}\s+\|\s`,
    SYSLOG,
    String.raw`\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?\]?\s`,
  ].join("|")})+`,
);
const WARNING = /Warning\b/;
/** A failed assertion of pytest. */
const ASSERTED = /^E {3,}\S/;
/** Lines of test runners that name a failed test or its place, but are not errors themselves. */
const FAILED_TEST =
  /^(?:E {3,}\S|\s*(?:--- FAIL: |● (?!Console)\S|✕ |not ok \d|FAILED \S)|\S{1,300}:\d+: \w*(?:Error|Exception)$)/;
/** Headings of test runners: another test or section begins. */
const RULED = /^(?:_{3,} .* _{3,}|={3,} .* ={3,}|-{3,} (?!Captured ).* -{3,}|\s*● .*|\s{0,4}\d{1,4}\) \S.*)$/;
/** Lines of tools that repeat that there was an error. */
const REPEATED =
  /^\s*(?:error: (?:test failed, to rerun|could not compile|aborting due to)|Error: Process completed with exit code|npm ERR!)/;

/** The failure, or null for a blank text. */
export function failureInLog(log: string): HandoffBundle | null {
  const lines = withoutPassed(withTracesWritten(lastLines(log)).split("\n").map(plainLine));
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return null;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const trimmed = lines.slice(first, last + 1);
  const isShort =
    trimmed.length <= WHOLE_LINES_MAX && trimmed.reduce((sum, line) => sum + line.length, 0) <= WHOLE_CHARS_MAX;
  const { from, to } = isShort ? { from: 0, to: trimmed.length - 1 } : relevantPart(trimmed);
  const part = trimmed.slice(from, to + 1);
  const at = [isSerious, (line: string) => ASSERTED.test(line), (line: string) => FAILED_TEST.test(line), isErrorLine]
    .map((isError) => part.findLastIndex((line) => isError(line)))
    .find((found) => found >= 0);
  const error = at === undefined ? "" : (messageBelow(part, at) ?? part[at] ?? "");
  return {
    error_message: shortLine(error.trim(), LINE_CHARS_MAX).toWellFormed(),
    stack_trace: shortened(part).join("\n").toWellFormed(),
    root_cause: "",
    recent_changes: [],
    isEmpty: false,
  };
}

function lastLines(log: string): string {
  let start = log.length;
  for (let left = LINES_MAX; left > 0 && start > 0; left -= 1) start = log.lastIndexOf("\n", start - 1);
  return log.slice(start + 1);
}

/** Rust prints where a panic happened in one line, and its message in the next; before 1.73 both in one. */
const PANIC = /^\s*thread '[^']{0,200}'(?: \(\d+\))? panicked at (?:'(.*)', )?\S+:\d+:\d+:?$/;
const AFTER_PANIC = /^\s*(?:note: run with|stack backtrace:|thread ')/;

/** What .NET and minitest write above a message. */
const MESSAGE_HEAD = /^\s*(?:Error Message|Failure):$/;

/** The message of the panic or heading at a line; null if the line is neither or has no message. */
function messageBelow(lines: readonly string[], at: number): string | null {
  if (MESSAGE_HEAD.test(lines[at] ?? "")) return lines[at + 1] ?? null;
  const panic = PANIC.exec(lines[at] ?? "");
  if (panic === null) return null;
  const message = panic[1] ?? lines[at + 1] ?? "";
  return message.trim() === "" || AFTER_PANIC.test(message) ? null : message;
}

/** One line as the terminal shows it: without what a progress bar overwrote. */
function plainLine(raw: string): string {
  const line = stripVTControlCharacters(raw)
    .replaceAll("\0", "")
    .replace(/(?<!\r)\r+$/, "");
  return withoutLogPrefix(line.slice(line.lastIndexOf("\r") + 1)).replace(PREFIX, "");
}

type Part = { readonly from: number; readonly to: number };

/** The last trace with an error, else the last error, else the last trace, else the last lines. */
function relevantPart(lines: readonly string[]): Part {
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
    const isFrame = at >= 0 && (isFrameLine(line) || isLoggedFrame(line) || isTraceHead(line));
    const isFailure = isSerious(line) || FAILED_TEST.test(line);
    if (isFailure) error ??= at;
    const isRuled = RULED.test(line);
    // A heading belongs to the trace below it.
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

const isSerious = (line: string): boolean =>
  isFailureLine(line) || (isErrorLine(line) && !WARNING.test(line) && !REPEATED.test(line));

/** `gap`: lines since the last one that belongs to the trace. */
type OpenTrace = { from: number; readonly to: number; gap: number; frames: number; isSerious: boolean };

/** The first line to show before a trace: with all code above it, without another test. */
function beforeTrace(lines: readonly string[], trace: number): number {
  let from = trace;
  while (from > 0 && !RULED.test(lines[from] ?? "")) {
    const before = trace - from;
    if (before >= BEFORE_TRACE && (before >= CODE_BEFORE_TRACE || !isIndented(lines[from - 1] ?? ""))) break;
    from -= 1;
  }
  return from;
}

/** Code and its annotations; ">" replaces the blank in front of the line that failed, but `> Task :test` is Gradle's. */
const isIndented = (line: string): boolean => line === "" || /^(?:\s|>\s{3})/.test(line);

/** Cuts long lines and drops the middle of very many. */
function shortened(lines: readonly string[]): readonly string[] {
  const short = lines.map((line) => shortLine(line, LINE_CHARS_MAX));
  const left = short.length - HEAD_KEPT - TAIL_KEPT;
  return left <= 1 ? short : [...short.slice(0, HEAD_KEPT), `[… ${left} lines …]`, ...short.slice(-TAIL_KEPT)];
}
