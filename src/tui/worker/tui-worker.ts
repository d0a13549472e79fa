/**
 * The worker thread that does the jobs of `protocol.ts`. It may be terminated at any time.
 */
import { Failed } from "../../failure.ts";
import { openHandlers } from "./handlers.ts";
import type { Crew, JobHandlers, JobName, Jobs, WorkerReply, WorkerRequest } from "./protocol.ts";

declare const self: Worker;

let crew: Crew | null = null;
const stops = new Map<number, AbortController>();
/** The jobs that have not ended. */
const working = new Set<Promise<void>>();

self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  switch (data.kind) {
    case "open":
      crew = openHandlers(data.world, (request) => door().then((app) => app.openApp(request)), data.standing);
      return;
    case "do":
      if (crew !== null) begin(work(crew.jobs, data.id, data.job, data.ask));
      return;
    case "cancel":
      stops.get(data.id)?.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
      return;
    case "close":
      for (const stop of stops.values()) stop.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
      // What a job holds, such as the right to index, it gives back on its way out.
      void Promise.all(working)
        .then(() => crew?.close())
        .finally(() => process.exit(0));
      return;
  }
});

function begin(job: Promise<void>): void {
  working.add(job);
  void job.finally(() => working.delete(job));
}

const door = () => import("../../app/app.ts");

async function work<Name extends JobName>(
  to: JobHandlers,
  id: number,
  job: Name,
  ask: Jobs[Name]["ask"],
): Promise<void> {
  const reply = (message: WorkerReply<Name>): void => self.postMessage(message);
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const answer = await to[job](ask, (news) => reply({ kind: "news", id, news }), stop.signal);
    reply({ kind: "answer", id, answer });
  } catch (error) {
    if (error instanceof Failed) reply({ kind: "failed", id, failure: error.failure });
    else {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
      reply({ kind: "bug", id, message, stack });
    }
  } finally {
    stops.delete(id);
  }
}
