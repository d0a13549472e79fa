/** Packs facts for others, and reads those that come from elsewhere. Whatever their bytes are, what is returned has valid types and is consistent. */
import { zstdCompressSync } from "bun";
import { type PackedFacts, unpackFacts } from "../../syntax/facts/facts-codec.ts";
import { unpackedSize, unpackZstd } from "../../text/zstd.ts";
import { areValidFacts, type ContentFacts } from "./row.ts";

/** They are mostly hashes, which no level packs better. */
const STATS_LEVEL = 1;

export const packStats = (stats: Uint8Array): Uint8Array => zstdCompressSync(stats, { level: STATS_LEVEL });

/** Every part may unpack to this many bytes for each byte of the text, and to `BYTES_FREE` more. Real ones need a tenth. */
const BYTES_PER_BYTE = 64;
const BYTES_FREE = 1024 * 1024;
const BYTES_MAX = 64 * 1024 * 1024;

/** The facts of a content with a text of `textBytes` bytes; null when they are invalid. */
export function readPackedFacts(
  packed: PackedFacts & { readonly stats: Uint8Array },
  textBytes: number,
): ContentFacts | null {
  const bytesMax = Math.min(BYTES_MAX, BYTES_FREE + BYTES_PER_BYTE * textBytes);
  try {
    // Unpacking fails beyond the size that a part states.
    if ([packed.facts, packed.uses, packed.prose].some((part) => (unpackedSize(part) ?? bytesMax + 1) > bytesMax))
      return null;
    // A copy, for alignment.
    const stats = new Uint8Array(unpackZstd(packed.stats, bytesMax));
    const facts = unpackFacts(packed);
    return facts !== null && areValidFacts(facts, stats) ? { facts, stats } : null;
  } catch {
    return null; // Invalid bytes, for whatever reason.
  }
}
