/** The table of the words in paths, in blocks of files as term statistics are (`term-blocks.ts`). */
import { pathBlockEncoder } from "../../text/terms/path-block.ts";
import { BLOCK_FILES } from "../../text/terms/stats-block.ts";
import type { Db } from "../sqlite/db.ts";
import type { PathBlockRow } from "./knowledge-base.ts";
import { blockOf } from "./term-blocks.ts";

export type PathBlockWriter = {
  /** A file comes or goes. */
  change(fileId: number): void;
  /** Writes the blocks with such files, as the rows of files say. */
  write(): void;
  /** Forgets them. */
  clear(): void;
};

export const pathBlocks = (db: Db): readonly PathBlockRow[] =>
  db
    .all<{ readonly id: number; readonly words: Uint8Array }>("select id, words from path_blocks order by id")
    .map(({ id, words }) => ({ firstId: id * BLOCK_FILES, words }));

export function pathBlockWriter(db: Db): PathBlockWriter {
  const changed = new Set<number>();
  return {
    change: (fileId) => void changed.add(blockOf(fileId)),
    write() {
      writeBlocks(db, changed);
      changed.clear();
    },
    clear: () => changed.clear(),
  };
}

/** Writes the blocks of all files. */
export const writeAllPathBlocks = (db: Db): void => writeBlocks(db, blocksOfFiles(db));

/** The numbers of the blocks that have files, in order. */
export const blocksOfFiles = (db: Db): readonly number[] =>
  db
    .all<{ readonly id: number }>("select distinct id / ?1 as id from files order by 1", BLOCK_FILES)
    .map(({ id }) => id);

function writeBlocks(db: Db, blocks: Iterable<number>): void {
  const encode = pathBlockEncoder();
  for (const block of blocks) {
    const words = encode(pathsIn(db, block));
    if (words === null) db.run("delete from path_blocks where id = ?1", block);
    else
      db.run(
        "insert into path_blocks(id, words) values (?1, ?2) on conflict(id) do update set words = excluded.words",
        block,
        words,
      );
  }
}

/** The paths of a block by place, in order of place. */
export const pathsIn = (db: Db, block: number): readonly (readonly [place: number, path: string])[] =>
  db
    .all<{ readonly id: number; readonly path: string }>(
      "select id, path from files where id >= ?1 and id < ?2 order by id",
      block * BLOCK_FILES,
      (block + 1) * BLOCK_FILES,
    )
    .map(({ id, path }) => [id % BLOCK_FILES, path]);
