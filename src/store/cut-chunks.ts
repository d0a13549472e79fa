/** Cuts contents into the chunks in which a store holds them. */
import { CHUNK_BYTES, CHUNK_BYTES_MIN } from "./blobs.ts";

/** Pieces of bytes at fixed places, so that equal pages of two databases are equal chunks. */
export function* evenChunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Pieces of lines that end where the hash of a line says so, so that a new line changes one piece. */
export function* lineChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let bytes = 0;
  for (const text of lines) {
    const line = Buffer.from(`${text}\n`);
    if (bytes + line.length > CHUNK_BYTES && bytes > 0) {
      yield Buffer.concat(piece);
      [piece, bytes] = [[], 0];
    }
    piece.push(line);
    bytes += line.length;
    if (bytes < CHUNK_BYTES_MIN || (Bun.hash.crc32(line) & LINE_MASK) !== 0) continue;
    yield Buffer.concat(piece);
    [piece, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(piece);
}

/** A piece ends at one line of 16. */
const LINE_MASK = 15;
