/**
 * Counts the tokens of one piece of text, by merging its bytes in the order of the ranks.
 *
 * Merging takes time quadratic in the length of a piece: callers bound it (`tokens.ts`).
 * Not here: splitting a text into pieces (`pieces.ts`).
 */
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** How many tokens `text.slice(start, end)` is, as one piece. */
export type PieceCounter = (text: string, start: number, end: number) => number;

const BYTES_PER_UNIT_MAX = 3;
const encoder = new TextEncoder();

/** Counts with the tokens of a vocabulary. */
export function pieceCounter({ rankOf }: Vocabulary): PieceCounter {
  let bytes = new Uint8Array(4096);
  let starts = new Int32Array(bytes.length + 1);
  let ranks = new Int32Array(bytes.length + 1);

  const makeRoom = (size: number): void => {
    if (size <= bytes.length) return;
    bytes = new Uint8Array(2 * size);
    starts = new Int32Array(bytes.length + 1);
    ranks = new Int32Array(bytes.length + 1);
  };

  /** The rank of a part of the piece that is `size` bytes long. */
  const rankOfPart = (start: number, end: number, size: number): number => {
    // The tokenizer that this must be equal to decodes a part to look it up, which takes a byte order mark away.
    if (bytes[start] === 0xef && end - start >= 3 && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) {
      const whole = end === size || ((bytes[end] ?? 0) & 0xc0) !== 0x80;
      if (whole) return end - start === 3 ? NO_RANK : rankOf(bytes, start + 3, end);
    }
    return rankOf(bytes, start, end);
  };

  const merge = (size: number): number => {
    for (let at = 0; at < size; at += 1) {
      starts[at] = at;
      ranks[at] = at + 1 < size ? rankOfPart(at, at + 2, size) : NO_RANK;
    }
    starts[size] = size;
    let parts = size;
    for (;;) {
      let lowest = NO_RANK;
      let best = -1;
      for (let part = 0; part < parts - 1; part += 1) {
        const rank = ranks[part] ?? NO_RANK;
        if (rank < lowest) {
          lowest = rank;
          best = part;
        }
      }
      if (best < 0) return parts;
      starts.copyWithin(best + 1, best + 2, parts + 1);
      ranks.copyWithin(best + 1, best + 2, parts);
      parts -= 1;
      for (let part = Math.max(0, best - 1); part <= best; part += 1) {
        ranks[part] = part + 1 < parts ? rankOfPart(starts[part] ?? 0, starts[part + 2] ?? 0, size) : NO_RANK;
      }
    }
  };

  return (text, start, end) => {
    makeRoom((end - start) * BYTES_PER_UNIT_MAX);
    let size = end - start;
    let beyond = 0;
    for (let at = 0; at < size; at += 1) {
      const unit = text.charCodeAt(start + at);
      beyond |= unit;
      bytes[at] = unit;
    }
    let wellFormed = true;
    if (beyond > 0x7f) {
      const piece = text.slice(start, end);
      wellFormed = piece.isWellFormed();
      size = encoder.encodeInto(piece, bytes).written;
    }
    if (size === 1 || (wellFormed && rankOf(bytes, 0, size) !== NO_RANK)) return 1;
    return merge(size);
  };
}
