/**
 * Renders one frame as text without a terminal: the first screen, or the review of a task.
 *
 * The same index, session and size give the same text, except for relative times.
 */
import { renderToString } from "ink";
import type { App } from "../app/app.ts";
import { draftStore } from "./effects/draft-store.ts";
import { initialState } from "./reducers/initial-state.ts";
import { update } from "./reducers/update.ts";
import type { Look, Size, State } from "./state/state.ts";
import { Frame } from "./views/frame.tsx";
import { openHandlers } from "./worker/handlers.ts";
import type { WorkerSetup } from "./worker/protocol.ts";

type SnapshotDeps = {
  readonly app: App;
  readonly workerSetup: WorkerSetup;
  readonly look: Look;
  readonly size: Size;
  readonly resume: string | null;
};

/** Throws `unknown-task` for a task that the log does not know. */
export async function snapshotText(
  { app, workerSetup, look, size, resume }: SnapshotDeps,
  signal: AbortSignal,
): Promise<string> {
  const { settings } = app.config;
  const { root } = app;
  const { model, format } = settings;
  const { handlers } = openHandlers(workerSetup, async () => app, null);
  const silent = (): void => {};
  let { state }: { state: State } = initialState({
    size,
    look: { ...look, colour: false },
    now: 0,
    project: { root, model },
    format,
    task: null,
    resume,
  });
  const index = await handlers.knownIndex(null, silent, signal);
  state = update(state, { is: "index-known", index }).state;
  state = update(state, { is: "home-loaded", ...(await handlers.home(null, silent, signal)) }).state;
  if (resume !== null) {
    const { taskId, task, round } = await handlers.resume({ taskId: resume, round: null }, silent, signal);
    const draft = draftStore(app.drafts).load(taskId);
    state = update(state, { is: "resumed", taskId, task, round, draft }).state;
  }
  return renderToString(<Frame state={state} />, { columns: size.columns });
}
