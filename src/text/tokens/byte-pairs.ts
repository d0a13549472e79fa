/**
 * Counts the tokens of one piece of text, by merging its bytes in the order of the ranks.
 *
 * A short piece is searched repeatedly for its lowest rank, which is fastest. That takes time quadratic in the length
 * (200,000 times the letter a: over a minute), so a long piece keeps its pairs in a queue.
 */
import { pairQueue } from "./pair-queue.ts";
import { hashOf, NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** The number of tokens of a piece that is given as its UTF-8, or is ASCII. Units are bytes in either case. */
type PieceCounter = {
  ofAscii(units: Uint16Array, start: number, end: number): number;
  ofText(piece: string): number;
};

const BYTES_PER_UNIT_MAX = 3;
/** Beyond this many bytes the queue is faster. */
const SEARCHED_BYTES_MAX = 1024;
const LAST_ASCII = 127;
const encoder = new TextEncoder();

/** The rank of a part of the piece that is `size` bytes long. */
type RankOfPart = (start: number, end: number, size: number) => number;

/** Counts with the tokens of a vocabulary. */
export function pieceCounter({ rankOf }: Vocabulary): PieceCounter {
  let utf8 = new Uint8Array(4096);
  /** The piece that is merged lies here, from its first byte. */
  let bytes = new Uint16Array(4096);

  /** Whether a byte order mark starts at `at`. */
  const startsWithMark = (at: number): boolean =>
    bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;

  const rankAt = (start: number, end: number): number => rankOf(bytes, start, end, hashOf(bytes, start, end));
  const rankOfPart: RankOfPart = (start, end, size) => {
    // The original tokenizer decodes a part to look it up, which removes a byte order mark.
    if (end - start >= 3 && startsWithMark(start)) {
      const whole = end === size || ((bytes[end] ?? 0) & 0xc0) !== 0x80;
      if (whole) return end - start === 3 ? NO_RANK : rankAt(start + 3, end);
    }
    return rankAt(start, end);
  };
  const mergeShort = searchingMerge(rankOfPart, (at, size) => {
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    if ((first | second) > LAST_ASCII) return rankOfPart(at, at + 2, size);
    const pair = (first << 7) | second;
    const known = pairRanks[pair] ?? 0;
    if (known !== 0) return known - 1;
    const rank = rankAt(at, at + 2);
    pairRanks[pair] = rank + 1;
    return rank;
  });
  const merged = (size: number): number => (size > SEARCHED_BYTES_MAX ? mergeLong(size, rankOfPart) : mergeShort(size));
  const makeRoom = (size: number): void => {
    if (size > bytes.length) bytes = new Uint16Array(2 * size);
  };
  const known = knownPieces();
  /** The rank + 1 of two ASCII characters, 0 if it is not known yet. */
  const pairRanks = new Uint32Array((LAST_ASCII + 1) ** 2);

  return {
    ofAscii(units, start, end) {
      const size = end - start;
      if (size === 1) return 1;
      const hash = hashOf(units, start, end);
      const before = known.get(units, start, end, hash);
      if (before > 0) return before;
      let tokens = 1;
      if (rankOf(units, start, end, hash) === NO_RANK) {
        makeRoom(size);
        for (let at = 0; at < size; at += 1) bytes[at] = units[start + at] ?? 0;
        tokens = merged(size);
      }
      known.set(units, start, end, hash, tokens);
      return tokens;
    },
    ofText(piece) {
      if (BYTES_PER_UNIT_MAX * piece.length > utf8.length) utf8 = new Uint8Array(2 * BYTES_PER_UNIT_MAX * piece.length);
      const size = encoder.encodeInto(piece, utf8).written;
      makeRoom(size);
      for (let at = 0; at < size; at += 1) bytes[at] = utf8[at] ?? 0;
      if (size === 1 || (piece.isWellFormed() && !startsWithMark(0) && rankAt(0, size) !== NO_RANK)) return 1;
      return merged(size);
    },
  };
}

/** Pieces that were counted last, since most come again. Longer ones are not kept. */
const KNOWN_UNITS_MAX = 30;
const KNOWN_BITS = 13;
/** A row is the number of tokens, the length, and the units. */
const KNOWN_ROW = KNOWN_UNITS_MAX + 2;

function knownPieces() {
  const rows = new Uint16Array(KNOWN_ROW << KNOWN_BITS);
  const rowOf = (hash: number): number => (hash >>> (32 - KNOWN_BITS)) * KNOWN_ROW;
  return {
    /** The tokens of a piece, 0 if they are not known. */
    get(units: Uint16Array, start: number, end: number, hash: number): number {
      const row = rowOf(hash);
      if (rows[row + 1] !== end - start) return 0;
      for (let at = start, own = row + 2; at < end; at += 1, own += 1) if (units[at] !== rows[own]) return 0;
      return rows[row] ?? 0;
    },
    set(units: Uint16Array, start: number, end: number, hash: number, tokens: number): void {
      if (end - start > KNOWN_UNITS_MAX) return;
      const row = rowOf(hash);
      rows[row] = tokens;
      rows[row + 1] = end - start;
      for (let at = start, own = row + 2; at < end; at += 1, own += 1) rows[own] = units[at] ?? 0;
    },
  };
}

/** Merges pieces of up to `SEARCHED_BYTES_MAX` bytes; returns how many parts remain. `rankOfPair`: of two bytes. */
function searchingMerge(
  rankOfPart: RankOfPart,
  rankOfPair: (start: number, size: number) => number,
): (size: number) => number {
  const starts = new Int32Array(SEARCHED_BYTES_MAX + 1);
  const ranks = new Int32Array(SEARCHED_BYTES_MAX);
  return (size) => {
    for (let at = 0; at < size; at += 1) {
      starts[at] = at;
      ranks[at] = at + 1 < size ? rankOfPair(at, size) : NO_RANK;
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
      parts -= 1;
      // The parts after it move down. A call takes longer than this loop for most pieces.
      for (let part = best + 1; part < parts; part += 1) {
        starts[part] = starts[part + 1] ?? 0;
        ranks[part] = ranks[part + 1] ?? NO_RANK;
      }
      starts[parts] = size;
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
