/**
 * Effects that work for some time and can be stopped: runs, indexing and dry runs.
 *
 * Only the newest of each kind counts; starting another one stops it.
 */
import { Failed, type Failure } from "../../failure.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { Action } from "../state/actions.ts";
import type { Draft } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import type { KnownIndex, RunProgress } from "../worker/protocol.ts";
import type { WorkerClient } from "../worker/worker-client.ts";

/** A dry run starts after this pause, longer than between the keys of a typist, so that none delays the frame of the next key. */
const DRY_RUN_AFTER_MS = 150;

/** How to word what suggests commands, so that these name the repository and data folder of the interface. */
export type Wording = {
  /** The sentence of a failure. */
  failed(failure: Failure): string;
  /** The sentence of a notice, with its commands completed. */
  noticed(sentence: string): string;
};

type RunEffect = Extract<Effect, { do: "retrieve" | "refine" | "return" }>;

type RunEffects = {
  /** Ends with a `finished`, `cancelled` or `failed` action. Rejects with a bug, or when there is nothing to review. */
  run(effect: RunEffect): Promise<void>;
  cancelRun(id: number): void;
  index(): Promise<void>;
  cancelIndex(): void;
  /** Loads what is known of the index, unless indexing is in progress, which reports its own end. */
  knownIndex(): Promise<void>;
  dryRun(effect: Extract<Effect, { do: "dry-run" }>): Promise<void>;
};

/** `draftOf` loads the draft of a task. */
export function runEffects(
  worker: WorkerClient,
  draftOf: (taskId: string) => Draft | null,
  { failed, noticed }: Wording,
  send: (action: Action) => void,
): RunEffects {
  let run: { readonly id: number; readonly stop: AbortController } | null = null;
  let indexing: AbortController | null = null;
  let dryRun: AbortController | null = null;
  const worded = (event: PipelineEvent): PipelineEvent =>
    event.event === "notice" ? { ...event, message: noticed(event.message) } : event;
  return {
    async run(effect) {
      const { run: id } = effect;
      run?.stop.abort();
      const stop = new AbortController();
      run = { id, stop };
      const onProgress = (progress: RunProgress): void =>
        send(
          "step" in progress
            ? { is: "refreshing", run: id, step: progress.step }
            : "model" in progress
              ? { is: "model-known", model: progress.model }
              : { is: "events", run: id, events: progress.events.map(worded) },
        );
      try {
        const round =
          effect.do === "retrieve"
            ? await worker.run("retrieve", effect, onProgress, stop.signal)
            : effect.do === "refine"
              ? await worker.run("refine", effect, onProgress, stop.signal)
              : await worker.run("returnTo", effect, onProgress, stop.signal);
        const draft = effect.do === "retrieve" ? draftOf(round.taskId) : null;
        send({ is: "finished", run: id, round, ...(draft === null ? {} : { draft }) });
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        if (effect.do === "retrieve" && effect.task === "" && error.failure.code === "no-match") throw error;
        if (stop.signal.aborted) send({ is: "cancelled", run: id });
        else send({ is: "failed", run: id, message: failed(error.failure) });
      }
    },
    cancelRun(id) {
      if (run?.id === id) run.stop.abort();
    },
    async index() {
      indexing?.abort();
      const stop = new AbortController();
      indexing = stop;
      try {
        const index = await worker.run("index", null, (step) => send({ is: "indexing", step }), stop.signal);
        send({ is: "index-known", index });
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        const unmade: KnownIndex = { status: "failed", files: null, headline: failed(error.failure) };
        if (!stop.signal.aborted) send({ is: "index-known", index: unmade });
        else send({ is: "index-known", index: await worker.run("knownIndex", null) });
      } finally {
        if (indexing === stop) indexing = null;
      }
    },
    cancelIndex: () => indexing?.abort(),
    async knownIndex() {
      const index = await worker.run("knownIndex", null);
      if (indexing === null) send({ is: "index-known", index });
    },
    async dryRun({ id, rejecting, request, budget, coverage }) {
      dryRun?.abort();
      const stop = new AbortController();
      dryRun = stop;
      await new Promise((after) => setTimeout(after, DRY_RUN_AFTER_MS));
      if (stop.signal.aborted) return;
      try {
        const result = await worker.run("dryRun", { request, budget, coverage, rejecting }, undefined, stop.signal);
        if (result !== null) send({ is: "dry-run-finished", id, result });
      } catch (error) {
        if (!(error instanceof Failed && stop.signal.aborted)) throw error;
      }
    },
  };
}
