/** What a package says about an index that was made for one answer. */
import type { IndexMeta } from "../../db/curated/meta.ts";
import type { NoticeOf } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { ProvisionalJson } from "./package-schema.ts";

/** Characters of the content hash that name the state. */
const STATE_CHARS = 12;

/** Null for an index that is stored. */
export function provisionalNotice(meta: IndexMeta): NoticeOf<"provisional"> | null {
  if (meta.provisional === undefined) return null;
  return {
    code: "provisional",
    counted: meta.counts.files,
    ...meta.provisional,
    state: meta.contentHash.slice(0, STATE_CHARS),
    hasHistory: meta.historyProblem === null,
    ...(meta.provisionalIn === undefined ? {} : { repositories: meta.provisionalIn }),
  };
}

/** The same as the package has it; null for an index that is stored. */
export function provisionalJson(meta: IndexMeta): ProvisionalJson | null {
  const notice = provisionalNotice(meta);
  if (notice === null) return null;
  const { counted, parsed, index, state } = notice;
  return { files_counted: counted, files_parsed: parsed, index, state, note: noticeSentence(notice) };
}
