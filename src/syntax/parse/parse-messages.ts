/** The messages between the parse pool and its workers. */
import type { FileFacts } from "../facts/facts.ts";
import type { NamedModule } from "./wasm-modules.ts";

/**
 * `problem`: if not null, the text is measured without parsing, and its facts contain this problem. `modules`: the modules
 * of the language that the worker has not received yet.
 */
export type ParseRequest = {
  readonly text: string;
  readonly language: string;
  readonly problem: string | null;
  readonly workMax: number;
  readonly isFresh: boolean;
  readonly factsMax: number;
  readonly modules: readonly NamedModule[];
};

/**
 * A worker sends `ready` once, with the name of its thread if it has one. Then it answers each request. After `broken` it must
 * not be used again.
 */
export type ParseReply =
  | { readonly kind: "ready"; readonly thread: string | null }
  | { readonly kind: "done"; readonly facts: FileFacts; readonly stats: Uint8Array }
  /** Only a worker that has parsed nothing can tell what the file's facts are. */
  | { readonly kind: "unsure" }
  | { readonly kind: "broken"; readonly why: string };
