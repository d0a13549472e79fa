/**
 * Asks a model about files, one after the other, and keeps each answer as soon as it is there.
 *
 * So it can be stopped at any moment, and going on means asking about the files that have no answer yet. A file without
 * a usable answer is passed over and named; when the server or the model is gone, asking ends. Kept is only what was
 * said of the content that is indexed.
 */
import { type AskDeps, ask } from "../judgement/ask.ts";
import type { Model, ModelFailure } from "../llm/model.ts";
import { SERVER_FAILURES_MAX, troubleOf } from "./failed-answer.ts";
import { type Content, fromContents, type Material } from "./material.ts";
import { fileQuestion } from "./prompt.ts";
import { EnrichmentAnswer, recordOf, toStored, toStoredFailure } from "./record.ts";

/** What asking about files needs. */
export type EnrichWorld = AskDeps & {
  readonly model: Model;
  /** Reads files from the index; leaves out those that are not there, or have other content by now. */
  read(contents: readonly Content[]): readonly Material[];
  /** Keeps an answer for good. */
  keep(content: Content, output: string): void;
  /** Keeps that this content got no usable answer, for those who ask next. */
  keepFailure(content: Content, output: string): void;
};

/** What becomes of a file, and how many are done now. `gone`: its content is no longer the one to ask about. */
export type EnrichStep = { readonly path: string; readonly done: number; readonly total: number } & (
  | { readonly kind: "asking" | "answered" | "gone" }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
);

/** `stoppedBy`: why not all files were asked about; null when all were. */
export type EnrichOutcome = {
  readonly answered: number;
  readonly failed: readonly { readonly path: string; readonly failure: ModelFailure }[];
  readonly gone: number;
  readonly stoppedBy: ModelFailure | null;
};

export const STAGE = "enrichment";

/** So many files are read from the index at once. The model takes seconds for each, and meanwhile the index is free. */
const FILES_PER_READ = 16;

/** Asks about the files, in their order. Throws the signal's reason. */
export async function* enrichFiles(
  contents: readonly Content[],
  world: EnrichWorld,
  signal: AbortSignal,
): AsyncGenerator<EnrichStep, EnrichOutcome> {
  const total = contents.length;
  const failed: { path: string; failure: ModelFailure }[] = [];
  let answered = 0;
  let gone = 0;
  let serverFailures = 0;
  let stoppedBy: ModelFailure | null = null;
  for (const { content, material } of fromContents(contents, FILES_PER_READ, world.read)) {
    signal.throwIfAborted();
    const { path } = content;
    const step = () => ({ path, done: answered + gone + failed.length, total });
    if (material === null) {
      gone += 1;
      yield { kind: "gone", ...step() };
      continue;
    }
    yield { kind: "asking", ...step() };
    const said = await askAbout(material, world, signal);
    if (said.ok) {
      world.keep(content, toStored(recordOf(said.value)));
      answered += 1;
      serverFailures = 0;
      yield { kind: "answered", ...step() };
      continue;
    }
    const { failure } = said;
    const trouble = troubleOf(failure);
    if (trouble === "all") {
      stoppedBy = failure;
      break;
    }
    failed.push({ path, failure });
    world.keepFailure(content, toStoredFailure(failure.kind));
    yield { kind: "failed", failure, ...step() };
    serverFailures = trouble === "server" ? serverFailures + 1 : 0;
    if (serverFailures === SERVER_FAILURES_MAX) {
      stoppedBy = failure;
      break;
    }
  }
  return { answered, failed, gone, stoppedBy };
}

async function askAbout(material: Material, world: EnrichWorld, signal: AbortSignal) {
  const { model, counter, fence } = world;
  const question = fileQuestion(material, model.windowTokens, counter, fence);
  if (question === null) return { ok: false, failure: { kind: "no-room", windowTokens: model.windowTokens } } as const;
  const asking = ask({ model, stage: STAGE, schema: EnrichmentAnswer, ...question }, world, signal);
  let step = await asking.next();
  while (!step.done) step = await asking.next();
  return step.value;
}
