/** What the jobs of one worker share: its app, the newest finished round, and the names of the index. */

import type { App } from "../../app/app.ts";
import type { IndexedName } from "../../app/indexing/browse-index.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import type { Fuzzy } from "../state/lists/fuzzy.ts";
import { isFirstAnswer } from "../state/review-state.ts";

/** `taskId`: the task whose newest round serves jobs until a round has finished here; null for none. */
export type HandlerContext = {
  openApp(): Promise<App>;
  /** Opens one more app, for the caller to close. */
  openOther(): Promise<App>;
  readonly taskId: string | null;
  newest: RetrieveResult | null;
  /** All indexed names; null until somebody searches, and again after the index may have changed. */
  names: { readonly all: readonly IndexedName[]; readonly fuzzy: Fuzzy } | null;
};

/** Uses an app whose index is the stored one: that which a first answer is from stays open for it in another app. */
export async function withStoredIndex<T>(
  { newest, openApp, openOther }: HandlerContext,
  use: (app: App) => Promise<T> | T,
): Promise<T> {
  if (!isFirstAnswer(newest)) return await use(await openApp());
  const other = await openOther();
  try {
    return await use(other);
  } finally {
    other.close();
  }
}
