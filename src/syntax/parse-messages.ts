/** What the parse pool and its workers say to each other. */
import type { FileFacts } from "./facts.ts";

/** `problem`: when not null the text is not parsed but only measured, and its facts carry this problem. */
export type ParseRequest = {
  readonly text: string;
  readonly language: string;
  readonly problem: string | null;
  readonly timeMsMax: number;
  readonly factsMax: number;
};

/** A worker says `ready` once, then answers each request; after `broken` it must not be used again. */
export type ParseReply =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly facts: FileFacts; readonly stats: Uint8Array }
  | { readonly kind: "broken"; readonly why: string };
