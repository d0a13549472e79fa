/**
 * The interface of a judge: a model sorts given candidates into given classes.
 *
 * A judge never throws because of the model, and its verdicts name only candidates and classes of the question, and words that a question
 * lets it propose. A failed
 * question has no verdicts at all, so the deterministic result stands as a whole.
 */
import type { ModelFailure } from "../llm/model.ts";

/** `key` identifies the candidate and stays in this process; `text` is all the model sees of it. */
export type Candidate = { readonly key: string; readonly text: string };

/** `classes` are the possible verdicts; `instruction` explains them in plain words. */
export type Question<Class extends string> = {
  /** The stage that asks: `analysis`, `scope`, `precision`. */
  readonly stage: string;
  readonly task: string;
  readonly instruction: string;
  readonly classes: readonly [Class, ...Class[]];
  /** Most important first. */
  readonly candidates: readonly Candidate[];
  /** The model may propose search words besides. Each is a verdict of this class, under `PROPOSED` and the word. */
  readonly proposals?: Class;
};

/** The most search words that a question takes, and the longest. */
export const PROPOSED_MAX = 12;
export const PROPOSED_CHARS_MAX = 40;

/** Begins the key of a proposed word. */
export const PROPOSED = "proposed:";

/** Only the first this many candidates of a question go to the model. */
export const CANDIDATES_MAX = 200;

/** The keys of the candidates that go to the model. */
export const keysAsked = ({ candidates }: Pick<Question<string>, "candidates">): ReadonlySet<string> =>
  new Set(candidates.slice(0, CANDIDATES_MAX).map(({ key }) => key));

/** `reason` is the model's: one safe line of at most 120 characters, "" if it gave none. */
export type Verdict<Class extends string> = { readonly class: Class; readonly reason: string };

/** Verdicts by candidate key; candidates that the model left out have none. */
export type Judged<Class extends string> =
  | { readonly ok: true; readonly verdicts: ReadonlyMap<string, Verdict<Class>>; readonly remembered: boolean }
  | { readonly ok: false; readonly failure: ModelFailure };

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
    }
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
 * A judge for one run. After a failure that every further call would meet (no server, no such model), it returns the same
 * failure for later questions without asking.
 */
export type Judge = {
  readonly model: string;
  judge<Class extends string>(
    question: Question<Class>,
    signal: AbortSignal,
  ): AsyncGenerator<JudgementEvent, Judged<Class>>;
};

/** Earlier answers of this task, by the fingerprint of the question (`fingerprint` in `open-judge.ts`). */
export type JudgementMemory = {
  recall(fingerprint: string): unknown;
  keep(fingerprint: string, verdicts: unknown): void;
};
