/**
 * What a model said of files, as the raw log keeps it: each answer, or that there was none, under the content that it
 * is about.
 *
 * Not here: what an answer holds (`enrichment/record.ts`), the rest of the log (`raw-log.ts`).
 */
import type { Db } from "../sqlite/open.ts";

/** One answer on one file. `output` is JSON; `contentHash` is that of the file's bytes, in hexadecimal. */
export type EnrichmentRow = {
  readonly path: string;
  readonly contentHash: string;
  readonly model: string;
  readonly output: string;
  readonly createdAt: string;
};

export function appendEnrichment(db: Db, { path, contentHash, model, output, createdAt }: EnrichmentRow): void {
  db.run(
    `insert into enrichment_outputs(path, content_hash, model, output, created_at) values (?1, ?2, ?3, ?4, ?5)`,
    path,
    contentHash,
    model.toWellFormed(),
    output.toWellFormed(),
    createdAt,
  );
}

/** Every row, oldest first, one at a time. */
export const readEnrichments = (db: Db): Iterable<EnrichmentRow> =>
  db.each<EnrichmentRow>(
    `select path, content_hash as contentHash, model, output, created_at as createdAt
     from enrichment_outputs order by id`,
  );
