/** The interface of an embedding model: a vector for each text, or a failure, which is an answer and not an exception. */
import type { ModelFailure } from "./model.ts";

/** `vectors` has one row for each text, all of the same length. */
export type EmbedAnswer =
  | { readonly ok: true; readonly vectors: readonly Float32Array[] }
  | { readonly ok: false; readonly failure: ModelFailure };

export type Embedder = {
  readonly name: string;
  readonly baseUrl: string;
  /** Throws nothing but the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedAnswer>;
};
