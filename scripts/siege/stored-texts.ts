/**
 * What a folder stores beside the index and the parse cache, which hold the files as they are: the bytes of its files, and what
 * its databases hold in packed form.
 */
import { Database } from "bun:sqlite";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "bun";
import { z } from "zod";

export type StoredText = { readonly where: string; readonly bytes: Uint8Array };

const Names = z.array(z.object({ name: z.string() }));
/** Copies of the repository's files. */
const COPIES = /(?:curated|parse-cache)\.sqlite(?:-wal|-shm)?(?:\.bad-\d+)?$/;
const SQLITE = Buffer.from("SQLite format 3\0");
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** All of them below a folder; nothing if there is no such folder. */
export function* textsIn(folder: string): Generator<StoredText> {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (COPIES.test(name) || !lstatSync(path).isFile()) continue;
    yield { where: name, bytes: readFileSync(path) };
    if (name.endsWith(".sqlite")) yield* packedIn(path, name);
  }
}

function* packedIn(path: string, where: string): Generator<StoredText> {
  if (!SQLITE.equals(readFileSync(path).subarray(0, SQLITE.length))) return;
  using db = new Database(path, { readonly: true });
  try {
    yield* packedValues(db, where);
  } catch {
    // It is damaged, and its bytes are looked through already.
  }
}

function* packedValues(db: Database, where: string): Generator<StoredText> {
  const tables = Names.parse(db.query("select name from sqlite_master where type = 'table'").all());
  for (const { name } of tables) {
    for (const row of db.query(`select * from "${name}"`).values())
      for (const value of row)
        if (value instanceof Uint8Array && ZSTD.equals(value.subarray(0, 4)))
          yield { where: `${where}, ${name}`, bytes: zstdDecompressSync(value) };
  }
}
