/**
 * Says on the line of progress that a model is being waited for, and for how long it has said nothing.
 *
 * A model that is loaded first, or hangs, sends nothing that the line could be drawn on: it is drawn by a timer.
 * Not here: the line itself (`progress.ts`).
 */
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { duration, type Progress } from "./progress.ts";

/** How often the seconds are drawn anew, in milliseconds. */
const TICK_MS = 500;

type ModelProgress = {
  /** Whether the event was about a model. */
  follow(event: PipelineEvent): boolean;
  stop(): void;
};

/** `stop` must be called, whatever happens. */
export function waitingOn(progress: Progress, nowMs: () => number): ModelProgress {
  let timer: ReturnType<typeof setInterval> | null = null;
  let words = "";
  let saidAt = 0;
  const draw = (): void => progress.update({ phase: waitingWords(words, nowMs() - saidAt), done: 0, total: null });
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    stop,
    follow(event) {
      switch (event.event) {
        case "judgement_started": {
          const { stage, model, candidates, call, calls } = event;
          words = `${stage}: ${model} judges ${candidates}${calls > 1 ? `, call ${call} of ${calls}` : ""}`;
          saidAt = nowMs();
          draw();
          timer ??= setInterval(draw, TICK_MS);
          return true;
        }
        case "judgement_text":
          saidAt = nowMs();
          return true;
        case "judgement_finished":
          stop();
          return true;
        default:
          return false;
      }
    },
  };
}

/** The line's text, with the time since the last sign of life once that is a second. */
function waitingWords(words: string, silentMs: number): string {
  return silentMs < 1_000 ? words : `${words}, silent for ${duration(Math.floor(silentMs / 1_000))}`;
}
