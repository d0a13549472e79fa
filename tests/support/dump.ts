/**
 * Dumps the whole curated index as one normalised text, so that tests can compare two indexes.
 *
 * Row ids are replaced by paths, qualified names and hashes, rows are sorted, and the repository's location and the
 * indexing time are left out. Equal texts mean equal indexes.
 */

import { createHash } from "node:crypto";
import { zstdDecompressSync } from "bun";
import { blocksOfFiles, pathBlocks, pathsIn } from "../../src/db/curated/path-blocks.ts";
import { CURATED_SCHEMA } from "../../src/db/curated/schema.ts";
import { statsByFile, termBlocks } from "../../src/db/curated/term-blocks.ts";
import type { Db } from "../../src/db/sqlite/db.ts";
import { openDatabase } from "../../src/db/sqlite/open.ts";
import { pathBlockEncoder } from "../../src/text/terms/path-block.ts";
import { BLOCK_FILES } from "../../src/text/terms/stats-block.ts";

/** Dumps the index file at `path`. */
export function dumpCuratedFile(path: string): string {
  const db = openDatabase(path, "read", CURATED_SCHEMA);
  try {
    return dumpCurated(db);
  } finally {
    db.close();
  }
}

/** Identifies a symbol by file, lines and qualified name: a name may repeat in a file. */
const SYMBOL = (id: string): string =>
  `(select f.path || ':' || s.start_line || ':' || s.end_line || ':' || s.qualified_name || ':' || s.kind from symbols s join files f on f.id = s.file_id where s.id = ${id})`;
const FILE = (id: string): string => `(select path from files where id = ${id})`;
const COMMIT = (id: string): string => `(select hash from commits where id = ${id})`;

const TABLES: readonly (readonly [name: string, sql: string])[] = [
  // Names of configuration files may stay after the last file that asked for one.
  ["meta", "select key, value from meta where key <> 'config_names'"],
  ["repos", "select remote_url, head from repos"],
  [
    "files",
    "select path, language, content_hash, size_bytes, line_count, token_count, is_test, modified_at, parse_problem from files",
  ],
  ["file_texts", `select ${FILE("file_id")} as path, text from file_texts`],
  [
    "symbols",
    `select ${SYMBOL("symbols.id")} as symbol, name, doc_line, name_line, signature, signature_tokens, body_tokens,
      ${SYMBOL("symbols.parent_id")} as parent, exported from symbols`,
  ],
  [
    "docstrings",
    `select ${FILE("file_id")} as path, ${SYMBOL("symbol_id")} as symbol, content, format from docstrings`,
  ],
  [
    "comments",
    `select ${FILE("file_id")} as path, ${SYMBOL("symbol_id")} as symbol, line, content, kind, is_rationale from comments`,
  ],
  [
    "dependencies",
    `select ${FILE("source_file_id")} as source, ${FILE("target_file_id")} as target, kind from dependencies`,
  ],
  [
    "symbol_references",
    `select ${SYMBOL("caller_id")} as caller, ${SYMBOL("callee_id")} as callee, kind, confidence from symbol_references`,
  ],
  [
    "test_sources",
    `select ${FILE("test_file_id")} as test, ${FILE("source_file_id")} as source, score, by from test_sources`,
  ],
  ["commits", "select hash, author, message, timestamp, files_changed, insertions, deletions from commits"],
  ["file_commits", `select ${FILE("file_id")} as path, ${COMMIT("commit_id")} as hash from file_commits`],
  [
    "co_changes",
    `select min(${FILE("a")}, ${FILE("b")}) as a, max(${FILE("a")}, ${FILE("b")}) as b, count,
      ${COMMIT("last_commit")} as last_commit from co_changes`,
  ],
  [
    "file_metadata",
    `select ${FILE("file_id")} as path, purpose, module, domain, concepts, public_api_surface, complexity_notes from file_metadata`,
  ],
  ["index_skips", "select path, reason from index_skips"],
];

/** Full-text tables store no text, so each term is dumped with the rows it occurs in. */
const FULL_TEXT: readonly (readonly [name: string, row: string])[] = [
  ["file_search", FILE("v.doc")],
  ["symbol_search", SYMBOL("v.doc")],
  ["commit_search", COMMIT("v.doc")],
];

export function dumpCurated(db: Db): string {
  const tables = TABLES.map(([name, sql]) => {
    const rows = db.all<Record<string, unknown>>(sql).map((row) => JSON.stringify(Object.values(row).map(shown)));
    return `${name}\n${rows.sort().join("\n")}\n`;
  });
  checkPathWords(db);
  return [...tables, termStats(db), ...FULL_TEXT.map(([name, row]) => fullText(db, name, row))].join("\n");
}

/** Blocks depend on ids, so the statistics of each file are taken out of them. */
function termStats(db: Db): string {
  const pathOf = new Map(
    db.all<{ id: number; path: string }>("select id, path from files").map(({ id, path }) => [id, path]),
  );
  const rows = termBlocks(db)
    .flatMap(statsByFile)
    .map(([id, stats]) => JSON.stringify([pathOf.get(id), shown(stats)]));
  return `term_blocks\n${rows.sort().join("\n")}\n`;
}

/** Blocks are what the paths of their files make them, so they say nothing more. */
function checkPathWords(db: Db): void {
  const encode = pathBlockEncoder();
  const expected = blocksOfFiles(db).map((block) => ({
    firstId: block * BLOCK_FILES,
    words: encode(pathsIn(db, block)),
  }));
  if (!Bun.deepEquals(pathBlocks(db), expected)) throw new Error("the index has other words of paths than its files");
}

/** The view of the inverted index is temporary, so nothing is written to the file. */
function fullText(db: Db, name: string, row: string): string {
  db.script(`create virtual table if not exists temp.${name}_terms using fts5vocab('main', '${name}', 'instance')`);
  const hash = createHash("sha256");
  const lines = db.all<{ line: string }>(
    `select term || ' ' || ${row} || ' ' || coalesce(col || ' ' || offset, '') as line from temp.${name}_terms v order by 1`,
  );
  for (const { line } of lines) hash.update(`${line}\n`);
  return `${name}\n${lines.length} ${hash.digest("hex")}\n`;
}

function shown(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  // Compressed texts are compared by content.
  const isZstd = value[0] === 0x28 && value[1] === 0xb5 && value[2] === 0x2f && value[3] === 0xfd;
  return createHash("sha256")
    .update(isZstd ? zstdDecompressSync(value) : value)
    .digest("hex");
}
