/**
 * The interface of a judge: a model sorts given candidates into lists.
 *
 * A judge never throws because of the model, and its verdicts name only candidates and classes of the question, and words
 * that a question lets it propose. Verdicts are evidence (`evidence.ts`): a candidate without one keeps its place.
 */
import { z } from "zod";
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

const count = z.int().nonnegative();

/** Progress of a question, in the field names of the JSON lines. */
export const JUDGEMENT_EVENTS = [
  /**
   * A model is called: `call` of `calls` for this question, about `candidates` things. `expected_ms` is what these calls are expected to
   * take, null before anything was measured; `left_ms` what the model may still take in the run.
   */
  z.strictObject({
    event: z.literal("judgement_started"),
    stage: z.string(),
    model: z.string(),
    candidates: count,
    call: count,
    calls: count,
    expected_ms: count.nullable(),
    left_ms: count,
  }),
  /** Another run uses the server; `holder` says which. */
  z.strictObject({ event: z.literal("judgement_waiting"), stage: z.string(), holder: z.string() }),
  /** A part of the reply, safe to print. */
  z.strictObject({ event: z.literal("judgement_text"), stage: z.string(), text: z.string() }),
  z.strictObject({
    event: z.literal("judgement_finished"),
    stage: z.string(),
    status: z.enum(["judged", "remembered", "failed"]),
    judged: count,
    ms: z.number().nonnegative(),
  }),
] as const;
export type JudgementEvent = Readonly<z.infer<(typeof JUDGEMENT_EVENTS)[number]>>;

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
