/** Relations as wanted sets: only differences are stored, for large sets too. */
import { expect, test } from "bun:test";
import { CURATED_SCHEMA } from "../../../../src/db/curated/schema.ts";
import { linkWriter } from "../../../../src/db/curated/write/write-links.ts";
import { openDatabase } from "../../../../src/db/sqlite/open.ts";

const FILES = 150;

const PAIRS = Array.from({ length: FILES * FILES }, (_, at) => ({
  source: 1 + Math.floor(at / FILES),
  target: 1 + (at % FILES),
  kind: "import" as const,
}));

test("replaces a large set by another", () => {
  const db = openDatabase(":memory:", "write", CURATED_SCHEMA);
  const { setDependencies } = linkWriter(db);
  try {
    db.run("insert into repos(id, path, indexed_at) values (1, '/r', 't')");
    db.runAll(
      `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test,
         interface_hash)
       values (?1, 1, ?2, 'text', 'h', 1, 1, 1, 0, 'h')`,
      Array.from({ length: FILES }, (_, at) => [at + 1, `file-${at}`]),
    );
    const stored = (): number => db.get<{ n: number }>("select count(*) as n from dependencies")?.n ?? 0;
    setDependencies(PAIRS, null);
    expect(stored()).toBe(PAIRS.length);
    setDependencies(PAIRS.slice(1), null);
    expect(stored()).toBe(PAIRS.length - 1);
    setDependencies(PAIRS.slice(5, 6), null);
    expect(db.all("select source_file_id as source, target_file_id as target, kind from dependencies")).toEqual(
      PAIRS.slice(5, 6),
    );
  } finally {
    db.close();
  }
});
