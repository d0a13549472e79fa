/** The jobs about sessions: listing and deleting them, and the rounds of one. */
import type { App } from "../../app/app.ts";
import { readDraft } from "../state/draft.ts";
import type { SessionRow } from "../state/state.ts";
import type { JobHandlers } from "./protocol.ts";

const SESSIONS_MAX = 500;

export function sessionHandlers(openApp: () => Promise<App>): Pick<JobHandlers, "rounds" | "deleteSession"> {
  return {
    rounds: async (taskId) => await (await openApp()).rounds(taskId),
    async deleteSession(taskId, _onProgress, signal) {
      await (await openApp()).deleteSession(taskId, signal);
      return null;
    },
  };
}

/** The sessions that can be resumed, the last used first. */
export async function sessionsOf(app: App): Promise<readonly SessionRow[]> {
  return (await app.sessions())
    .filter(({ state }) => state !== "empty" && state !== "damaged")
    .slice(0, SESSIONS_MAX)
    .map(({ taskId, task, purpose, rounds, lastUsed }) => ({
      taskId,
      task,
      ...(purpose === null ? {} : { purpose }),
      rounds,
      lastUsed,
      ...draftFacts(app, taskId),
    }));
}

/** The name that the user gave a session, and whether its draft has marks that no round has applied. */
function draftFacts({ drafts }: App, taskId: string): Pick<SessionRow, "title" | "unsaved"> {
  const draft = drafts.has(taskId) ? readDraft(drafts.read(taskId)) : null;
  return { title: draft?.title ?? null, unsaved: draft !== null && draft.files.length + draft.symbols.length > 0 };
}
