/**
 * Unpacks zstd within a limit, which holds before a byte is unpacked. With `source/git/inflate.ts` the only file that unpacks.
 *
 * What cra packs is one frame that begins with its unpacked size, and the decoder fails when there is more. Frames without a size, several
 * frames in a row and skippable ones, which the decoder would accept without a limit, are refused.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { zstdCompressSync as packPlain, zstdDecompressSync as unpackPlain } from "bun";

/** The largest text or list of facts that is stored: a file has at most 100 MiB, and some encodings grow when they become UTF-8. */
export const STORED_BYTES_MAX = 256 * 1024 * 1024;

/** A stronger level takes five times as long for a tenth of the room. */
const LEVEL = 3;

/** Packs a text; what it shares with `base` takes no room. */
export const packZstd = (text: Uint8Array, base: Uint8Array | null): Uint8Array =>
  // Bun's own gives the same bytes in two thirds of the time, and takes no dictionary.
  base === null
    ? packPlain(text, { level: LEVEL })
    : zstdCompressSync(text, {
        params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_contentSizeFlag]: 1 },
        dictionary: base,
      });

/**
 * Throws for bytes that are not one frame, are damaged, or unpack to more than `bytesMax`. `base` is the text that was given when they
 * were packed.
 */
export function unpackZstd(packed: Uint8Array, bytesMax: number, base: Uint8Array | null = null): Buffer {
  const size = unpackedSize(packed);
  if (size === null) throw new Error("it is not one zstd frame with its size");
  if (size > bytesMax) throw new Error(`it unpacks to ${size} bytes, more than ${bytesMax}`);
  // Bun's own takes a third of the time, and no dictionary.
  return base === null ? unpackPlain(packed) : zstdDecompressSync(packed, { dictionary: base });
}

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const BLOCK_BYTES_MAX = 128 * 1024;

/** The size that one frame unpacks to, by its header (RFC 8878, 3.1.1); null for anything else. */
export function unpackedSize(packed: Uint8Array): number | null {
  // Not through a view: asking for the buffer of a short list of bytes moves it.
  if (packed.length < 9 || MAGIC.some((byte, at) => packed[at] !== byte)) return null;
  const descriptor = packed[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  // Dictionaries and the reserved bit are never written.
  if (sizeBytes === 0 || (descriptor & 0x0b) !== 0) return null;
  const sizeAt = isSingle ? 5 : 6;
  const blocksAt = sizeAt + sizeBytes;
  if (blocksAt > packed.length) return null;
  const end = endOfBlocks(packed, blocksAt);
  if (end === null || end + ((descriptor & 0x04) === 0 ? 0 : 4) !== packed.length) return null;
  const size = numberAt(packed, sizeAt, sizeBytes);
  return sizeBytes === 2 ? size + 256 : size;
}

/** A number in little-endian order. One beyond 2^53 is inexact, and larger than all limits. */
function numberAt(bytes: Uint8Array, start: number, size: number): number {
  let number = 0;
  for (let at = start + size - 1; at >= start; at -= 1) number = number * 256 + (bytes[at] ?? 0);
  return number;
}

/** Where the last block of a frame ends; null when it does not. */
function endOfBlocks(packed: Uint8Array, start: number): number | null {
  for (let at = start; at + 3 <= packed.length; ) {
    const header = numberAt(packed, at, 3);
    const [type, size] = [(header >> 1) & 3, header >> 3];
    if (type === 3 || size > BLOCK_BYTES_MAX) return null;
    // A run is stored as one byte.
    at += 3 + (type === 1 ? 1 : size);
    if ((header & 1) === 1) return at <= packed.length ? at : null;
  }
  return null;
}
