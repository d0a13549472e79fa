/**
 * What the tasks of one process read of the same index, read once.
 *
 * Only the newest generation that was asked for is kept, and no more of it than the limits below; another generation,
 * or another index, takes its place. Rows are handed out as the same value as long as they are kept, so that what is
 * made of them can be kept beside them.
 * Not here: reading (`knowledge-base.ts`), what is made of rows (`retrieval/`).
 */
import type {
  DefinitionRow,
  FileRow,
  IndexMeta,
  NamedDefinition,
  ReferenceRow,
  SymbolRow,
  TermStatsRow,
} from "./knowledge-base.ts";

/** What was read of a generation so far. `bytes` and `texts` are by id of their file, `named` definitions by name. */
export type KeptRows = {
  files: readonly FileRow[] | null;
  termStats: readonly TermStatsRow[] | null;
  importerCounts: ReadonlyMap<number, number> | null;
  readonly bytes: KeptTexts<Buffer>;
  /** What of `bytes` was asked for as text. */
  readonly texts: KeptTexts<string>;
  readonly symbols: KeptLists<number, SymbolRow>;
  readonly definitions: KeptLists<number, DefinitionRow>;
  readonly named: KeptLists<string, NamedDefinition>;
  /** By the symbol that refers. */
  readonly references: KeptLists<number, PlacedReference>;
};

/** A reference, and the path of the file that it is in. */
export type PlacedReference = { readonly path: string; readonly row: ReferenceRow };

/** Texts, and their length together, in characters or bytes. */
export type KeptTexts<Text> = { readonly known: Map<number, Text>; length: number };

/** Rows by id of their file, or what else they were asked for by, and how many there are of both. */
export type KeptLists<Key, Row> = { readonly known: Map<Key, readonly Row[]>; count: number };

/** Statistics that take more than this, of about 14,000 files, are read for each task. */
const STATS_BYTES_MAX = 48 * 1024 * 1024;

const noTexts = <Text>(): KeptTexts<Text> => ({ known: new Map(), length: 0 });

const nothingKept = (): KeptRows => ({
  files: null,
  termStats: null,
  importerCounts: null,
  bytes: noTexts(),
  texts: noTexts(),
  symbols: { known: new Map(), count: 0 },
  definitions: { known: new Map(), count: 0 },
  named: { known: new Map(), count: 0 },
  references: { known: new Map(), count: 0 },
});

let newest: { readonly generation: string; readonly rows: KeptRows } | null = null;

/**
 * What is kept of the generation that `meta` describes. `mark` says which file it is in and when that was written, as
 * `meta` says nothing of a file that was put in its place or damaged.
 */
export function keptRows(mark: string, meta: IndexMeta): KeptRows {
  const generation = JSON.stringify([mark, meta]);
  if (newest?.generation !== generation) newest = { generation, rows: nothingKept() };
  return newest.rows;
}

/**
 * Beyond this many rows and what they were asked for by, about 20 MB, the next question begins anew. Tasks that go one
 * after another on 6,000 files want 60,000 definitions of them.
 */
const KEPT_ROWS_MAX = 80_000;

/** Lets go of lists that grew too long. */
export function makeRoom<Key, Row>(lists: KeptLists<Key, Row>): void {
  if (lists.count <= KEPT_ROWS_MAX) return;
  lists.known.clear();
  lists.count = 0;
}

/** Keeps statistics unless they are too many. */
export function keepTermStats(rows: KeptRows, stats: readonly TermStatsRow[]): readonly TermStatsRow[] {
  let length = 0;
  for (let at = 0; at < stats.length; at += 1) length += stats[at]?.stats.byteLength ?? 0;
  if (length <= STATS_BYTES_MAX) rows.termStats = stats;
  return stats;
}
