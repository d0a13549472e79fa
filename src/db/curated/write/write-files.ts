/**
 * Writes files with their texts, symbols and prose into the curated index.
 *
 * A file keeps its id as long as its path is indexed. Full-text rows stay in step with the rows they index.
 */
import type { FileFacts } from "../../../syntax/facts/facts.ts";
import { freeBlockRoom } from "../../../text/terms/encode-stats-block.ts";
import type { Db, Flagged } from "../../sqlite/db.ts";
import { distinctTerms, emptyTermCache, indexedText, type TermCache, termCache } from "../../sqlite/full-text.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import { type SearchRows, searchRows } from "../full-text/search-rows.ts";
import { type PathBlockWriter, pathBlockWriter } from "../path-blocks.ts";
import { packText, type StoredText, textOf } from "../stored-text.ts";
import { type TermBlockWriter, termBlockWriter } from "../term-blocks.ts";
import { putProse, putSymbols } from "./write-symbols.ts";

/** A file to store. `interfaceHash` covers what other files can see of it. */
type FileRecord = {
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly interfaceHash: string;
  readonly sizeBytes: number;
  readonly isTest: boolean;
  readonly facts: FileFacts;
  readonly stats: Uint8Array;
  readonly text: string;
  /** The version of the rules by which the text holds no secret; null if it holds one. */
  readonly secretFreeBy: string | null;
};

/** `looksSame`: other files see the same interface, and the file's symbols keep their ids. */
type PutFile = { readonly id: number; readonly looksSame: boolean; readonly before: ReplacedFile | null };

/** What was stored in the place of a file. */
export type ReplacedFile = Pick<FileRecord, "path" | "language" | "contentHash" | "sizeBytes" | "isTest"> & {
  readonly id: number;
};

export type FileWriter = {
  /** Stores a file under a new id, or replaces the file with `id`. */
  putFile(file: FileRecord, id: number | null): PutFile;
  /** The text of a stored file; null if it has none. */
  textOf(id: number): string | null;
  removeFiles(ids: readonly number[]): void;
  /** Writes full-text rows that wait for others (`search-rows.ts`) or for a search, or forgets them. */
  endSearchRows(how: "write" | "clear"): void;
  /** The same for term statistics (`term-blocks.ts`). */
  endTermStats(how: "write" | "clear"): void;
  /** The same for the words of paths (`path-blocks.ts`). */
  endPathWords(how: "write" | "clear"): void;
};

/** `stats` takes term statistics instead of the table, for an index that is hardly ever searched: words of files are found for a search only. */
export function fileWriter(db: Db, stats: TermBlockWriter | null): FileWriter {
  // The same words are in most files.
  const terms = termCache();
  const waiting: Waiting = {
    stats: stats ?? termBlockWriter(db),
    paths: stats === null ? pathBlockWriter(db) : null,
    terms,
    texts: stats === null ? null : new Map(),
    files: searchRows(db, "file_search", ["terms"], (words) => words),
    symbols: searchRows(db, "symbol_search", ["name", "signature", "doc"], (text) => indexedText(text, terms)),
  };
  return {
    putFile: (file, id) => putFile(db, waiting, file, id),
    textOf(id) {
      const stored = db.get<StoredText>(
        "select t.text, f.size_bytes as sizeBytes from file_texts t join files f on f.id = t.file_id where t.file_id = ?1",
        id,
      );
      return stored === null ? null : textOf(db, stored).toString("utf8");
    },
    removeFiles: (ids) => {
      const symbols = db.all<{ id: number }>(`select id from symbols where file_id ${IN_LIST}`, list(ids));
      waiting.symbols.remove(symbols.map(({ id }) => id));
      waiting.files.remove(ids);
      waiting.stats.remove(ids);
      for (const id of ids) waiting.paths?.change(id);
      for (const id of ids) waiting.texts?.delete(id);
      clearFiles(db, ids, [...PROSE, "symbols"]);
      db.run(`delete from files where id ${IN_LIST}`, list(ids));
    },
    endSearchRows: (how) => {
      if (how === "write") findWords(db, waiting);
      waiting.texts?.clear();
      waiting.files[how]();
      waiting.symbols[how]();
      emptyTermCache(terms);
    },
    endTermStats(how) {
      waiting.stats[how]();
      freeBlockRoom();
    },
    endPathWords: (how) => waiting.paths?.[how](),
  };
}

/** What is written later. */
type Waiting = {
  readonly stats: TermBlockWriter;
  /** Null for an index that is hardly ever searched: a search looks into the paths instead. */
  readonly paths: PathBlockWriter | null;
  readonly terms: TermCache;
  /** The texts by file whose words are found when a search asks for them; null if they are found at once. */
  readonly texts: Map<number, readonly Uint8Array[]> | null;
  readonly files: SearchRows;
  readonly symbols: SearchRows;
};

const PROSE = ["docstrings", "comments"] as const;

/** Deletes the rows that depend on files' contents; rows that refer to symbols are deleted with them. */
function clearFiles(db: Db, ids: readonly number[], tables: readonly string[]): void {
  for (const table of tables) db.run(`delete from ${table} where file_id ${IN_LIST}`, list(ids));
}

/** Finds the words of the texts that wait. */
function findWords(db: Db, { texts, terms, files }: Waiting): void {
  for (const [id, of] of texts ?? []) {
    const words = distinctTerms(of, terms);
    db.run("update files set term_count = ?2 where id = ?1", id, words.count);
    files.put(id, [words.terms], false);
  }
}

function putFile(db: Db, waiting: Waiting, file: FileRecord, id: number | null): PutFile {
  const { stats, paths, terms, texts, files, symbols } = waiting;
  const before =
    id === null
      ? null
      : db.get<Flagged<ReplacedFile, "isTest"> & { hash: string }>(
          `select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, is_test as isTest,
             interface_hash as hash from files where id = ?1`,
          id,
        );
  const looksSame = before?.hash === file.interfaceHash;
  // The metadata describes the old content.
  if (before !== null && before.contentHash !== file.contentHash)
    db.run("delete from file_metadata where file_id = ?1", id);
  const text = Buffer.from(file.text);
  const searched = [Buffer.from(file.path), text];
  const words = texts === null ? distinctTerms(searched, terms) : null;
  const fileId = putFileRow(db, file, words?.count ?? 0, id);
  const put = putSymbols(db, symbols, { fileId, isNew: id === null }, file.facts);
  if (id !== null) clearFiles(db, [id], PROSE);
  if (words === null) texts?.set(fileId, searched);
  else files.put(fileId, [words.terms], id === null);
  db.run(
    "insert into file_texts(file_id, text) values (?1, ?2) on conflict(file_id) do update set text = excluded.text",
    fileId,
    packText(text),
  );
  stats.put(fileId, file.stats);
  paths?.change(fileId);
  putProse(db, fileId, file.facts, put.ids);
  return {
    id: fileId,
    looksSame: looksSame && put.areKept,
    before: before === null ? null : { ...before, isTest: before.isTest === 1 },
  };
}

function putFileRow(
  db: Db,
  { path, language, contentHash, interfaceHash, sizeBytes, isTest, secretFreeBy, facts }: FileRecord,
  termCount: number,
  id: number | null,
): number {
  // "returning" would build a temporary table, which takes longer than the rest of the statement.
  const fileId = id ?? db.get<{ next: number }>("select coalesce(max(id), 0) + 1 as next from files")?.next ?? 1;
  db.run(
    `insert into files(id, repo_id, path, language, content_hash, size_bytes, line_count, token_count, is_test, parse_problem,
       interface_hash, secret_free_by, term_count)
     values (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
     on conflict(id) do update set language = excluded.language, content_hash = excluded.content_hash,
       size_bytes = excluded.size_bytes, line_count = excluded.line_count, token_count = excluded.token_count,
       is_test = excluded.is_test, parse_problem = excluded.parse_problem,
       interface_hash = excluded.interface_hash, secret_free_by = excluded.secret_free_by,
       term_count = excluded.term_count`,
    fileId,
    path,
    language,
    contentHash,
    sizeBytes,
    facts.lineCount,
    facts.tokenCount,
    isTest ? 1 : 0,
    facts.problem,
    interfaceHash,
    secretFreeBy,
    termCount,
  );
  return fileId;
}
