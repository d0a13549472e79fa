/**
 * A chunk of a database as the pages in which it differs from an earlier chunk, of which only the hashes of its pages are known.
 *
 * A changed row changes a page of 4 KiB. Whoever puts a chunk together from a patch checks the hash of the whole.
 */
import { createHash } from "node:crypto";

/** The size of a page that SQLite uses by default. */
const PAGE_BYTES = 4096;
const HASH_BYTES = 8;
/** A patch begins with a bit for each page. */
const MASK_BYTES = 2;
const PAGES = 8 * MASK_BYTES;
/** With more, a chunk is sent as a whole and others become patches of it. */
const CHANGED_MAX = (3 * PAGES) / 4;

/** The bytes of a chunk that can be patched. */
export const PATCHABLE_BYTES = PAGES * PAGE_BYTES;

/** The start of the SHA-256 of each page, one after the other; null for a chunk of another size. */
export function pageHashes(chunk: Uint8Array): Uint8Array | null {
  if (chunk.length !== PATCHABLE_BYTES) return null;
  const hashes = new Uint8Array(PAGES * HASH_BYTES);
  for (let page = 0; page < PAGES; page += 1)
    hashes.set(createHash("sha256").update(pageOf(chunk, page)).digest().subarray(0, HASH_BYTES), page * HASH_BYTES);
  return hashes;
}

/** The pages of a chunk that are not those of another one with these hashes; null if more than three quarters differ. */
export function patchOf(chunk: Uint8Array, others: Uint8Array): Uint8Array | null {
  const own = pageHashes(chunk);
  if (own === null || others.length !== own.length) return null;
  const differs = (page: number): boolean =>
    hashAt(own, page).some((byte, at) => byte !== others[page * HASH_BYTES + at]);
  const changed = Array.from({ length: PAGES }, (_, page) => page).filter(differs);
  if (changed.length > CHANGED_MAX) return null;
  const mask = new Uint8Array(MASK_BYTES);
  for (const page of changed) mask[page >> 3] = (mask[page >> 3] ?? 0) | (1 << (page & 7));
  return Buffer.concat([mask, ...changed.map((page) => pageOf(chunk, page))]);
}

/** The chunk that a patch makes of another one; null for a patch or a chunk that cannot be one. */
export function patched(other: Uint8Array, patch: Uint8Array): Uint8Array | null {
  const changed = Array.from({ length: PAGES }, (_, page) => page).filter(
    (page) => ((patch[page >> 3] ?? 0) >> (page & 7)) & 1,
  );
  if (other.length !== PATCHABLE_BYTES || patch.length !== MASK_BYTES + changed.length * PAGE_BYTES) return null;
  // The slice of a buffer would share its bytes.
  const chunk = new Uint8Array(other);
  for (const [at, page] of changed.entries()) chunk.set(pageOf(patch.subarray(MASK_BYTES), at), page * PAGE_BYTES);
  return chunk;
}

const pageOf = (bytes: Uint8Array, page: number): Uint8Array =>
  bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);

const hashAt = (hashes: Uint8Array, page: number): Uint8Array =>
  hashes.subarray(page * HASH_BYTES, (page + 1) * HASH_BYTES);
