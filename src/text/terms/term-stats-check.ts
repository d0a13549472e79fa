/** Checks a blob of term statistics: every index in it must be in range. Wrong counts are not detected. */
import { SEGMENT_KINDS } from "./segments.ts";
import { postingSegment, readTermStats, segmentInfo } from "./term-stats.ts";

/** `symbols` is the number of the file's definitions. */
export function soundTermStats(blob: Uint8Array, symbols: number): boolean {
  const stats = readTermStats(blob);
  if (stats === null) return false;
  const { words, termCount, segmentCount, startAt, segmentAt, postingAt } = stats;
  if ([termCount, segmentCount, stats.codeTerms, stats.commentTerms, stats.definitionTerms].some(isNegative))
    return false;
  for (let term = startAt; term + 1 < segmentAt; term += 1)
    if ((words[term] ?? 0) > (words[term + 1] ?? 0)) return false;
  if ((words[startAt] ?? 0) !== 0 || (words[startAt + termCount] ?? 0) !== words.length - postingAt) return false;
  for (let index = 0; index < segmentCount; index += 1) {
    const { ordinal, kind, parent, terms, chars } = segmentInfo(stats, index);
    if (kind < 0 || kind >= SEGMENT_KINDS.length || isNegative(terms) || isNegative(chars)) return false;
    if (ordinal < -1 || ordinal >= symbols || parent < -1 || parent >= index || (index === 0) !== (ordinal === -1))
      return false;
  }
  for (let at = postingAt; at < words.length; at += 1) if (postingSegment(words[at] ?? 0) >= segmentCount) return false;
  return true;
}

const isNegative = (count: number): boolean => count < 0;
