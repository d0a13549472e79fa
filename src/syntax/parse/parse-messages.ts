/** What the parse pool and its workers say to each other. */
import type { FileFacts } from "../facts/facts.ts";
import type { NamedModule } from "./wasm-modules.ts";

/**
 * `problem`: when not null the text is not parsed but only measured, and its facts carry this problem. `modules`: what
 * it takes to parse the language, as far as the worker has not been given it.
 */
export type ParseRequest = {
  readonly text: string;
  readonly language: string;
  readonly problem: string | null;
  readonly timeMsMax: number;
  readonly factsMax: number;
  readonly modules: readonly NamedModule[];
};

/**
 * A worker says `ready` once, with a name of its thread where there is one; then it answers each request, and says
 * before that when it is done with the syntax of a long file. After `broken` it must not be used again.
 */
export type ParseReply =
  | { readonly kind: "ready"; readonly thread: string | null }
  | { readonly kind: "parsed" }
  | { readonly kind: "done"; readonly facts: FileFacts; readonly stats: Uint8Array }
  | { readonly kind: "broken"; readonly why: string };
