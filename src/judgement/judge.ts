/**
 * The interface of a judge: a model sorts given candidates into lists.
 *
 * A judge never throws because of the model, and its verdicts name only candidates and classes of the question, and words
 * that a question lets it propose. Verdicts are evidence (`evidence.ts`): a candidate without one keeps its place.
 */
import type { ModelFailure } from "../llm/model.ts";

/**
 * `key` identifies the candidate and stays in this process; `text` is all the model sees of it. Candidates with the same
 * `group` are listed under it, one heading for all.
 */
export type Candidate = { readonly key: string; readonly text: string; readonly group?: string };

/** An answer lists candidates under `lists`; what it lists nowhere has the class `rest`. */
export type Question<Class extends string> = {
  /** The stage that asks: `analysis`, `scope`, `precision`. */
  readonly stage: string;
  readonly task: string;
  /** What to list, in plain words, with an example and its answer. */
  readonly instruction: string;
  readonly lists: readonly [Class, ...Class[]];
  readonly rest: Class;
  /** Most important first. */
  readonly candidates: readonly Candidate[];
  /** Candidates of one call. */
  readonly perCall: number;
  /** This many of the first candidates are asked about twice, in different company: whether the answers agree says how good the judge is. */
  readonly repeated: number;
  /** The share of the time that is left which this question may take. */
  readonly timeShare: number;
  /** The model may propose search words besides. Each is a verdict of this class, under `PROPOSED` and the word. */
  readonly proposals?: Class;
};

/** The most search words that a question takes, and the longest. */
export const PROPOSED_MAX = 12;
export const PROPOSED_CHARS_MAX = 40;

/** Begins the key of a proposed word. */
export const PROPOSED = "proposed:";

/** `again` is the second answer about a candidate that was asked about twice. */
export type Verdict<Class extends string> = { readonly class: Class; readonly again?: Class };

/**
 * Verdicts by candidate key. `stoppedBy` is why some candidates have none. If fewer than `COVERAGE_MIN` of them were
 * judged, only what the answers list counts.
 */
export type Judged<Class extends string> =
  | {
      readonly ok: true;
      readonly verdicts: ReadonlyMap<string, Verdict<Class>>;
      readonly remembered: boolean;
      readonly judged: number;
      readonly stoppedBy: ModelFailure | null;
    }
  | { readonly ok: false; readonly failure: ModelFailure };

/** The share of a question's candidates that must be judged for an absence from the lists to mean something. */
export const COVERAGE_MIN = 0.8;

/** Progress of a question, in the field names of the JSON lines. */
export type JudgementEvent =
  | {
      readonly event: "judgement_started";
      readonly stage: string;
      readonly model: string;
      readonly candidates: number;
      /** Number of this call, from 1, and of all calls. */
      readonly call: number;
      readonly calls: number;
      /** What this call and those after it are expected to take; null before anything was measured. */
      readonly expected_ms: number | null;
      /** The time that the model may still take in this run. */
      readonly left_ms: number;
    }
  /** Another run uses the server; `holder` says which. */
  | { readonly event: "judgement_waiting"; readonly stage: string; readonly holder: string }
  /** A part of the reply, safe to print. */
  | { readonly event: "judgement_text"; readonly stage: string; readonly text: string }
  | {
      readonly event: "judgement_finished";
      readonly stage: string;
      readonly status: "judged" | "remembered" | "failed";
      readonly judged: number;
      readonly ms: number;
    };

/**
 * A judge for one run. After a failure that every further call would meet (no server, no such model, no time left), it
 * returns the same failure for later questions without asking.
 */
export type Judge = {
  readonly model: string;
  judge<Class extends string>(
    question: Question<Class>,
    signal: AbortSignal,
  ): AsyncGenerator<JudgementEvent, Judged<Class>>;
  /** Lets the next run have the server. */
  close(): void;
};

/** Earlier answers of this task, by 64 hexadecimal digits. `keep` stores all of its entries at once. */
export type JudgementMemory = {
  recall(key: string): unknown;
  keep(entries: ReadonlyMap<string, unknown>): void;
};
