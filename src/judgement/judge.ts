/**
 * What a stage can ask of a model: to sort things that it is given into classes that it is given.
 *
 * A judge never throws because of the model, and what it returns names only what it was asked about: ids that it was not
 * given, classes that do not exist and second verdicts are dropped. A failed question has no verdicts at all, so the
 * deterministic result stands as a whole.
 */
import type { ModelFailure } from "../llm/model.ts";

/** Something to be judged. `key` tells it from the others and stays in this process; `text` is all the model sees of it. */
export type Candidate = { readonly key: string; readonly text: string };

/** A question. `classes` are the possible verdicts; `instruction` says in plain words what they mean. */
export type Question<Class extends string> = {
  /** The stage that asks: `analysis`, `scope`, `precision`. */
  readonly stage: string;
  readonly task: string;
  readonly instruction: string;
  readonly classes: readonly [Class, ...Class[]];
  /** Most important first. */
  readonly candidates: readonly Candidate[];
};

/** The first so many candidates of a question are asked about. */
export const CANDIDATES_MAX = 200;

/** The keys of the candidates that a model is asked about. */
export const keysAsked = ({ candidates }: Pick<Question<string>, "candidates">): ReadonlySet<string> =>
  new Set(candidates.slice(0, CANDIDATES_MAX).map(({ key }) => key));

/** `reason` is the model's, one line, safe to print, at most 200 characters; "" when it gave none. */
export type Verdict<Class extends string> = { readonly class: Class; readonly reason: string };

/** Verdicts by key of the candidate; candidates that the model left out have none. */
export type Judged<Class extends string> =
  | { readonly ok: true; readonly verdicts: ReadonlyMap<string, Verdict<Class>>; readonly remembered: boolean }
  | { readonly ok: false; readonly failure: ModelFailure };

/** What happens while a model is asked, in the field names of the JSON lines. */
export type JudgementEvent =
  | {
      readonly event: "judgement_started";
      readonly stage: string;
      readonly model: string;
      readonly candidates: number;
      /** This call and how many there will be. */
      readonly call: number;
      readonly calls: number;
    }
  /** A piece of the reply, safe to print. */
  | { readonly event: "judgement_text"; readonly stage: string; readonly text: string }
  | {
      readonly event: "judgement_finished";
      readonly stage: string;
      readonly status: "judged" | "remembered" | "failed";
      readonly judged: number;
      readonly ms: number;
    };

/** One call as it is recorded. `response` is null when nothing came; `status` is "ok" or the kind of failure. */
export type CallRecord = {
  readonly stage: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly prompt: string;
  readonly response: string | null;
  readonly status: string;
  readonly ms: number;
  readonly promptTokens: number | null;
  readonly responseTokens: number | null;
  readonly startedAt: string;
};

/**
 * Judges for one run. After a failure that would meet every further call too (no server, no such model), it
 * answers the next questions with the same failure without asking.
 */
export type Judge = {
  readonly model: string;
  judge<Class extends string>(
    question: Question<Class>,
    signal: AbortSignal,
  ): AsyncGenerator<JudgementEvent, Judged<Class>>;
};

/** Answers that were given before in this task, by the question's fingerprint (see `question-key.ts`). */
export type JudgementMemory = {
  recall(fingerprint: string): unknown;
  keep(fingerprint: string, verdicts: unknown): void;
};
