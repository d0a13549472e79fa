/** Tells whoever names a file that cra leaves out of the index why it does. */
import type { FileQueries } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import { display } from "../../text/display.ts";
import { skipReason } from "../../text/skip-reason.ts";

/** Null for a path of no skipped file. */
export function skippedNotice(path: string, kb: Pick<FileQueries, "skipOf">): Notice | null {
  const found = kb.skipOf(path.replaceAll("\\", "/").replace(/^(?:\.\.?\/)+/, ""));
  if (found === null) return null;
  return { code: "path-skipped", path, skipped: display(found.path), reason: skipReason(found.reason) };
}
