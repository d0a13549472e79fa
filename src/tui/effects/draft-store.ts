/** Loads and saves drafts in the data folder: one for each task, and one for a task that never ran. */
import type { App } from "../../app/app.ts";
import { type Draft, readDraft } from "../state/draft.ts";

export type DraftStore = {
  /** The draft of a task, or at null the one of a task that was never run. */
  load(taskId: string | null): Draft | null;
  /** Throws an input/output failure. */
  keep(draft: Draft): void;
};

export function draftStore(drafts: App["drafts"]): DraftStore {
  /** Whether the draft of a task that was never run is the one that is worked on here. */
  let ownsUnrun = false;
  return {
    load(taskId) {
      const draft = readDraft(drafts.read(taskId));
      ownsUnrun ||= taskId === null && draft !== null;
      return draft;
    },
    keep(draft) {
      const isUnrun = draft.taskId === null;
      const saysNothing = isUnrun && draft.task === "";
      if (!saysNothing) drafts.write(draft.taskId, draft);
      // The task has begun, or its text was taken back.
      if (ownsUnrun && (!isUnrun || saysNothing)) drafts.remove(null);
      ownsUnrun = isUnrun && !saysNothing;
    },
  };
}
