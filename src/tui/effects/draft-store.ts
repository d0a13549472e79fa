/** Loads and saves drafts in the data folder: one for each task, and one for a task that never ran. */
import type { App } from "../../app/app.ts";
import { type Draft, decidesAnything, emptyDraft, readDraft } from "../state/draft.ts";

export type DraftStore = {
  /** The draft of a task, or at null the one of a task that was never run. */
  load(taskId: string | null): Draft | null;
  /** Throws an input/output failure. */
  keep(draft: Draft): void;
  /** Names the session of a task; null takes the name away. Throws an input/output failure. */
  rename(session: { readonly taskId: string; readonly task: string; readonly title: string | null }): void;
};

export function draftStore(drafts: App["drafts"]): DraftStore {
  /** Whether the draft of a task that was never run is the one that is worked on here. */
  let ownsUnrun = false;
  /** Names of sessions by task, as far as they are known; undefined is none. */
  const titles = new Map<string, string | undefined>();
  const titleOf = (taskId: string): string | undefined => {
    if (!titles.has(taskId)) titles.set(taskId, readDraft(drafts.read(taskId))?.title);
    return titles.get(taskId);
  };
  const titled = (draft: Draft): Draft => {
    const title = draft.taskId === null ? undefined : titleOf(draft.taskId);
    const { title: _, ...others } = draft;
    return title === undefined ? others : { ...others, title };
  };
  const write = (taskId: string | null, { files, symbols, undo, redo, ...typed }: Draft): void =>
    drafts.write(taskId, typed, { files, symbols, undo, redo });
  /** Whether the task is merely run again, and its draft has decisions that no round has applied. */
  const isOnlyBegun = (draft: Draft): boolean => {
    if (draft.taskId === null || draft.round > 0 || decidesAnything(draft)) return false;
    const before = readDraft(drafts.read(draft.taskId));
    return before !== null && before.round > 0 && decidesAnything(before);
  };
  return {
    load(taskId) {
      const draft = readDraft(drafts.read(taskId));
      ownsUnrun ||= taskId === null && draft !== null;
      return draft;
    },
    keep(draft) {
      const isUnrun = draft.taskId === null;
      const saysNothing = isUnrun && draft.task === "";
      if (!saysNothing && !isOnlyBegun(draft)) write(draft.taskId, titled(draft));
      // The task has begun, or its text was taken back.
      if (ownsUnrun && (!isUnrun || saysNothing)) drafts.remove(null);
      ownsUnrun = isUnrun && !saysNothing;
    },
    rename({ taskId, task, title }) {
      const before = readDraft(drafts.read(taskId)) ?? emptyDraft(taskId, task);
      titles.set(taskId, title ?? undefined);
      write(taskId, titled(before));
    },
  };
}
