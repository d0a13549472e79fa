/**
 * Counts the tokens of one piece of text, by merging its bytes in the order of the ranks.
 *
 * A short piece is searched repeatedly for its lowest rank, which is fastest. That takes time quadratic in the length
 * (200,000 times the letter a: over a minute), so a long piece keeps its pairs in a queue.
 */
import { pairQueue } from "./pair-queue.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** The number of tokens of `text.slice(start, end)`, as one piece. */
type PieceCounter = (text: string, start: number, end: number) => number;

const BYTES_PER_UNIT_MAX = 3;
/** Beyond this many bytes the queue is faster. */
const SEARCHED_BYTES_MAX = 1024;
const encoder = new TextEncoder();

/** The rank of a part of the piece that is `size` bytes long. */
type RankOfPart = (start: number, end: number, size: number) => number;

/** Counts with the tokens of a vocabulary. */
export function pieceCounter({ rankOf }: Vocabulary): PieceCounter {
  let bytes = new Uint8Array(4096);

  /** Whether a byte order mark starts at `at`. */
  const startsWithMark = (at: number): boolean =>
    bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;

  const rankOfPart: RankOfPart = (start, end, size) => {
    // The original tokenizer decodes a part to look it up, which removes a byte order mark.
    if (end - start >= 3 && startsWithMark(start)) {
      const whole = end === size || ((bytes[end] ?? 0) & 0xc0) !== 0x80;
      if (whole) return end - start === 3 ? NO_RANK : rankOf(bytes, start + 3, end);
    }
    return rankOf(bytes, start, end);
  };
  const mergeShort = searchingMerge(rankOfPart);

  return (text, start, end) => {
    const room = (end - start) * BYTES_PER_UNIT_MAX;
    if (room > bytes.length) bytes = new Uint8Array(2 * room);
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
    if (size === 1 || (wellFormed && !startsWithMark(0) && rankOf(bytes, 0, size) !== NO_RANK)) return 1;
    return size > SEARCHED_BYTES_MAX ? mergeLong(size, rankOfPart) : mergeShort(size);
  };
}

/** Merges pieces of up to `SEARCHED_BYTES_MAX` bytes; returns how many parts remain. */
function searchingMerge(rankOfPart: RankOfPart): (size: number) => number {
  const starts = new Int32Array(SEARCHED_BYTES_MAX + 1);
  const ranks = new Int32Array(SEARCHED_BYTES_MAX);
  return (size) => {
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
}

/** Leftmost first among equal ranks, like `searchingMerge`. The start of its first part identifies a pair. */
function mergeLong(size: number, rankOfPart: RankOfPart): number {
  const ends = new Int32Array(size);
  const before = new Int32Array(size);
  const rankAt = new Int32Array(size);
  const queue = pairQueue();
  const rankAgain = (part: number): void => {
    const second = ends[part] ?? size;
    const rank = second < size ? rankOfPart(part, ends[second] ?? size, size) : NO_RANK;
    rankAt[part] = rank;
    if (rank !== NO_RANK) queue.add(rank, part);
  };
  for (let at = 0; at < size; at += 1) {
    ends[at] = at + 1;
    before[at] = at - 1;
  }
  for (let at = 0; at < size; at += 1) rankAgain(at);
  let parts = size;
  for (let pair = queue.next(); pair !== undefined; pair = queue.next()) {
    const { rank, part } = pair;
    if (rankAt[part] !== rank) continue;
    const second = ends[part] ?? size;
    const end = ends[second] ?? size;
    rankAt[second] = NO_RANK;
    ends[part] = end;
    if (end < size) before[end] = part;
    parts -= 1;
    const previous = before[part] ?? -1;
    if (previous >= 0) rankAgain(previous);
    rankAgain(part);
  }
  return parts;
}
