/**
 * Turns a handoff bundle into the text of a task, or into the failure that a further round starts from.
 *
 * The error comes first, so it becomes the title; the trace comes last and in a fence, so its frames are found and its
 * words weigh little. Nothing in a bundle can open a fence or a comment that swallows the rest.
 */
import { stripVTControlCharacters } from "node:util";
import { splitSections } from "../task/sections/sections.ts";
import { fenced } from "../text/markdown.ts";
import { shortLine } from "./cut-secrets.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** A failure that a further round of a task starts from. */
export type FailedAttempt = {
  /** Error lines, as in the text of the task; each of bounded length. */
  readonly errors: readonly string[];
  /** The root cause in one line; null if the bundle has none. */
  readonly reason: string | null;
  /** The text with the stack frames. */
  readonly trace: string;
};

const ERROR_LINES_MAX = 40;
const LINE_CHARS_MAX = 1_000;

/** A root cause of only these words says that it is unknown. */
const UNKNOWN_CAUSE =
  /^(?:(?:the|root|cause|is|was|of|an?|this|error|failure|issue|problem|still|yet|currently|not|sure|none|no|n\/?a|nil|null|unknown|unclear|undetermined|unspecified|undefined|tbd|todo|to|be|needs?|must|should|requires?|further|more|please|investigat(?:e|ed|ion|ing)|determined?|known|under)(?:[^\p{L}\p{N}]+|$))*$/iu;

/** A longer root cause says something. */
const UNKNOWN_CHARS_MAX = 200;

/** The text of a task, after what the user typed; null if the bundle says nothing. */
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
    trace === "" ? "" : fenced(trace, ""),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The failure for a further round; null if the bundle says nothing. */
export function failedAttempt(bundle: HandoffBundle): FailedAttempt | null {
  const trace = failureTask({ ...bundle, recent_changes: [] });
  if (trace === null) return null;
  const cause = causeOf(bundle);
  const thrown = splitSections(fenced(plain(bundle.stack_trace), "")).sections.filter(({ kind }) => kind === "error");
  const lines = [...prose(bundle.error_message).split("\n"), ...cause.split("\n"), ...thrown.map(({ text }) => text)];
  const errors = [...new Set(lines.map(oneLine).filter((line) => line !== ""))].slice(0, ERROR_LINES_MAX);
  return { errors, reason: oneLine(cause) || null, trace };
}

/** The root cause, or "" if it only says that it is unknown. */
function causeOf({ root_cause }: HandoffBundle): string {
  const cause = prose(root_cause);
  return cause.length <= UNKNOWN_CHARS_MAX && UNKNOWN_CAUSE.test(cause) ? "" : cause;
}

/**
 * As prose, changed files are found without outranking what failed. Measured: as hints they come first, and between
 * backticks for some failures too.
 */
const changesOf = ({ recent_changes }: HandoffBundle): readonly string[] =>
  recent_changes.map((change) => oneLine(prose(change))).filter((change) => change !== "");

/** The text without terminal codes and without the start of a Markdown comment. */
const plain = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replaceAll("<!--", "<! --");

/** The same for a paragraph: runs of characters that would open a fence are shortened. */
const prose = (text: string): string =>
  plain(text)
    .replace(/`{3,}|~{3,}/g, (run) => run.slice(0, 2))
    .trim();

const oneLine = (text: string): string =>
  shortLine(text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim(), LINE_CHARS_MAX).toWellFormed();
