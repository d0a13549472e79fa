/**
 * What the index itself makes worth knowing, for every run on it alike.
 *
 * Read from the index's own description, so that it is the same whether or not a run has refreshed the index.
 * Not here: what one run met, such as an index that could not be refreshed (the caller hands these in).
 */
import type { IndexMeta } from "../db/curated/knowledge-base.ts";
import type { Notice } from "../failure.ts";

export function indexNotices(meta: IndexMeta): readonly Notice[] {
  const unread = unreadInputs(meta);
  return [
    ...(meta.historyProblem === null ? [] : [{ code: "history-missing", why: meta.historyProblem } as const]),
    ...(unread === 0 ? [] : [{ code: "inputs-skipped", count: unread } as const]),
  ];
}

/** How many files could not be read when the index was made. */
export const unreadInputs = ({ skipped }: IndexMeta): number =>
  skipped.find(({ reason }) => reason === "unreadable")?.count ?? 0;
