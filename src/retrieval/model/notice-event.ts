/** Notices of a run as they are logged, and as events. Apart from the schemas of events, which a run does not need. */
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { PipelineEvent } from "./events.ts";

/** A notice as it is logged. */
export const noticeRow = (notice: Notice): { readonly code: Notice["code"]; readonly message: string } => ({
  code: notice.code,
  message: noticeSentence(notice),
});

/** A notice as an event. */
export const noticeEvent = (notice: Notice): PipelineEvent => ({ event: "notice", ...noticeRow(notice) });
