/** The messages between the parse pool and its workers. */
import { type PackedMeasured, packMeasured } from "../facts/facts-codec.ts";
import type { Measured } from "../facts/measure.ts";
import type { NamedModule } from "./wasm-modules.ts";

/**
 * `problem`: if not null, the text is measured without parsing, and its facts contain this problem. `modules`: the modules
 * of the language that the worker has not received yet. `packs`: the facts are packed.
 */
export type ParseRequest = {
  readonly text: string;
  readonly language: string;
  readonly problem: string | null;
  readonly workMax: number;
  readonly isFresh: boolean;
  readonly factsMax: number;
  readonly packs: boolean;
  readonly modules: readonly NamedModule[];
};

/**
 * A worker sends `ready` once, with the name of its thread if it has one. Then it answers each request. After `broken` it must
 * not be used again.
 */
export type ParseReply =
  | { readonly kind: "ready"; readonly thread: string | null }
  | ({ readonly kind: "done" } & Measured)
  | ({ readonly kind: "packed" } & PackedMeasured)
  /** Only a worker that has parsed nothing can tell what the file's facts are. */
  | { readonly kind: "unsure" }
  | { readonly kind: "broken"; readonly why: string };

/** What was found in a file, packed or not. */
export type Answer = Extract<ParseReply, { kind: "done" | "packed" }>;

export function measuredOf(answer: Answer): Measured {
  if (answer.kind === "packed") throw new Error("facts were packed that nobody wanted so");
  return { facts: answer.facts, stats: answer.stats };
}

export function packedOf(answer: Answer): PackedMeasured {
  if (answer.kind === "done") return packMeasured(answer);
  const { problem, packed, names, stats } = answer;
  return { problem, packed, names, stats };
}
