/**
 * Names what was promoted into an index, for the identity of a run.
 *
 * The content hash of an index names what was read off the repository; metadata comes on top and changes what is
 * selected too. Null where there is none, so that runs without it have the ids they always had.
 */
import { createHash } from "node:crypto";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";

/** Hexadecimal characters of a key. */
const KEY_CHARS = 12;

/** The same key for the same metadata of the same paths, whatever ids the files have. */
export function metadataKey(kb: Pick<KnowledgeBase, "files" | "fileMetadata">): string | null {
  const rows = kb.fileMetadata();
  if (rows.length === 0) return null;
  const paths = new Map(kb.files().map(({ id, path }) => [id, path]));
  const named = rows.map(({ fileId, purpose, module, domain, concepts }) => [
    paths.get(fileId) ?? "",
    purpose,
    module,
    domain,
    concepts,
  ]);
  return createHash("sha256").update(JSON.stringify(named)).digest("hex").slice(0, KEY_CHARS);
}
