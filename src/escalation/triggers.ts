/**
 * When a failure needs deep retrieval: four triggers, one row each, and the priority that they make together.
 *
 * Pure: what was handed on and what earlier attempts logged comes in, a verdict on every trigger with its reason goes
 * out. Absent and null count as empty; lengths are in characters, without white space at the ends. A message that names
 * no path is not vague for that alone.
 */
import type { HandoffBundle } from "./handoff-bundle.ts";

/** A log of an earlier attempt of the phase, or its beginning. */
export type EarlierLog = { readonly path: string; readonly text: string };

/** What is judged. Attempts are counted from 1; `earlierLogs` come newest first. */
type Attempt = {
  readonly bundle: HandoffBundle;
  readonly attempt: number;
  readonly earlierLogs: readonly EarlierLog[];
};

type Verdict = { readonly fired: boolean; readonly reason: string };
type Trigger = {
  readonly name: string;
  /** What it means when it fires. */
  readonly why: string;
  judge(attempt: Attempt): Verdict;
};

export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What one trigger said. */
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
const UNCLEAR_PHRASES = ["unknown", "unclear", "investigate", "not sure"] as const;

/** Signs of a failure in a log, as they are written. The last is how Python itself heads what the one before means. */
export const FAILURE_MARKERS = [
  "ERROR:",
  "FAILED",
  "Exception:",
  "Traceback:",
  "Traceback (most recent call last):",
] as const;

/** The triggers, in the order in which they are told. */
export const TRIGGERS: readonly Trigger[] = [
  {
    name: "minimal_bundle",
    why: "the handoff bundle says next to nothing",
    judge({ bundle }) {
      if (bundle.isEmpty) return fired("the bundle is empty");
      const chars = charsOf(bundle.error_message);
      const trace = charsOf(bundle.stack_trace) > 0;
      const changes = bundle.recent_changes.filter((change) => charsOf(change) > 0).length;
      if (chars >= MESSAGE_CHARS_MIN) return still(`the error message has ${chars} characters`);
      if (trace) return still("there is a stack trace");
      if (changes > 0) return still("recent changes are named");
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
        : still(`the error message has ${chars} characters and is not generic`);
    },
  },
  {
    name: "repeated_failures",
    why: "earlier attempts of this phase failed too",
    judge({ attempt, earlierLogs }) {
      if (attempt < 2) return still("this is the first attempt");
      for (const { path, text } of earlierLogs) {
        const marker = FAILURE_MARKERS.find((sign) => text.includes(sign));
        if (marker !== undefined) return fired(`attempt ${attempt}, and ${path} contains "${marker}"`);
      }
      const logs = earlierLogs.length;
      return still(
        logs === 0 ? "no earlier attempt left a log" : `no failure in ${logs} earlier log${logs === 1 ? "" : "s"}`,
      );
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
        : still(`the root cause has ${chars} characters and is not unclear`);
    },
  },
];

/** What all triggers say, and what that makes: two or more are high, one is medium, none is low and no escalation. */
export function decide(attempt: Attempt): Decision {
  const triggers = TRIGGERS.map(({ name, why, judge }): TriggerVerdict => {
    const verdict = judge(attempt);
    return { name, ...verdict, reason: verdict.fired ? `${why}: ${verdict.reason}` : verdict.reason };
  });
  const count = triggers.filter((trigger) => trigger.fired).length;
  return { escalate: count > 0, priority: count >= 2 ? "high" : count === 1 ? "medium" : "low", triggers };
}

const fired = (reason: string): Verdict => ({ fired: true, reason });
const still = (reason: string): Verdict => ({ fired: false, reason });
const charsOf = (text: string): number => [...text.trim()].length;
const lengthOf = (what: string, chars: number, least: number): string =>
  chars === 0 ? `${what} is empty` : `${what} has ${chars} characters, less than ${least}`;

function phraseIn<T extends string>(text: string, phrases: readonly T[]): T | undefined {
  const lower = text.toLowerCase();
  return phrases.find((phrase) => lower.includes(phrase));
}
