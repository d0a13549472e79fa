/**
 * What must hold of the vectors of an index: every block has the bytes that were written.
 *
 * A block that has not counts as absent, so its texts are found by words alone. Not here: SQLite's own checks
 * (`database.ts`).
 */

import { BLOCKS_SQL, type BlockRow, isWholeBlock, VECTOR_CACHE_SCHEMA } from "../vectors/vector-cache.ts";
import { type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import { type Finding, MEND } from "./diagnostic.ts";

const REMEDY: Remedy = { code: "cache-damaged", mend: MEND.vectors };

/** Looks at the vectors at `path`; none where there are none. */
export const checkVectorCache = (path: string, onCheck: OnCheck): readonly Finding[] =>
  checkDatabase(path, VECTOR_CACHE_SCHEMA, [BLOCKS], REMEDY, onCheck).map((finding) =>
    finding.severity === "error" ? { ...finding, severity: "warning" } : finding,
  );

const BLOCKS: Check = {
  name: "blocks",
  *look(db) {
    let count = 0;
    for (const row of db.each<BlockRow>(BLOCKS_SQL)) if (!isWholeBlock(row)) count += 1;
    if (count > 0)
      yield { severity: "error", ...REMEDY, what: `${count} blocks of vectors are damaged and are not used` };
  },
};
