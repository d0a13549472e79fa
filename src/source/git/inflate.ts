/** Inflates git's zlib streams within a limit. With `text/zstd.ts` the only file that unpacks. */
import { inflateSync } from "node:zlib";

/** Larger objects are not read: the largest folders of public repositories take 2 MB, and contents that are shown 1 MB. */
export const OBJECT_BYTES_MAX = 16 * 1024 * 1024;

const TOO_LARGE = Symbol("too large");
export const tooLarge = (): Error =>
  new Error(`an object of git is larger than ${OBJECT_BYTES_MAX} bytes`, { cause: TOO_LARGE });
export const isTooLarge = (error: unknown): boolean => error instanceof Error && error.cause === TOO_LARGE;

export const damagedObject = (): Error => new Error("a packed object is damaged");

/** The stream at the beginning of `bytes`, of at most `bytesMax` bytes. Throws for damaged and larger ones. */
export function inflated(bytes: Uint8Array, bytesMax: number): Buffer {
  const chunkSize = Math.min(64 * 1024, Math.max(64, bytesMax + 1));
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, bytesMax), chunkSize });
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : error;
  }
}
