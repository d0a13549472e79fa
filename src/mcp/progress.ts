/**
 * Reports the progress of a call, if the client gave a token.
 *
 * Progress only increases, as the protocol requires, regardless of the counted steps; the message has the counts. Long runs
 * regularly return to the event loop, so that a cancellation is received.
 */
import type { App } from "../app/app.ts";
import type { IndexRequest } from "../app/indexing/index-repository.ts";
import { nextTurn } from "../concurrency/next-turn.ts";
import { stepText } from "../present/amounts.ts";
import type { PipelineEvent } from "../retrieval/model/events.ts";
import { counted } from "../text/counted.ts";

/** Sends one notification. */
export type Tell = (step: { readonly progress: number; readonly message: string }) => void;

export type Follow = {
  readonly onProgress: IndexRequest["onProgress"];
  say(message: string): void;
  run<Result>(
    pipeline: AsyncGenerator<PipelineEvent, Result>,
    onNotice?: (notice: NoticeEvent) => void,
  ): Promise<Result>;
};

type NoticeEvent = Extract<PipelineEvent, { event: "notice" }>;

/** The minimum time between notifications, except those of a new phase. */
const TELL_EVERY_MS = 200;
/** The maximum time between returns to the event loop, where a cancellation can arrive. */
const LISTEN_EVERY_MS = 20;

export function following(nowMs: App["nowMs"], tell: Tell | null): Follow {
  let progress = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let told = "";
  let heardAt = nowMs();
  const say = (message: string, isNew: boolean): void => {
    if (tell === null || message === told) return;
    const now = nowMs();
    if (!isNew && now - toldAt < TELL_EVERY_MS) return;
    progress += 1;
    [toldAt, told] = [now, message];
    tell({ progress, message });
  };
  let phase = "";
  return {
    say: (message) => say(message, true),
    onProgress(step) {
      const isNew = step.phase !== phase;
      phase = step.phase;
      say(stepText(step), isNew);
    },
    async run(pipeline, onNotice) {
      let stage = "reading the task";
      let considered = 0;
      for (;;) {
        const step = await pipeline.next();
        if (step.done) return step.value;
        const event = step.value;
        if (event.event === "notice") onNotice?.(event);
        if (event.event === "stage_started") {
          [stage, considered] = [event.stage, 0];
          say(stage, true);
        } else if (event.event === "file_considered" || event.event === "symbol_placed") {
          considered += 1;
          const counts = event.event === "file_considered" ? "file" : "symbol";
          say(`${stage} ${counted(considered, counts)}`, false);
        } else if (event.event === "judgement_started") {
          say(`${stage}: asking ${event.model}, call ${event.call} of ${event.calls}`, true);
        }
        if (event.event === "judgement_waiting") say(`${stage}: waiting for another run at the model server`, true);
        if (nowMs() - heardAt < LISTEN_EVERY_MS) continue;
        await nextTurn();
        heardAt = nowMs();
      }
    },
  };
}
