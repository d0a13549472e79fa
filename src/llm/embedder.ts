/**
 * What an embedding model is to the rest of cra: something that gives a vector for each text, and may fail.
 *
 * As with `Model`, a failure is an answer: whoever asks goes on without vectors. Not here: the wire protocol.
 */
import type { ModelFailure } from "./model.ts";

/** `vectors` has one row for each text, all of one length, as the server gave them. */
export type EmbedAnswer =
  | { readonly ok: true; readonly vectors: readonly Float32Array[] }
  | { readonly ok: false; readonly failure: ModelFailure };

export type Embedder = {
  readonly name: string;
  readonly baseUrl: string;
  /** Throws only the signal's reason, when it fires. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedAnswer>;
};
