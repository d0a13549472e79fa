/**
 * What a call tells its client while it works: notifications of progress, where the client gave a token.
 *
 * Progress only grows, as the protocol demands, whatever the steps count; what is counted stands in the message. The
 * loop of events is left now and then, so that a cancellation is heard while a long run goes on.
 */
import type { App } from "../app/app.ts";
import type { IndexRequest } from "../app/index-repository.ts";
import type { PipelineEvent } from "../retrieval/model/events.ts";

/** Sends one notification. */
export type Tell = (step: { readonly progress: number; readonly message: string }) => void;

export type Follow = {
  /** Steps of indexing. */
  readonly onProgress: IndexRequest["onProgress"];
  /** Says what goes on. */
  say(message: string): void;
  /** Runs a pipeline to its end. */
  run<Result>(pipeline: AsyncGenerator<PipelineEvent, Result>): Promise<Result>;
};

/** Notifications are at least so far apart, but for those that begin something. */
const TELL_EVERY_MS = 200;
/** Messages are heard at least so often. */
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
    onProgress({ phase: current, done, total }) {
      const isNew = current !== phase;
      phase = current;
      say(`${current} ${done}${total === null ? "" : ` of ${total}`}`, isNew);
    },
    async run(pipeline) {
      let stage = "reading the task";
      let considered = 0;
      for (;;) {
        const step = await pipeline.next();
        if (step.done) return step.value;
        const event = step.value;
        if (event.event === "stage_started") {
          [stage, considered] = [event.stage, 0];
          say(stage, true);
        } else if (event.event === "file_considered" || event.event === "symbol_placed") {
          considered += 1;
          say(`${stage} ${considered}`, false);
        } else if (event.event === "judgement_started") {
          say(`${stage}: asking ${event.model}, call ${event.call} of ${event.calls}`, true);
        }
        if (nowMs() - heardAt < LISTEN_EVERY_MS) continue;
        await new Promise((resume) => setImmediate(resume));
        heardAt = nowMs();
      }
    },
  };
}
