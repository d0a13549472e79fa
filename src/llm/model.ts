/** The interface of a language model: a reply in pieces, or a failure, which is an answer and not an exception. */

/** Why a call gave no reply. `limit` names the time limit that ran out. */
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

/** One call. `format` is the JSON Schema of the reply; `replyTokensMax` bounds it. */
export type ModelRequest = {
  readonly system: string;
  readonly prompt: string;
  readonly format: Readonly<Record<string, unknown>>;
  readonly replyTokensMax: number;
};

/** The server's own counts, null when it gives none; `ms` is the time of the whole call. */
type ModelReply = {
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
      /** What arrived before the failure. */
      readonly partial: string;
      readonly ms: number;
    };

/** A model on a server. `baseUrl` has no credentials in it. */
export type Model = {
  readonly name: string;
  readonly baseUrl: string;
  /** The tokens of a prompt and its reply together. */
  readonly windowTokens: number;
  /** Yields the text of the reply as it arrives. Throws nothing but the signal's reason. */
  generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, ModelAnswer>;
};
