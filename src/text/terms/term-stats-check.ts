/** Checks term statistics of a file or of a block: every index in it must be in range. Wrong counts are not detected. */
import { statsInBlock } from "./encode-stats-block.ts";
import { SEGMENT_KINDS } from "./segments.ts";
import { BLOCK_FILES, BLOCK_HEADER_WORDS, placesOf, readStatsBlock, visitStem } from "./stats-block.ts";
import {
  packedCount,
  packedStep,
  readPostingStarts,
  readTermStats,
  segmentInfo,
  type TermStats,
} from "./term-stats.ts";
import { nextVarint } from "./varints.ts";

/** `symbols` is the number of the file's definitions. */
export function soundTermStats(blob: Uint8Array, symbols: number): boolean {
  const stats = readTermStats(blob);
  if (stats === null) return false;
  if ([stats.codeTerms, stats.commentTerms, stats.definitionTerms].some(isNegative)) return false;
  for (let index = 0; index < stats.segmentCount; index += 1) {
    const { ordinal, kind, parent, terms, chars } = segmentInfo(stats, index);
    if (kind < 0 || kind >= SEGMENT_KINDS.length || isNegative(terms) || isNegative(chars)) return false;
    if (ordinal < -1 || ordinal >= symbols || parent < -1 || parent >= index || (index === 0) !== (ordinal === -1))
      return false;
  }
  return soundPostings(stats);
}

/**
 * The places of a block whose statistics are sound, which are none if the block is not. `symbolsAt` is how many definitions the file at a
 * place has; null for no file.
 */
export function soundStatsBlock(blob: Uint8Array, symbolsAt: (place: number) => number | null): readonly number[] {
  const block = readStatsBlock(blob);
  if (block === null) return [];
  const { words, stems, listsAt } = block;
  const places = placesOf(block);
  let end = listsAt;
  for (let stem = 0; stem < stems; stem += 1) {
    const at = BLOCK_HEADER_WORDS + stem;
    if (stem > 0 && (words[at] ?? 0) <= (words[at - 1] ?? 0)) return [];
    if (listsAt + (words[at + stems] ?? 0) !== end) return [];
    let isPlaced = true;
    end = visitStem(block, stem, end, (_, place) => {
      isPlaced &&= places.has(place);
    });
    if (!isPlaced) return [];
  }
  if (end !== blob.byteLength) return [];
  for (let place = 0; place < BLOCK_FILES; place += 1) if (places.has(place) !== (symbolsAt(place) !== null)) return [];
  return [...statsInBlock(blob)].flatMap(([place, stats]) =>
    soundTermStats(stats, symbolsAt(place) ?? 0) ? [place] : [],
  );
}

/** Each term's postings have to end where those of the next begin, and the last where the blob does. */
function soundPostings(stats: TermStats): boolean {
  const { bytes, termCount, segmentCount, postingAt } = stats;
  const starts = new Int32Array(termCount + 1);
  readPostingStarts(stats, starts);
  const reader = { bytes, at: postingAt };
  for (let entry = 0; entry < termCount; entry += 1) {
    const end = starts[entry + 1] ?? 0;
    for (let segment = 0; reader.at < end; ) {
      const head = nextVarint(reader);
      segment += packedStep(head);
      packedCount(head, reader);
      if (segment >= segmentCount) return false;
    }
    if (reader.at !== end) return false;
  }
  return reader.at === bytes.length;
}

const isNegative = (count: number): boolean => count < 0;
