/** The worker thread that runs the jobs of `protocol.ts`. It may be terminated at any time. */
import { setPriority } from "node:os";
import type { OpenStored } from "../../app/workspace/workspace.ts";
import { Failed } from "../../failure.ts";
import { openHandlers } from "./handlers.ts";
import type { JobHandlers, JobName, Jobs, OpenHandlers, WorkerReply, WorkerRequest } from "./protocol.ts";

declare const self: Worker;

/** Where processors are few, the thread that draws goes first. On Linux this is about the calling thread alone, elsewhere about the process. */
const NICENESS = 5;
if (process.platform === "linux") {
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may refuse it; frames may then come later.
  }
}

let opened: OpenHandlers | null = null;
const stops = new Map<number, AbortController>();
const running = new Set<Promise<void>>();

self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  switch (data.kind) {
    case "open":
      opened = openHandlers(
        data.setup,
        (request) => importApp().then((app) => app.openApp(request, openStored)),
        data.taskId,
      );
      return;
    case "job":
      if (opened !== null) track(runJob(opened.handlers, data.id, data.job, data.input));
      return;
    case "cancel":
      stops.get(data.id)?.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
      return;
    case "close":
      for (const stop of stops.values()) stop.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
      // Jobs release their locks, such as the index lock, before the process exits.
      void Promise.all(running)
        .then(() => opened?.close())
        .finally(() => process.exit(0));
      return;
  }
});

function track(job: Promise<void>): void {
  running.add(job);
  void job.finally(() => running.delete(job));
}

const importApp = () => import("../../app/app.ts");
const openStored: OpenStored = async (...asked) =>
  (await import("../../app/serving/stored-members.ts")).openStoredMembers(...asked);

async function runJob<Name extends JobName>(
  handlers: JobHandlers,
  id: number,
  job: Name,
  input: Jobs[Name]["input"],
): Promise<void> {
  const reply = (message: WorkerReply<Name>): void => self.postMessage(message);
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const result = await handlers[job](input, (progress) => reply({ kind: "progress", id, progress }), stop.signal);
    reply({ kind: "result", id, result });
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
