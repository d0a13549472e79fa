/** Opens the term statistics of every file, one by one or in blocks, and searches them for stems. */
import type { CorpusStats, FileRow, TermStatsRow } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import {
  type FileSizes,
  readStatsBlock,
  type StatsBlock,
  stemsIn,
  visitFiles,
  visitStem,
} from "../../text/terms/stats-block.ts";
import {
  exactHash,
  lookUp,
  readPostingStarts,
  readTermStats,
  type TermStats,
  type TermTable,
} from "../../text/terms/term-stats.ts";
import { firstPathOf, positionsById } from "./file-positions.ts";

/** By position of the file. `segmentCount` is 0 for one without statistics; `segmentAt` is a byte of its source. */
export type CorpusFiles = {
  readonly segmentCount: Int32Array;
  /** In code and in comments. */
  readonly fileTerms: Int32Array;
  readonly definitionTerms: Int32Array;
  readonly segmentAt: Int32Array;
  /** The index of its source in `sources`. */
  readonly source: Int32Array;
  readonly sources: readonly Uint8Array[];
};

/**
 * A block whose segments are in the bytes from `segmentsFrom` to `segmentsTo`. `positions` are those of its files by place, -1 for one that is
 * not in the list.
 */
export type OpenedBlock = {
  readonly kind: "block";
  readonly block: StatsBlock;
  readonly positions: Int32Array;
  readonly segmentsFrom: number;
  readonly segmentsTo: number;
  /** Throws `index-damaged`. */
  readonly refuse: () => never;
};

type Piece = OpenedBlock | { readonly kind: "file"; readonly stats: TermStats; readonly position: number };

/** Statistics to search. What is known of a file is in `files` from its piece on. The bytes of blocks that pass are gone with the next. */
type OpenedStats = {
  readonly files: OpenFiles;
  readonly pieces: Iterable<Piece>;
  readonly passes: boolean;
};

/** What was opened from rows, for one list of files. */
const cache = new WeakMap<readonly TermStatsRow[], OpenedStats & { readonly list: readonly FileRow[] }>();

/** Throws `index-damaged` if statistics cannot be read, those that pass while they are searched. */
export function openedStats(stats: CorpusStats, list: readonly FileRow[]): OpenedStats {
  const files = noFiles(list.length);
  if ("passing" in stats) return { files, pieces: openPieces(stats.passing, list, files), passes: true };
  const { rows } = stats;
  const cached = cache.get(rows);
  if (cached?.list === list) return cached;
  const opened = { list, files, pieces: [...openPieces(rows, list, files)], passes: false };
  if (cached === undefined) cache.set(rows, opened);
  return opened;
}

const noFiles = (count: number): OpenFiles => ({
  segmentCount: new Int32Array(count),
  fileTerms: new Int32Array(count),
  definitionTerms: new Int32Array(count),
  segmentAt: new Int32Array(count),
  source: new Int32Array(count),
  sources: [],
});

/** Files whose sources may be replaced. */
type OpenFiles = CorpusFiles & { readonly sources: Uint8Array[] };

function* openPieces(rows: Iterable<TermStatsRow>, list: readonly FileRow[], files: OpenFiles): Generator<Piece> {
  const { sources } = files;
  const positionOf = positionsById(list);
  const set = (position: number, sizes: Omit<FileSizes, "segmentEnd">): void => {
    files.segmentCount[position] = sizes.segmentCount;
    files.fileTerms[position] = sizes.codeTerms + sizes.commentTerms;
    files.definitionTerms[position] = sizes.definitionTerms;
    files.segmentAt[position] = sizes.segmentAt;
    files.source[position] = sources.length - 1;
  };
  for (const row of rows) {
    if (row.kind === "file") {
      const position = positionOf.get(row.fileId);
      if (position === undefined) continue;
      const stats = readTermStats(row.stats) ?? unreadable(list[position]?.path ?? "");
      sources.push(stats.bytes);
      set(position, stats);
      yield { kind: "file", stats, position };
      continue;
    }
    const { firstId, step } = row;
    const refuse = (): never => unreadable(firstPathOf(list, firstId, step));
    const block = readStatsBlock(row.stats) ?? refuse();
    sources.push(block.bytes);
    const positions = new Int32Array(block.places).fill(-1);
    let segmentsFrom = block.bytes.length;
    let segmentsTo = 0;
    visitFiles(block, (place, sizes) => {
      segmentsFrom = Math.min(segmentsFrom, sizes.segmentAt);
      segmentsTo = Math.max(segmentsTo, sizes.segmentEnd);
      const position = positionOf.get(firstId + place * step);
      if (position === undefined) return;
      positions[place] = position;
      set(position, sizes);
    });
    yield { kind: "block", block, positions, segmentsFrom: Math.min(segmentsFrom, segmentsTo), segmentsTo, refuse };
  }
}

function unreadable(path: string): never {
  throw new Failed({ code: "index-damaged", path, why: "its term statistics cannot be read" });
}

/** An entry: the index of its stem, the hash of its term, the place of its file in the block, and its postings in the source of the file. */
type Visit = (stem: number, exact: number, place: number, from: number, to: number) => void;

/**
 * Visits the entries with these stems, block by block. `end` gets the positions of the block's files by place, -1 for none, and the block
 * unless it is a file alone. Throws `index-damaged` if a list cannot be read.
 */
export function searchStems(
  { pieces }: Pick<OpenedStats, "pieces">,
  stems: TermTable,
  visit: Visit,
  end: (positions: Int32Array, block: OpenedBlock | null) => void,
): void {
  // A file with statistics of its own is a block of one.
  const alone = new Int32Array(1);
  for (const piece of pieces) {
    if (piece.kind === "file") {
      searchFile(piece.stats, stems, visit);
      alone[0] = piece.position;
      end(alone, null);
      continue;
    }
    const { block, positions, refuse } = piece;
    let listEnd = block.listsAt;
    for (const { own, stem } of stemsIn(block, stems)) {
      listEnd = visitStem(block, own, listEnd, (exact, place, from, to) => {
        if ((positions[place] ?? -1) >= 0) visit(stem, exact, place, from, to);
      });
      if (listEnd < 0) refuse();
    }
    end(positions, piece);
  }
}

/** Where the postings of the entries of one file begin. Used again for the next. */
let starts = new Int32Array(1 << 12);

function searchFile(stats: TermStats, stems: TermTable, visit: Visit): void {
  const { words, termCount, stemAt } = stats;
  let isRead = false;
  for (let entry = 0; entry < termCount; entry += 1) {
    const stem = lookUp(stems, words[stemAt + entry] ?? 0);
    if (stem < 0) continue;
    if (!isRead) {
      if (starts.length <= termCount) starts = new Int32Array(2 * termCount);
      readPostingStarts(stats, starts);
      isRead = true;
    }
    visit(stem, exactHash(stats, entry), 0, starts[entry] ?? 0, starts[entry + 1] ?? 0);
  }
}
