/** Reads one file and counts the terms of its text, without parsing it. */

import { isAsciiText } from "../../text/decode.ts";
import { lineCount, lineLengths } from "../../text/lines.ts";
import type { TextCounts } from "../../text/terms/count-block.ts";
import { encodeAsciiStats, encodeTermStats } from "../../text/terms/encode-term-stats.ts";
import type { WorkTree } from "../update/index-deps.ts";
import { type Content, contentOf, textOf } from "../update/scan/file-content.ts";
import type { TermStatsCache } from "./term-stats-cache.ts";

/** The counts of a file's text; or why it is skipped or cannot be read. */
export type FileCounts =
  | { readonly kind: "problem"; readonly why: string }
  | ({ readonly kind: "skipped"; readonly reason: string } & Pick<Content, "hash" | "script">)
  | ({ readonly kind: "counted"; readonly counts: TextCounts } & Pick<Content, "sizeBytes" | "script">);

/** The files that the counting reads from. */
export type CountedTree = Pick<WorkTree, "readFile" | "holdsPackage" | "skipByText" | "skipByAscii">;

/** Counts a file that `skipByPath` keeps. Its bytes are not used afterwards. `known` receives the statistics. */
export function countFile(workTree: CountedTree, path: string, bytesMax: number, known: TermStatsCache): FileCounts {
  const read = workTree.readFile(path, bytesMax);
  if (read.kind === "problem") return read;
  const { bytes } = read;
  const { hash, script, sizeBytes } = contentOf(path, bytes);
  const before = known.find(hash);
  const counted = workTree.holdsPackage(bytes)
    ? ({ skip: "package" } as const)
    : (countAscii(workTree, path, bytes, before) ?? countText(workTree, path, bytes, before));
  if (counted.skip !== null) return { kind: "skipped", hash, script, reason: counted.skip };
  const { skip: _, ...counts } = counted;
  known.keep(hash, counts.stats);
  return { kind: "counted", sizeBytes, script, counts: { hash, ...counts } };
}

type Counted = { readonly skip: string } | ({ readonly skip: null } & Omit<TextCounts, "hash">);

/**
 * Counts a text in ASCII, as most are, without making a string of it; null for any other, and for one with long lines. `before`: the
 * statistics of the same text, if they are known.
 */
function countAscii(workTree: CountedTree, path: string, bytes: Uint8Array, before: Uint8Array | null): Counted | null {
  if (!isAsciiText(bytes)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const lengths = lineLengths(bytes);
  const { lines } = lengths;
  const skip = workTree.skipByAscii(path, text, lines);
  if (skip !== null) return { skip };
  const stats = before ?? encodeAsciiStats(text, lengths);
  return stats === null ? null : { skip, lines, chars: text.length, stats };
}

function countText(workTree: CountedTree, path: string, bytes: Uint8Array, before: Uint8Array | null): Counted {
  const decoded = textOf(workTree, path, bytes);
  if (decoded.skip !== null) return decoded;
  const { skip, text } = decoded;
  const stats = before ?? encodeTermStats({ text, symbols: [], commentLines: [], docstrings: false });
  return { skip, lines: lineCount(text), chars: text.length, stats };
}
