/**
 * What a handoff bundle asks for: the text of a task, and what a further round of a task is told.
 *
 * Pure. The text is made to be analysed and to be read: the error first, so that it is the title; the trace last and in
 * a fence, so that its frames are seen and its words weigh little. Nothing in a bundle can open a fence or a comment
 * that swallows what follows.
 */
import { stripVTControlCharacters } from "node:util";
import { splitSections } from "../task/sections.ts";
import { shortLine } from "./cut-secrets.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** A failure as a further round of a task is told of it. */
export type FailedAttempt = {
  /** Lines of errors, as the task's text would have them; each of bounded length. */
  readonly errors: readonly string[];
  /** Why there is another round, in one line; null when the bundle does not say. */
  readonly reason: string | null;
  /** The text that holds the stack frames. */
  readonly trace: string;
};

const ERROR_LINES_MAX = 40;
const LINE_CHARS_MAX = 1_000;

/** Words that a root cause is made of when nobody knows it. */
const UNKNOWN_CAUSE =
  /^(?:(?:the|root|cause|is|was|of|an?|this|error|failure|issue|problem|still|yet|currently|not|sure|none|no|n\/?a|nil|null|unknown|unclear|undetermined|unspecified|undefined|tbd|todo|to|be|needs?|must|should|requires?|further|more|please|investigat(?:e|ed|ion|ing)|determined?|known|under)(?:[^\p{L}\p{N}]+|$))*$/iu;

/** Whoever says more knows something. */
const UNKNOWN_CHARS_MAX = 200;

/** The text of a task, with what the user typed in front; null when the bundle gives nothing to go on. */
export function failureTask(bundle: HandoffBundle, typed = ""): string | null {
  const message = prose(bundle.error_message);
  const cause = causeOf(bundle);
  const trace = plain(bundle.stack_trace).trimEnd();
  const changes = changesOf(bundle);
  if ([message, cause, trace, ...changes].every((text) => text === "")) return null;
  const parts = [
    typed.trim(),
    message,
    cause === "" ? "" : `Root cause:\n${cause}`,
    changes.length === 0 ? "" : `Recent changes:\n${changes.map((change) => `- ${change}`).join("\n")}`,
    trace === "" ? "" : fenced(trace),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** What a further round is told of a failure; null when the bundle gives nothing to go on. */
export function failedAttempt(bundle: HandoffBundle): FailedAttempt | null {
  const trace = failureTask({ ...bundle, recent_changes: [] });
  if (trace === null) return null;
  const cause = causeOf(bundle);
  const thrown = splitSections(fenced(plain(bundle.stack_trace))).sections.filter(({ kind }) => kind === "error");
  const lines = [...prose(bundle.error_message).split("\n"), ...cause.split("\n"), ...thrown.map(({ text }) => text)];
  const errors = [...new Set(lines.map(oneLine).filter((line) => line !== ""))].slice(0, ERROR_LINES_MAX);
  return { errors, reason: oneLine(cause) || null, trace };
}

/** The root cause, or nothing when it only says that it is not known. */
function causeOf({ root_cause }: HandoffBundle): string {
  const cause = prose(root_cause);
  return cause.length <= UNKNOWN_CHARS_MAX && UNKNOWN_CAUSE.test(cause) ? "" : cause;
}

/**
 * Plain lines: measured, hints put what was changed before what failed, and names between backticks do so for some
 * failures, while as prose they bring the files in and leave the first places alone.
 */
const changesOf = ({ recent_changes }: HandoffBundle): readonly string[] =>
  recent_changes.map((change) => oneLine(prose(change))).filter((change) => change !== "");

/** Text without colours and without what begins a comment of Markdown. */
const plain = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replaceAll("<!--", "<! --");

/** The same where it stands between paragraphs: what would open a fence is shortened until it does not. */
const prose = (text: string): string =>
  plain(text)
    .replace(/`{3,}|~{3,}/g, (run) => run.slice(0, 2))
    .trim();

/** A fence that no line of the text closes. */
function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

const oneLine = (text: string): string =>
  shortLine(text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim(), LINE_CHARS_MAX).toWellFormed();
