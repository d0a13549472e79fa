/**
 * Asks a model about files, one question after the other, and stores each answer at once.
 *
 * A run can stop at any moment; the next one continues with the files that have no answer. A file without a usable answer
 * is reported and skipped; the run ends when the server or the model is gone. Answers belong to the indexed content.
 */

import type { z } from "zod";
import { resultOf } from "../concurrency/result-of.ts";
import { type AskDeps, ask } from "../judgement/ask.ts";
import type { Model, ModelFailure } from "../llm/model.ts";
import { answersByPath, GroupAnswer, groupQuestion, groupsOf } from "./group-question.ts";
import { type Content, fromContents, type Material } from "./material.ts";
import { type FileQuestion, fileQuestion } from "./prompt.ts";
import { EnrichmentAnswer, recordOf, toStored, toStoredFailure } from "./record.ts";

type EnrichDeps = AskDeps & {
  readonly model: Model;
  /** Reads files from the index, without those that are gone or have changed. */
  read(contents: readonly Content[]): readonly Material[];
  keep(content: Content, output: string): void;
  /** Records in the log that this content got no usable answer. */
  keepFailure(content: Content, output: string): void;
};

/** Progress on one file, and how many are done. `gone`: the file was changed or removed since. */
export type EnrichStep = { readonly path: string; readonly done: number; readonly total: number } & (
  | { readonly kind: "asking" | "answered" | "gone" }
  | { readonly kind: "failed"; readonly failure: ModelFailure }
);

/** `stoppedBy`: the failure that ended the run early, or null. */
export type EnrichOutcome = {
  readonly answered: number;
  readonly failed: readonly { readonly path: string; readonly failure: ModelFailure }[];
  readonly gone: number;
  readonly stoppedBy: ModelFailure | null;
};

export const STAGE = "enrichment";

/** Files read from the index at once. The model takes seconds for each, and meanwhile the index is closed. */
const FILES_PER_READ = 16;

/**
 * Asks about the files in order, small ones together. A model that gives no answer to a question about several is asked about one at a
 * time from then on. Throws the signal's reason.
 */
export async function* enrichFiles(
  contents: readonly Content[],
  deps: EnrichDeps,
  signal: AbortSignal,
): AsyncGenerator<EnrichStep, EnrichOutcome> {
  const tally: Tally = { answered: 0, failed: [], gone: 0, serverFailures: 0, stoppedBy: null };
  const stepOn = ({ path }: Content) => ({
    path,
    done: tally.answered + tally.gone + tally.failed.length,
    total: contents.length,
  });
  const asking = { ...deps, tally, stepOn };
  let isTogether = true;
  for (const read of fromContents(contents, FILES_PER_READ, deps.read)) {
    for (const { content, material } of read) {
      if (material !== null) continue;
      tally.gone += 1;
      yield { kind: "gone", ...stepOn(content) };
    }
    const materials = read.flatMap(({ material }) => material ?? []);
    for (const group of groupsOf(materials, deps.counter)) {
      let alone: readonly Material[] = group;
      if (isTogether && group.length > 1) {
        alone = yield* askTogether(group, asking, signal);
        isTogether = alone.length < group.length;
      }
      for (const material of alone) {
        if (tally.stoppedBy === null) yield* askAlone(material, asking, signal);
      }
      if (tally.stoppedBy !== null) return outcomeOf(tally);
    }
  }
  return outcomeOf(tally);
}

type Tally = {
  answered: number;
  readonly failed: { readonly path: string; readonly failure: ModelFailure }[];
  gone: number;
  /** Server failures in a row. */
  serverFailures: number;
  stoppedBy: ModelFailure | null;
};

const outcomeOf = ({ answered, failed, gone, stoppedBy }: Tally): EnrichOutcome => ({
  answered,
  failed,
  gone,
  stoppedBy,
});

type AskingDeps = EnrichDeps & {
  readonly tally: Tally;
  stepOn(content: Content): { readonly path: string; readonly done: number; readonly total: number };
};

function keepAnswer(material: Material, answer: EnrichmentAnswer, { keep, tally }: AskingDeps): void {
  keep(material, toStored(recordOf(answer)));
  tally.answered += 1;
  tally.serverFailures = 0;
}

/** Whether a failure leaves other files to ask about; what ends the run is noted. */
function noteFailure(failure: ModelFailure, tally: Tally): boolean {
  const scope = scopeOf(failure);
  tally.serverFailures = scope === "server" ? tally.serverFailures + 1 : 0;
  if (scope === "all" || tally.serverFailures === SERVER_FAILURES_MAX) tally.stoppedBy = failure;
  return scope !== "all";
}

async function* askAlone(material: Material, deps: AskingDeps, signal: AbortSignal): AsyncGenerator<EnrichStep, void> {
  const { model, counter, fence, tally, stepOn, keepFailure } = deps;
  signal.throwIfAborted();
  yield { kind: "asking", ...stepOn(material) };
  const question = fileQuestion(material, model.windowTokens, counter, fence);
  if (question === null) {
    tally.stoppedBy = { kind: "no-room", windowTokens: model.windowTokens };
    return;
  }
  const answer = await answerTo(question, EnrichmentAnswer, deps, signal);
  if (answer.ok) {
    keepAnswer(material, answer.value, deps);
    yield { kind: "answered", ...stepOn(material) };
    return;
  }
  const { failure } = answer;
  if (!noteFailure(failure, tally)) return;
  tally.failed.push({ path: material.path, failure });
  keepFailure(material, toStoredFailure(failure.kind));
  yield { kind: "failed", failure, ...stepOn(material) };
}

/** Returns the files without an answer. */
async function* askTogether(
  group: readonly Material[],
  deps: AskingDeps,
  signal: AbortSignal,
): AsyncGenerator<EnrichStep, readonly Material[]> {
  const { model, counter, fence, tally, stepOn } = deps;
  signal.throwIfAborted();
  const question = groupQuestion(group, model.windowTokens, counter, fence);
  if (question === null) return group;
  for (const material of group.slice(0, 1)) yield { kind: "asking", ...stepOn(material) };
  const answer = await answerTo(question, GroupAnswer, deps, signal);
  if (!answer.ok) {
    noteFailure(answer.failure, tally);
    return group;
  }
  const answers = answersByPath(answer.value, group, fence);
  for (const material of group) {
    const own = answers.get(material.path);
    if (own === undefined) continue;
    keepAnswer(material, own, deps);
    yield { kind: "answered", ...stepOn(material) };
  }
  return group.filter(({ path }) => !answers.has(path));
}

const answerTo = <T>(question: FileQuestion, schema: z.ZodType<T>, deps: EnrichDeps, signal: AbortSignal) =>
  resultOf(ask({ model: deps.model, stage: STAGE, schema, ...question }, deps, signal));

/**
 * What a failure affects. `file`: only this file. `server`: possibly more; a few in a row end the run. `all`: every
 * further question would fail too.
 */
type FailureScope = "file" | "server" | "all";

/** This many server failures in a row end the run: each may have taken the whole time limit. */
const SERVER_FAILURES_MAX = 3;

function scopeOf(failure: ModelFailure): FailureScope {
  switch (failure.kind) {
    case "unreachable":
    case "missing-model":
    case "redirected":
    // Files are cut to fit, so this window is too small for any file.
    case "no-room":
    case "embeds-only":
    case "out-of-time":
      return "all";
    case "timeout":
      return failure.limit === "connect" ? "all" : "server";
    case "refused":
    case "broken-off":
      return "server";
    case "overlong":
    case "no-text":
    case "invalid":
    case "repeating":
      return "file";
  }
}
