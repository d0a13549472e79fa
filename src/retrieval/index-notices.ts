/** The notices that the index itself gives every run on it. They follow from its description, refreshed or not. */
import type { IndexMeta } from "../db/curated/meta.ts";
import { historyNotices, type Notice } from "../notice.ts";
import { provisionalNotice } from "./model/provisional.ts";

export function indexNotices(meta: IndexMeta): readonly Notice[] {
  const unread = unreadInputs(meta);
  const provisional = provisionalNotice(meta);
  return [
    ...leftOutNotices(meta),
    ...(provisional === null ? [] : [provisional]),
    ...historyNotices(meta),
    ...(unread === 0 ? [] : [{ code: "inputs-skipped", count: unread } as const]),
  ];
}

/** What a union of repositories lacks. */
export const leftOutNotices = ({ leftOut = [] }: IndexMeta): readonly Notice[] =>
  leftOut.map(({ name, why }) => ({ code: "repository-left-out", name, why }));

/** The number of files that could not be read when the index was built. */
export const unreadInputs = ({ skipped }: IndexMeta): number =>
  skipped.find(({ reason }) => reason === "unreadable")?.count ?? 0;
