/** Checks what the index packs into values, of which SQLite sees only bytes: texts, term statistics and the words of paths. */
import { pathBlockEncoder } from "../../text/terms/path-block.ts";
import { BLOCK_FILES } from "../../text/terms/stats-block.ts";
import { soundStatsBlock } from "../../text/terms/term-stats-check.ts";
import { blocksOfFiles, pathBlocks, pathsIn } from "../curated/path-blocks.ts";
import { type StoredText, textOf } from "../curated/stored-text.ts";
import { termBlocks } from "../curated/term-blocks.ts";
import type { Db } from "../sqlite/db.ts";
import type { Check, Remedy } from "./database.ts";
import { REPAIR } from "./diagnostic.ts";

export const REMEDY: Remedy = { code: "index-damaged", mend: REPAIR.rebuild };

/** What is wrong with the index. */
export const wrong = (what: string) => ({ severity: "error", ...REMEDY, what }) as const;

type FileText = StoredText & { readonly path: string; readonly hash: string; readonly lines: number };

/** Every text unpacks, has the line count of its file and, where that can be checked, its hash. */
const TEXTS: Check = {
  name: "texts",
  *run(db) {
    const rows = db.each<FileText>(
      `select f.path, t.text, f.content_hash as hash, f.size_bytes as sizeBytes, f.line_count as lines
       from file_texts t join files f on f.id = t.file_id`,
    );
    yield* summed("texts that do not match their files", rows, (row) => {
      const { hash, lines, sizeBytes } = row;
      const text = unpacked(db, row);
      return text !== null && linesIn(text) === lines && (!isPlain(text, sizeBytes) || sha256(text) === hash);
    });
  },
};

/** Every file has term statistics in the block of its id, which are readable and refer only to definitions of the file. */
const TERMS: Check = {
  name: "term statistics",
  *run(db) {
    const files = new Map(
      db
        .all<{ id: number; path: string; symbols: number }>(
          "select id, path, (select count(*) from symbols where file_id = f.id) as symbols from files f",
        )
        .map((file) => [file.id, file]),
    );
    const sound = new Set<number>();
    for (const { firstId, stats } of termBlocks(db))
      for (const id of soundStatsBlock(stats, (place) => files.get(firstId + place)?.symbols ?? null))
        sound.add(firstId + id);
    yield* summed("missing or unreadable term statistics", files.values(), ({ id }) => sound.has(id));
  },
};

/** Each block has the words of the paths of its files, and there is no other. */
const PATHS: Check = {
  name: "words of paths",
  *run(db) {
    const encode = pathBlockEncoder();
    const stored = new Map(pathBlocks(db).map(({ firstId, words }) => [firstId / BLOCK_FILES, words]));
    const blocks = Array.from(new Set([...stored.keys(), ...blocksOfFiles(db)]), (block) => {
      const files = pathsIn(db, block);
      return { path: files[0]?.[1] ?? "", isSound: Bun.deepEquals(encode(files), stored.get(block) ?? null) };
    });
    yield* summed("blocks of files with other words than their paths have", blocks, ({ isSound }) => isSound);
  },
};

export const PACKED_VALUES: readonly Check[] = [TEXTS, TERMS, PATHS];

function* summed<Row extends { readonly path: string }>(
  what: string,
  rows: Iterable<Row>,
  isSound: (row: Row) => boolean,
): Generator<ReturnType<typeof wrong>> {
  let count = 0;
  let example = "";
  for (const row of rows) {
    if (isSound(row)) continue;
    count += 1;
    if (example === "" || row.path < example) example = row.path;
  }
  if (count > 0) yield wrong(`${count} ${what}, such as ${example}`);
}

function unpacked(db: Db, stored: StoredText): Buffer | null {
  try {
    return textOf(db, stored);
  } catch {
    return null;
  }
}

function linesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LINE_FEED); at !== -1; at = text.indexOf(LINE_FEED, at + 1)) count += 1;
  return text.length === 0 || text.at(-1) === LINE_FEED ? count : count + 1;
}

const LINE_FEED = 10;

/** Whether the file's bytes were plain ASCII: only then can the hash of its text be compared. */
const isPlain = (text: Buffer, bytes: number): boolean => text.length === bytes && text.every((byte) => byte < 0x80);

const sha256 = (bytes: Buffer): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
