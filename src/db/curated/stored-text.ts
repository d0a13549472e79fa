/**
 * Packs and unpacks texts of the index. Somebody may have planted the index, so a text may not be longer than its file allows.
 */
import { Failed } from "../../failure.ts";
import { packZstd, STORED_BYTES_MAX, unpackedSize, unpackZstd } from "../../text/zstd.ts";
import type { Db } from "../sqlite/db.ts";

/** A text as it is stored, with the size of its file. */
export type StoredText = { readonly text: Uint8Array; readonly sizeBytes: number };

/** The texts that one query reads are in memory together. */
const TOGETHER_BYTES_MAX = 512 * 1024 * 1024;

/** A byte of a file that is not UTF-8 becomes three. */
const BYTES_PER_BYTE = 3;

/** A text (UTF-8) as it is stored. */
export const packText = (text: Uint8Array): Uint8Array => packZstd(text, null);

/** Unpacks a text. Throws `index-damaged`. */
export function textOf(db: Db, { text, sizeBytes }: StoredText): Buffer {
  try {
    return unpackZstd(text, Math.min(BYTES_PER_BYTE * sizeBytes, STORED_BYTES_MAX));
  } catch (error) {
    throw new Failed(
      { code: "index-damaged", path: db.path, why: "a stored text cannot be unpacked" },
      { cause: error },
    );
  }
}

/** Throws `index-damaged` when the texts are too long together to be read at once. */
export function refuseTogether(db: Db, texts: readonly StoredText[]): void {
  const bytes = texts.reduce((sum, { text }) => sum + (unpackedSize(text) ?? 0), 0);
  if (bytes > TOGETHER_BYTES_MAX)
    throw new Failed({ code: "index-damaged", path: db.path, why: `its texts unpack to ${bytes} bytes` });
}
