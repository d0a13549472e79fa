/** Reads one file and counts the terms of its text, without parsing it. */
import type { TextCounts } from "../../db/parse-cache/count-cache.ts";
import { lineCount } from "../../text/lines.ts";
import { encodeTermStats } from "../../text/terms/encode-term-stats.ts";
import type { IndexableFile } from "../model/index-run.ts";
import type { WorkTree } from "../update/index-deps.ts";
import { type FileContent, readContent } from "../update/scan-and-parse.ts";

/** A file with the counts of its text; or why it is skipped or cannot be read. */
export type FileCounts =
  | Exclude<FileContent, { readonly kind: "text" }>
  | { readonly kind: "counted"; readonly file: IndexableFile; readonly counts: TextCounts };

/** The files that the counting reads from. */
export type CountedTree = Pick<WorkTree, "readFile" | "holdsPackage" | "skipByText">;

/** Counts a file that `skipByPath` keeps. */
export function countFile(workTree: CountedTree, path: string, bytesMax: number): FileCounts {
  const content = readContent(workTree, path, bytesMax);
  if (content.kind !== "text") return content;
  const { file, text } = content;
  const stats = encodeTermStats({ text, symbols: [], commentLines: [], docstrings: false });
  const counts = { hash: file.contentHash, lines: lineCount(text), chars: text.length, stats };
  return { kind: "counted", file, counts };
}
