/** The interface of a language model: a reply in pieces, or a failure, which is an answer and not an exception. */

/** Why a call gave no reply. `limit` names the time limit that ran out. */
export type ModelFailure =
  | { readonly kind: "unreachable"; readonly why: string }
  /** `listed`: the models that a server has, where it names them. */
  | { readonly kind: "missing-model"; readonly model: string; readonly listed?: readonly string[] }
  | { readonly kind: "timeout"; readonly limit: "connect" | "first-token" | "idle" | "total"; readonly seconds: number }
  | { readonly kind: "refused"; readonly status: number; readonly why: string }
  | { readonly kind: "redirected" }
  | { readonly kind: "broken-off"; readonly why: string }
  | { readonly kind: "overlong"; readonly bytes: number }
  | { readonly kind: "no-text"; readonly why: string }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "no-room"; readonly windowTokens: number }
  /** The reply said the same again and again. */
  | { readonly kind: "repeating" }
  /** The model makes vectors and writes no text. */
  | { readonly kind: "embeds-only" }
  /** The time that the user gives models ran out. */
  | { readonly kind: "out-of-time"; readonly seconds: number };

/**
 * One call. `format` is the JSON Schema of the reply; `replyTokensMax` bounds it. `isRetry`: the reply before had not that
 * form, so the client may ask in another way. `secondsMax` bounds the call besides the client's own limits.
 */
export type ModelRequest = {
  readonly system: string;
  readonly prompt: string;
  readonly format: Readonly<Record<string, unknown>>;
  readonly replyTokensMax: number;
  readonly isRetry?: boolean;
  readonly secondsMax?: number;
};

/**
 * The server's own counts, null when it gives none; `ms` is the time of the whole call. `time` says what reading the prompt
 * and writing the reply took, by the server or else by the clock, without loading the model.
 */
type ModelReply = {
  readonly text: string;
  readonly promptTokens: number | null;
  readonly responseTokens: number | null;
  readonly ms: number;
  readonly time: {
    readonly promptTokens: number;
    readonly promptMs: number;
    readonly answerTokens: number;
    readonly answerMs: number;
  };
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

/** A model whose server was not asked yet. `baseUrl` has no credentials in it. */
export type ModelSource = {
  readonly name: string;
  readonly baseUrl: string;
  /** Asks the server what it is and how the model works. Throws nothing but the signal's reason. */
  open(
    signal: AbortSignal,
  ): Promise<{ readonly ok: true; readonly model: Model } | { readonly ok: false; readonly failure: ModelFailure }>;
};

/** A model on a server. */
export type Model = {
  readonly name: string;
  readonly baseUrl: string;
  /** Which weights answer under the name, as the server says it; null if it does not. */
  readonly digest: string | null;
  /** The tokens of a prompt and its reply together. */
  readonly windowTokens: number;
  /** Yields the text of the reply as it arrives. Throws nothing but the signal's reason. */
  generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<string, ModelAnswer>;
};
