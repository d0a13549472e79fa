/**
 * Asks a model about files, one after the other, and stores each answer at once.
 *
 * A run can stop at any moment; the next one continues with the files that have no answer. A file without a usable answer
 * is reported and skipped; the run ends when the server or the model is gone. Answers belong to the indexed content.
 */
import { type AskDeps, ask } from "../judgement/ask.ts";
import type { Model, ModelFailure } from "../llm/model.ts";
import { type Content, fromContents, type Material } from "./material.ts";
import { fileQuestion } from "./prompt.ts";
import { EnrichmentAnswer, recordOf, toStored, toStoredFailure } from "./record.ts";

type EnrichDeps = AskDeps & {
  readonly model: Model;
  /** Reads files from the index, without those that are gone or have changed. */
  read(contents: readonly Content[]): readonly Material[];
  /** Stores an answer in the log. */
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

/** Asks about the files in order. Throws the signal's reason. */
export async function* enrichFiles(
  contents: readonly Content[],
  deps: EnrichDeps,
  signal: AbortSignal,
): AsyncGenerator<EnrichStep, EnrichOutcome> {
  const total = contents.length;
  const failed: { path: string; failure: ModelFailure }[] = [];
  let answered = 0;
  let gone = 0;
  let serverFailures = 0;
  let stoppedBy: ModelFailure | null = null;
  for (const { content, material } of fromContents(contents, FILES_PER_READ, deps.read)) {
    signal.throwIfAborted();
    const { path } = content;
    const step = () => ({ path, done: answered + gone + failed.length, total });
    if (material === null) {
      gone += 1;
      yield { kind: "gone", ...step() };
      continue;
    }
    yield { kind: "asking", ...step() };
    const answer = await askAbout(material, deps, signal);
    if (answer.ok) {
      deps.keep(content, toStored(recordOf(answer.value)));
      answered += 1;
      serverFailures = 0;
      yield { kind: "answered", ...step() };
      continue;
    }
    const { failure } = answer;
    const scope = scopeOf(failure);
    if (scope === "all") {
      stoppedBy = failure;
      break;
    }
    failed.push({ path, failure });
    deps.keepFailure(content, toStoredFailure(failure.kind));
    yield { kind: "failed", failure, ...step() };
    serverFailures = scope === "server" ? serverFailures + 1 : 0;
    if (serverFailures === SERVER_FAILURES_MAX) {
      stoppedBy = failure;
      break;
    }
  }
  return { answered, failed, gone, stoppedBy };
}

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

async function askAbout(material: Material, deps: EnrichDeps, signal: AbortSignal) {
  const { model, counter, fence } = deps;
  const question = fileQuestion(material, model.windowTokens, counter, fence);
  if (question === null) return { ok: false, failure: { kind: "no-room", windowTokens: model.windowTokens } } as const;
  const asking = ask({ model, stage: STAGE, schema: EnrichmentAnswer, ...question }, deps, signal);
  let step = await asking.next();
  while (!step.done) step = await asking.next();
  return step.value;
}
