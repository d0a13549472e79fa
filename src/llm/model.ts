/**
 * What a language model is to the rest of cra: something that is asked, answers in pieces, and may fail.
 *
 * A failure is an answer, not an exception: the pipeline goes on without the model. Not here: the wire protocol
 * (`ollama.ts`), what is asked (`judgement/`).
 */

/** Why a call gave no answer. `limit` names the time limit that ran out. */
export type ModelFailure =
  | { readonly kind: "unreachable"; readonly why: string }
  | { readonly kind: "missing-model"; readonly model: string }
  | { readonly kind: "timeout"; readonly limit: "connect" | "first-token" | "idle" | "total"; readonly seconds: number }
  | { readonly kind: "refused"; readonly status: number; readonly why: string }
  | { readonly kind: "redirected" }
  | { readonly kind: "broken-off"; readonly why: string }
  | { readonly kind: "overlong"; readonly bytes: number }
  | { readonly kind: "no-text"; readonly why: string }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "no-room"; readonly windowTokens: number };

/** One call. `format` is a JSON Schema that the reply is held to; `replyTokensMax` bounds the reply. */
export type ModelRequest = {
  readonly system: string;
  readonly prompt: string;
  readonly format: Readonly<Record<string, unknown>>;
  readonly replyTokensMax: number;
};

/** Counts are the server's own, null when it gave none; `ms` is the whole call. */
export type ModelReply = {
  readonly text: string;
  readonly promptTokens: number | null;
  readonly responseTokens: number | null;
  readonly ms: number;
};

export type ModelAnswer =
  | { readonly ok: true; readonly reply: ModelReply }
  | {
      readonly ok: false;
      readonly failure: ModelFailure;
      /** What had arrived before it failed. */
      readonly partial: string;
      readonly ms: number;
    };

/** A model on a server. `baseUrl` has no credentials in it. */
export type Model = {
  readonly name: string;
  readonly baseUrl: string;
  /** Tokens that a prompt and its reply may take together. */
  readonly windowTokens: number;
  /** Yields the reply's text as it comes. Throws only the signal's reason, when it fires. */
  generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, ModelAnswer>;
};
