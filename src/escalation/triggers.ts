/**
 * When a failure needs deep retrieval: four triggers, one row each, and the priority they add up to.
 *
 * Absent and null count as empty; lengths are in characters without surrounding white space. A message without a path is
 * not vague for that alone.
 */

import type { ListedFile } from "../source/walk/sandboxed-reader.ts";
import { counted } from "../text/counted.ts";
import { inOrder } from "../text/order.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** A log of an earlier attempt of the phase; `text` may be only its beginning. */
export type EarlierLog = { readonly path: string; readonly text: string };

/** Attempts count from 1; `earlierLogs` come newest first. */
type Attempt = {
  readonly bundle: HandoffBundle;
  readonly attempt: number;
  readonly earlierLogs: readonly EarlierLog[];
};

type Verdict = { readonly fired: boolean; readonly reason: string };
type Trigger = {
  readonly name: string;
  /** The meaning of the trigger, for the reason when it fires. */
  readonly why: string;
  judge(attempt: Attempt): Verdict;
};

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

type TriggerVerdict = Verdict & { readonly name: string };
export type Decision = {
  readonly escalate: boolean;
  readonly priority: Priority;
  readonly triggers: readonly TriggerVerdict[];
};

const MESSAGE_CHARS_MIN = 20;
const ACTIONABLE_CHARS_MIN = 30;
const ROOT_CAUSE_CHARS_MIN = 20;
const GENERIC_PHRASES = ["unknown error", "internal error", "something went wrong"] as const;
const UNCLEAR_PHRASES = ["unknown", "unclear", "investigat", "not sure"] as const;

/** Texts that mark a failure in a log. The last is what Python prints for the one before. */
export const FAILURE_MARKERS = [
  "ERROR:",
  "FAILED",
  "Exception:",
  "Traceback:",
  "Traceback (most recent call last):",
] as const;

/** The triggers, in order of output. */
export const TRIGGERS: readonly Trigger[] = [
  {
    name: "minimal_bundle",
    why: "the handoff bundle says next to nothing",
    judge({ bundle }) {
      if (bundle.isEmpty) return fired("the bundle is empty");
      const chars = charsOf(bundle.error_message);
      const trace = charsOf(bundle.stack_trace) > 0;
      const changes = bundle.recent_changes.filter((change) => charsOf(change) > 0).length;
      if (chars >= MESSAGE_CHARS_MIN) return notFired(`the error message has ${chars} characters`);
      if (trace) return notFired("there is a stack trace");
      if (changes > 0) return notFired("recent changes are named");
      return fired(`${lengthOf("the error message", chars, MESSAGE_CHARS_MIN)}, no stack trace, no recent changes`);
    },
  },
  {
    name: "no_actionable_context",
    why: "the error message names nothing to act on",
    judge({ bundle: { error_message } }) {
      const chars = charsOf(error_message);
      const phrase = phraseIn(error_message, GENERIC_PHRASES);
      if (phrase !== undefined) return fired(`the error message says "${phrase}"`);
      return chars < ACTIONABLE_CHARS_MIN
        ? fired(lengthOf("the error message", chars, ACTIONABLE_CHARS_MIN))
        : notFired(`the error message has ${chars} characters and is not generic`);
    },
  },
  {
    name: "repeated_failures",
    why: "earlier attempts of this phase failed too",
    judge({ attempt, earlierLogs }) {
      if (attempt < 2) return notFired("this is the first attempt");
      for (const { path, text } of earlierLogs) {
        const marker = FAILURE_MARKERS.find((sign) => text.includes(sign));
        if (marker !== undefined) return fired(`attempt ${attempt}, and ${path} contains "${marker}"`);
      }
      const logs = earlierLogs.length;
      return notFired(logs === 0 ? "no earlier attempt left a log" : `no failure in ${counted(logs, "earlier log")}`);
    },
  },
  {
    name: "no_clear_root_cause",
    why: "nobody knows the cause yet",
    judge({ bundle: { root_cause } }) {
      const chars = charsOf(root_cause);
      const phrase = phraseIn(root_cause, UNCLEAR_PHRASES);
      if (phrase !== undefined) return fired(`the root cause says "${phrase}"`);
      return chars < ROOT_CAUSE_CHARS_MIN
        ? fired(lengthOf("the root cause", chars, ROOT_CAUSE_CHARS_MIN))
        : notFired(`the root cause has ${chars} characters and is not unclear`);
    },
  },
];

/** All verdicts and the priority: high for two or more fired triggers, medium for one; none: low, no escalation. */
export function decide(attempt: Attempt): Decision {
  const triggers = TRIGGERS.map(({ name, why, judge }): TriggerVerdict => {
    const verdict = judge(attempt);
    return { name, ...verdict, reason: verdict.fired ? `${why}: ${verdict.reason}` : verdict.reason };
  });
  const count = triggers.filter((trigger) => trigger.fired).length;
  return { escalate: count > 0, priority: count >= 2 ? "high" : count === 1 ? "medium" : "low", triggers };
}

const fired = (reason: string): Verdict => ({ fired: true, reason });
const notFired = (reason: string): Verdict => ({ fired: false, reason });
const charsOf = (text: string): number => [...text.trim()].length;
const lengthOf = (what: string, chars: number, least: number): string =>
  chars === 0 ? `${what} is empty` : `${what} has ${chars} characters, less than ${least}`;

/** The first phrase that the text contains, with the rest of its last word. */
const phraseIn = (text: string, phrases: readonly string[]): string | undefined =>
  phrases.flatMap((phrase) => new RegExp(`${phrase}\\p{L}*`, "u").exec(text.toLowerCase())?.[0] ?? [])[0];

/** The most earlier logs that are read. */
const LOGS_MAX = 10;
/** How much of each earlier log is read, from its beginning. */
export const EARLIER_LOG_BYTES_MAX = 1024 * 1024;

const ATTEMPT_NUMBER = /^(\d{1,15})(?:[._-]|$)/;

/**
 * The logs of attempts before this one, newest first, then by attempt. Their names identify them, in any folder:
 * `phase_001_attempt_2.log`, or `phase_001_attempt_2.stderr.log`. The phase is matched literally.
 */
export function earlierLogs(files: readonly ListedFile[], phase: string, attempt: number): readonly ListedFile[] {
  const prefix = `${phase}_attempt_`;
  return files
    .flatMap((file) => {
      const name = file.path.slice(file.path.lastIndexOf("/") + 1);
      const number = name.startsWith(prefix) ? ATTEMPT_NUMBER.exec(name.slice(prefix.length))?.[1] : undefined;
      const earlier = Number(number);
      return number !== undefined && earlier < attempt ? [{ file, earlier }] : [];
    })
    .sort((a, b) => b.file.modifiedMs - a.file.modifiedMs || b.earlier - a.earlier || inOrder(a.file.path, b.file.path))
    .slice(0, LOGS_MAX)
    .map(({ file }) => file);
}
