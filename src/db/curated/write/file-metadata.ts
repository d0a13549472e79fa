/**
 * Writes model-generated file metadata into the index: the one part of it that is not derived from the repository.
 *
 * A row describes the content that its file has in this generation; `write-files.ts` deletes it when the content changes. All rows are
 * written in one transaction, and the checksum is replaced around it.
 */
import { Failed } from "../../../failure.ts";
import { type ChecksumState, checksumState, dropChecksum, writeChecksum } from "../../sqlite/checksum.ts";
import type { Db } from "../../sqlite/db.ts";
import { openDatabase } from "../../sqlite/open.ts";
import { CURATED_SCHEMA } from "../schema.ts";

/** Lists and texts are within the bounds of `enrichment/record.ts`. */
export type Metadata = {
  readonly purpose: string;
  readonly module: string | null;
  readonly domain: string | null;
  readonly concepts: readonly string[];
  readonly publicApiSurface: readonly string[];
  readonly complexityNotes: string | null;
};

/** A file of the index that may receive metadata. */
export type PromotedTo = {
  readonly id: number;
  readonly path: string;
  readonly contentHash: string;
  readonly language: string;
};

/** How many files have metadata now, and for how many it changed. */
export type Promoted = { readonly files: number; readonly changed: number };

/**
 * Stores the metadata that `metadataOf` returns for each file; null keeps the stored row, which is about the same content.
 * The caller holds the index lock. Throws `index-damaged` when the checksum does not match. Writes nothing if nothing differs.
 */
export function promoteInto(path: string, metadataOf: (file: PromotedTo) => Metadata | null): Promoted {
  const checksum = checksumState(path);
  // A new checksum would hide the damage.
  if (checksum === "broken")
    throw new Failed({ code: "index-damaged", path, why: "its bytes have changed since cra wrote them" });
  const db = openDatabase(path, "write", CURATED_SCHEMA);
  let promoted: Promoted;
  try {
    promoted = promote(db, metadataOf, () => dropChecksum(path));
  } finally {
    db.close();
  }
  if (promoted.changed > 0) restoreChecksum(path, checksum);
  return promoted;
}

/** A file without a checksum may be damaged; the next `cra index` checks every page of it. */
function restoreChecksum(path: string, before: ChecksumState): void {
  if (before === "whole") writeChecksum(path, CURATED_SCHEMA);
}

type Row = {
  readonly fileId: number;
  readonly purpose: string | null;
  readonly module: string | null;
  readonly domain: string | null;
  readonly concepts: string;
  readonly publicApiSurface: string | null;
  readonly complexityNotes: string | null;
};

/** `beforeChange` is called once, before the first change. */
function promote(db: Db, metadataOf: (file: PromotedTo) => Metadata | null, beforeChange: () => void): Promoted {
  return db.transaction(() => {
    const files = db.all<PromotedTo>("select id, path, content_hash as contentHash, language from files order by path");
    const wanted = files.flatMap((file): readonly Row[] => {
      const metadata = metadataOf(file);
      return metadata === null ? [] : [rowOf(file.id, metadata)];
    });
    const stored = new Map(
      db
        .all<Row>(
          `select file_id as fileId, purpose, module, domain, concepts, public_api_surface as publicApiSurface,
             complexity_notes as complexityNotes from file_metadata`,
        )
        .map((row) => [row.fileId, row]),
    );
    const due = wanted.filter((row) => !isSame(stored.get(row.fileId), row));
    if (due.length > 0) beforeChange();
    db.runAll(
      "delete from file_metadata where file_id = ?1",
      due.map(({ fileId }) => [fileId]),
    );
    db.runAll(
      `insert into file_metadata(file_id, purpose, module, domain, concepts, public_api_surface, complexity_notes)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      due.map((row) => [
        row.fileId,
        row.purpose,
        row.module,
        row.domain,
        row.concepts,
        row.publicApiSurface,
        row.complexityNotes,
      ]),
    );
    return { files: new Set([...stored.keys(), ...wanted.map(({ fileId }) => fileId)]).size, changed: due.length };
  });
}

const rowOf = (fileId: number, metadata: Metadata): Row => ({
  fileId,
  purpose: metadata.purpose,
  module: metadata.module,
  domain: metadata.domain,
  concepts: JSON.stringify(metadata.concepts),
  publicApiSurface: JSON.stringify(metadata.publicApiSurface),
  complexityNotes: metadata.complexityNotes,
});

const isSame = (a: Row | undefined, b: Row): boolean =>
  a !== undefined &&
  a.purpose === b.purpose &&
  a.module === b.module &&
  a.domain === b.domain &&
  a.concepts === b.concepts &&
  a.publicApiSurface === b.publicApiSurface &&
  a.complexityNotes === b.complexityNotes;
