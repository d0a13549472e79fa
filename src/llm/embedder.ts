/** The interface of an embedding model: a vector for each text, or a failure, which is an answer and not an exception. */
import type { ModelFailure } from "./model.ts";

/** `vectors` has one row for each text, all of the same length. */
export type EmbedAnswer =
  | { readonly ok: true; readonly vectors: readonly Float32Array[] }
  | { readonly ok: false; readonly failure: ModelFailure };

/** `storedAs`: what its vectors are stored under, its name and the digest of its weights where the server says it. */
export type Embedder = {
  readonly name: string;
  readonly storedAs: string;
  readonly baseUrl: string;
  /** Throws nothing but the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedAnswer>;
};

/** A model that nothing has been sent to. */
export type EmbedderSource = Pick<Embedder, "name" | "baseUrl"> & {
  /** Asks the server which weights it has. Throws nothing but the signal's reason: a server that is gone fails when it is asked to embed. */
  open(signal: AbortSignal): Promise<Embedder>;
};

const DIGEST_CHARS = 16;

/** Another model may come under the same name, and its vectors cannot be compared with those of the first. */
export const storedName = (name: string, digest: string | null): string =>
  digest === null ? name : `${name}@${digest.slice(0, DIGEST_CHARS)}`;
