/**
 * The table of term statistics, in blocks of files (`text/terms/stats-block.ts`): file n is in block n / `BLOCK_FILES`.
 *
 * The files of a block are written together, or each would write the block again.
 */
import { Failed } from "../../failure.ts";
import { replaceInBlock, statsInBlock } from "../../text/terms/encode-stats-block.ts";
import { BLOCK_FILES, readStatsBlock } from "../../text/terms/stats-block.ts";
import type { Db } from "../sqlite/db.ts";
import { IN_LIST, list } from "../sqlite/in-list.ts";
import type { BlockStatsRow, CorpusStats, TermStatsRow } from "./knowledge-base.ts";

export type TermBlockWriter = {
  put(fileId: number, stats: Uint8Array): void;
  remove(fileIds: readonly number[]): void;
  /** Writes what waits. A query has to come after it. */
  write(): void;
  /** Forgets what waits. */
  clear(): void;
};

/** The number of the block that a file is in. */
export const blockOf = (fileId: number): number => Math.floor(fileId / BLOCK_FILES);

export const termBlocks = (db: Db): readonly BlockStatsRow[] =>
  db.all<StoredBlock>("select id, stats from term_blocks").map(rowOf);

/** The size of all blocks. SQLite finds the length of a value without reading it. */
export const termBlockBytes = (db: Db): number =>
  db.get<{ readonly bytes: number }>("select coalesce(sum(length(stats)), 0) as bytes from term_blocks")?.bytes ?? 0;

/** All blocks, one after another. The memory of one is used again for the next: new memory takes longer than reading. */
export function* passingTermBlocks(db: Db): Generator<BlockStatsRow> {
  for (const stored of db.each<StoredBlock>("select id, stats from term_blocks")) {
    yield rowOf(stored);
    const { buffer } = stored.stats;
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }
}

/** The rows in a list. Those that pass are copied, because the memory of one is used again for the next. */
export const keptRows = (stats: CorpusStats): readonly TermStatsRow[] =>
  "rows" in stats ? stats.rows : Array.from(stats.passing, (row) => ({ ...row, stats: row.stats.slice() }));

/** The blocks with these numbers, one after another. */
export function* eachTermBlock(db: Db, blocks: readonly number[]): Generator<BlockStatsRow> {
  for (const stored of db.each<StoredBlock>(`select id, stats from term_blocks where id ${IN_LIST}`, list(blocks)))
    yield rowOf(stored);
}

const rowOf = ({ id, stats }: StoredBlock): BlockStatsRow => ({
  kind: "block",
  firstId: id * BLOCK_FILES,
  step: 1,
  stats,
});

/** The statistics of each file in a row, by id. None if they cannot be read. */
export function statsByFile(row: TermStatsRow): readonly (readonly [fileId: number, stats: Uint8Array])[] {
  if (row.kind === "file") return [[row.fileId, row.stats]];
  if (readStatsBlock(row.stats) === null) return [];
  return [...statsInBlock(row.stats)].map(([place, stats]) => [row.firstId + place * row.step, stats] as const);
}

/** Throws `index-damaged` if the stored block cannot be read. */
function replaced(db: Db, ...args: Parameters<typeof replaceInBlock>): Uint8Array | null {
  try {
    return replaceInBlock(...args);
  } catch (error) {
    const why = "its term statistics cannot be read";
    throw new Failed({ code: "index-damaged", path: db.path, why }, { cause: error });
  }
}

type StoredBlock = { readonly id: number; readonly stats: Uint8Array };

/** More than this does not wait. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;

export function termBlockWriter(db: Db): TermBlockWriter {
  /** By block and place; null for a file that is removed. */
  const waiting = new Map<number, Map<number, Uint8Array | null>>();
  let bytes = 0;
  const place = (fileId: number, stats: Uint8Array | null): void =>
    void waiting.getOrInsertComputed(blockOf(fileId), () => new Map()).set(fileId % BLOCK_FILES, stats);
  const clear = (): void => {
    waiting.clear();
    bytes = 0;
  };
  const write = (): void => {
    for (const [id, placed] of [...waiting].sort(([a], [b]) => a - b)) {
      const stored = db.get<StoredBlock>("select id, stats from term_blocks where id = ?1", id)?.stats ?? null;
      const block = replaced(db, stored, placed);
      if (block === null) db.run("delete from term_blocks where id = ?1", id);
      else
        db.run(
          "insert into term_blocks(id, stats) values (?1, ?2) on conflict(id) do update set stats = excluded.stats",
          id,
          block,
        );
    }
    clear();
  };
  return {
    put(fileId, stats) {
      place(fileId, stats);
      bytes += stats.byteLength;
      if (bytes > WAITING_BYTES_MAX) write();
    },
    remove: (fileIds) => {
      for (const fileId of fileIds) place(fileId, null);
    },
    write,
    clear,
  };
}
