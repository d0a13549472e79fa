/**
 * The term statistics of up to `BLOCK_FILES` files as one blob, in which each stem stands once: a question opens and searches a hundredth of
 * the values, and reads a fifth fewer bytes.
 *
 * A blob is a pure function of the statistics of each file (`term-stats.ts`) and its place in the block. It begins with 32-bit words in
 * little-endian order:
 *
 *     header    format · places · stems · the byte where the files begin, where the lists begin, and the end
 *     stem      the hash of each stem, ascending as signed words
 *     list      where the list of each stem begins, from the first list
 *
 * The rest is packed as `varints.ts`:
 *
 *     files     of each place: segments (0: no file) · code terms · comment terms · definition terms · bytes of the segments
 *     segments  of each file, as in its own statistics
 *     lists     of each term with the stem: files · whether it differs from the stem (1 bit), then its hash follows as a word · whether it
 *               is the last (1 bit); of each file with the term: bytes of the postings · places after the file before (3 bits; 7 if the rest
 *               follows), then the postings as in its own statistics
 */
import { lookUp, type TermTable } from "./term-stats.ts";
import { nextVarint, type VarintReader } from "./varints.ts";

/** A changed file writes its block again, some 100 KB. */
export const BLOCK_FILES = 128;

export const BLOCK_FORMAT = 0x63726203;
export const BLOCK_HEADER_WORDS = 6;
/** Places up to this are packed with the size of postings. */
export const STEP_MAX = 7;

/** A blob, opened for reading. Hashes are signed; that of stem n is the word `BLOCK_HEADER_WORDS + n`. */
export type StatsBlock = {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly places: number;
  readonly stems: number;
  readonly filesAt: number;
  readonly listsAt: number;
};

/** Opens a blob; null if it has another format or is truncated. */
export function readStatsBlock(blob: Uint8Array): StatsBlock | null {
  const wordCount = blob.byteLength >>> 2;
  if (wordCount < BLOCK_HEADER_WORDS) return null;
  const bytes = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, wordCount);
  const places = words[1] ?? 0;
  const stems = words[2] ?? 0;
  const filesAt = words[3] ?? 0;
  const listsAt = words[4] ?? 0;
  const isWhole =
    words[0] === BLOCK_FORMAT &&
    places >= 0 &&
    places <= BLOCK_FILES &&
    stems >= 0 &&
    filesAt === 4 * (BLOCK_HEADER_WORDS + 2 * stems) &&
    filesAt + places <= listsAt &&
    listsAt <= blob.byteLength &&
    words[5] === blob.byteLength;
  return isWhole ? { words, bytes, places, stems, filesAt, listsAt } : null;
}

/** What is known of one file without its terms. Its segments are packed from the byte `segmentAt` to `segmentEnd`. */
export type FileSizes = {
  segmentCount: number;
  codeTerms: number;
  commentTerms: number;
  definitionTerms: number;
  segmentAt: number;
  segmentEnd: number;
};

/** Visits the files of a block. The sizes are of the visited file until the next. */
export function visitFiles(
  { bytes, places, filesAt, listsAt }: StatsBlock,
  visit: (place: number, sizes: Readonly<FileSizes>) => void,
): void {
  const reader: VarintReader = { bytes, at: filesAt };
  skipNumbers(reader, places);
  const sizes: FileSizes = {
    segmentCount: 0,
    codeTerms: 0,
    commentTerms: 0,
    definitionTerms: 0,
    segmentAt: 0,
    segmentEnd: reader.at,
  };
  reader.at = filesAt;
  for (let place = 0; place < places; place += 1) {
    sizes.segmentCount = nextVarint(reader);
    if (sizes.segmentCount === 0) continue;
    sizes.codeTerms = nextVarint(reader);
    sizes.commentTerms = nextVarint(reader);
    sizes.definitionTerms = nextVarint(reader);
    sizes.segmentAt = sizes.segmentEnd;
    sizes.segmentEnd += nextVarint(reader);
    // Every number has a byte at least.
    const isFile = sizes.segmentCount > 0 && sizes.segmentCount <= sizes.segmentEnd - sizes.segmentAt;
    if (isFile && sizes.segmentEnd <= listsAt) visit(place, sizes);
  }
}

/** Moves to where the segments begin. */
function skipNumbers(reader: VarintReader, places: number): void {
  for (let place = 0; place < places; place += 1)
    if (nextVarint(reader) !== 0) for (let column = 1; column < COLUMNS; column += 1) nextVarint(reader);
}

const COLUMNS = 5;

/** The places of a block that have a file. */
export function placesOf(block: StatsBlock): ReadonlySet<number> {
  const places = new Set<number>();
  visitFiles(block, (place) => void places.add(place));
  return places;
}

/** The stems of a block that are in a table: their index in the block, and in the table. */
export function stemsIn(
  { words, stems }: StatsBlock,
  table: TermTable,
): readonly { readonly own: number; readonly stem: number }[] {
  const found: { own: number; stem: number }[] = [];
  for (let own = 0; own < stems; own += 1) {
    const stem = lookUp(table, words[BLOCK_HEADER_WORDS + own] ?? 0);
    if (stem >= 0) found.push({ own, stem });
  }
  return found;
}

/**
 * Visits each term with a stem in each file: the hash of the term, the place of the file, and the bytes of the postings. Returns where the
 * list ends, -1 if that is not in the block or the list begins before `begin`. Callers that visit one stem after another give where the
 * list before ended, so that lists of a planted block cannot overlap, which would take forever to read.
 */
export function visitStem(
  { words, bytes, stems, listsAt }: StatsBlock,
  stem: number,
  begin: number,
  visit: (exact: number, place: number, from: number, to: number) => void,
): number {
  const own = words[BLOCK_HEADER_WORDS + stem] ?? 0;
  const reader: VarintReader = { bytes, at: listsAt + (words[BLOCK_HEADER_WORDS + stems + stem] ?? 0) };
  if (reader.at < begin) return -1;
  const end = bytes.length;
  for (let isLast = false; !isLast && reader.at < end; ) {
    const head = nextVarint(reader);
    isLast = (head & 1) === 1;
    const exact = (head & 2) === 0 ? own : nextWord(reader);
    let place = -1;
    for (let files = head >>> 2; files > 0 && reader.at < end; files -= 1) {
      const packed = nextVarint(reader);
      const step = packed & STEP_MAX;
      place += 1 + step + (step === STEP_MAX ? nextVarint(reader) : 0);
      const from = reader.at;
      const to = from + (packed >>> 3);
      if (to > end || place < 0 || place >= BLOCK_FILES) return -1;
      visit(exact, place, from, to);
      reader.at = to;
    }
  }
  return reader.at;
}

function nextWord(reader: VarintReader): number {
  const { bytes, at } = reader;
  reader.at = at + 4;
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}
