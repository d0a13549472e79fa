/**
 * An index on its way to another machine: without texts, term statistics, SQL indexes and what belongs to one machine or one model.
 *
 * Whoever takes one gives each file's text and facts, and the rows of the file must be what these facts say. So a planted index can
 * bring no text, name or line of its own; only edges, history and word lists are taken as they are if they are possible, and history
 * is read again.
 */
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { Failed } from "../../../failure.ts";
import { isTestPath } from "../../../languages/file-role.ts";
import { canBeOf } from "../../../languages/script-language.ts";
import { encodeTermStats } from "../../../text/terms/encode-term-stats.ts";
import { CHECKSUM_SUFFIX, checksumState, writeChecksum } from "../../sqlite/checksum.ts";
import { COMPANIONS } from "../../sqlite/companions.ts";
import type { Db } from "../../sqlite/db.ts";
import { openDatabase } from "../../sqlite/open.ts";
import { IMPOSSIBLE_LINKS } from "../impossible-links.ts";
import { readStoredMeta, type StoredMeta, writeStoredMeta } from "../meta.ts";
import { writeAllPathBlocks } from "../path-blocks.ts";
import { CURATED_SCHEMA } from "../schema.ts";
import { packText } from "../stored-text.ts";
import { type TermBlockWriter, termBlockWriter } from "../term-blocks.ts";
import { type KnownFile, type SaidFile, saysSame } from "./portable-rows.ts";
import { portableIndexes, portableSchema } from "./portable-schema.ts";

/** The files of an index, as it lists them. */
export type PortableFile = {
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
};

/** What is made of the texts and paths again, or belongs to one model. */
const NOT_CARRIED = ["file_texts", "term_blocks", "path_blocks", "file_metadata"];

/** Whether all deleted rows of an index are overwritten, so that none is carried along. */
const ERASED = "erased";

/**
 * Copies the index at `from`, whose lock the caller holds, to `to`, for another machine. An index from before deleted rows were overwritten
 * is rewritten first. Throws `index-damaged`.
 */
export function writePortable(from: string, to: string): StoredMeta {
  eraseDeleted(from);
  if (checksumState(from) === "unknown") writeChecksum(from, CURATED_SCHEMA);
  const state = checksumState(from);
  if (state === "broken")
    throw new Failed({ code: "index-damaged", path: from, why: "its bytes have changed since cra wrote them" });
  if (state === "whole") copyFileSync(from, to);
  else copyRows(from, to);
  const db = openDatabase(to, "write", CURATED_SCHEMA);
  try {
    db.script(ALONE);
    db.transaction(() => {
      db.run("update repos set path = '', indexed_at = ''");
      for (const table of NOT_CARRIED) db.run(`delete from ${table}`);
      for (const { name } of portableIndexes()) db.run(`drop index ${name}`);
    });
    const meta = readStoredMeta(db);
    if (meta === null) throw new Failed({ code: "index-damaged", path: from, why: "it has no description" });
    return meta;
  } finally {
    db.close();
  }
}

/**
 * For a file that nobody else knows of and that is removed if anything fails: changes are written once, and not to a log first, and none
 * before the end.
 */
const ALONE = "pragma journal_mode = off; pragma cache_size = -32768";

/** Copies an index while a reader needs an older state of it: equal rows, in other pages. */
function copyRows(from: string, to: string): void {
  const db = openDatabase(from, "read", CURATED_SCHEMA);
  try {
    db.run("vacuum into ?1", to);
  } finally {
    db.close();
  }
}

/** Rewrites an index once without the rows that were deleted in it. Later deletions overwrite theirs. */
function eraseDeleted(path: string): void {
  const db = openDatabase(path, "write", CURATED_SCHEMA);
  try {
    if (db.get("select 1 from meta where key = ?1", ERASED) !== null) return;
    rmSync(path + CHECKSUM_SUFFIX, { force: true });
    for (const table of ["file_search", "symbol_search", "commit_search"])
      db.run(`insert into ${table}(${table}) values ('optimize')`);
    db.run("insert into meta(key, value) values (?1, '')", ERASED);
    db.script("vacuum");
  } finally {
    db.close();
  }
}

export type SaidCommit = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly timestamp: number;
};

/** What an index is finished as. Unless `isHistoryKnown`, the next run reads history again and replaces what differs. */
export type FinishedAs = {
  readonly root: string;
  readonly remoteUrl: string | null;
  /** An ISO time. */
  readonly indexedAt: string;
  readonly isHistoryKnown: boolean;
};

/** An index that came from elsewhere, while it is completed. Nothing is kept before `finish`. */
type OpenPortable = {
  readonly meta: StoredMeta;
  /** `problem`: why a file could not be parsed, as its row says; null if it could. */
  readonly files: readonly (PortableFile & Pick<SaidFile, "problem">)[];
  /** Completes all files with this content. Throws `index-damaged` for rows that say something else. */
  fill(content: Pick<PortableFile, "contentHash" | "language" | "sizeBytes">, known: KnownFile): void;
  /** Whether its commits are these, by what they say. Which files they touch is not compared. */
  hasCommits(commits: readonly SaidCommit[]): boolean;
  /** Empties the rows of all other files, to be made again, and returns how many these are. */
  finish(as: FinishedAs): number;
  close(): void;
};

/**
 * Opens a portable index that came from elsewhere. Throws `index-damaged` unless its tables are those that cra makes, its
 * pages are sound, and its files and description are possible.
 */
export function openPortable(path: string): OpenPortable {
  for (const suffix of COMPANIONS) if (existsSync(path + suffix)) throw planted(path, "a file beside it is in the way");
  const db = openDatabase(path, "write", portableSchema());
  try {
    db.script(ALONE);
    const { meta, files } = soundParts(db);
    const due = Map.groupBy(files, contentKey);
    const terms = termBlockWriter(db);
    db.begin();
    for (const { sql } of portableIndexes()) db.run(sql ?? "");
    for (const [what, sql] of IMPOSSIBLE_LINKS)
      if (db.get(`${sql} limit 1`) !== null) throw planted(path, `it has ${what}`);
    for (const table of NOT_CARRIED) db.run(`delete from ${table}`);
    return {
      meta,
      files,
      fill(content, known) {
        for (const file of due.get(contentKey(content)) ?? []) {
          if (!saysSame(db, file, known)) throw planted(path, `its rows of ${file.path} are not those of the file`);
          if (file.secretFreeBy !== known.secretFreeBy)
            db.run("update files set secret_free_by = ?2 where id = ?1", file.id, known.secretFreeBy);
          putContent(db, terms, file.id, known);
        }
        due.delete(contentKey(content));
      },
      hasCommits(commits) {
        const said = db.all<SaidCommit>("select hash, author, message, timestamp from commits order by hash");
        const wanted = commits
          .map(({ hash, author, message, timestamp }) => ({ hash, author, message, timestamp }))
          .sort((a, b) => (a.hash < b.hash ? -1 : 1));
        return Bun.deepEquals(said, wanted);
      },
      finish({ root, remoteUrl, indexedAt, isHistoryKnown }) {
        const others = [...due.values()].flat();
        for (const { id } of others) empty(db, terms, id);
        terms.write();
        writeAllPathBlocks(db);
        db.run("update repos set path = ?1, remote_url = ?2, indexed_at = ?3", root, remoteUrl, indexedAt);
        const historyProblem = isHistoryKnown ? meta.historyProblem : FROM_ELSEWHERE;
        writeStoredMeta(db, { ...meta, remoteUrl, historyProblem });
        db.commit();
        return others.length;
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

type FileRow = PortableFile & SaidFile & { readonly secretFreeBy: string | null };

/** A content of another size is another content. */
const contentKey = ({
  contentHash,
  language,
  sizeBytes,
}: Pick<PortableFile, "contentHash" | "language" | "sizeBytes">) => `${contentHash}:${language}:${sizeBytes}`;

function soundParts(db: Db): { readonly meta: StoredMeta; readonly files: readonly FileRow[] } {
  if (db.get<{ integrity_check: string }>("pragma integrity_check(1)")?.integrity_check !== "ok")
    throw planted(db.path, "its pages are damaged");
  if (db.get("select 1 from pragma_foreign_key_check limit 1") !== null)
    throw planted(db.path, "rows refer to rows that are not there");
  const meta = readStoredMeta(db);
  if (meta === null) throw planted(db.path, "it has no description");
  const repos = db.all<{ readonly head: string | null }>("select head from repos");
  if (repos.length !== 1 || repos[0]?.head !== meta.head)
    throw planted(db.path, "its description names another commit than its rows");
  const files = db.all<FileRow & { readonly isTest: number }>(
    `select id, path, language, content_hash as contentHash, size_bytes as sizeBytes, is_test as isTest, line_count as lines,
       token_count as tokens, parse_problem as problem, interface_hash as interfaceHash, secret_free_by as secretFreeBy
     from files order by path`,
  );
  for (const { path, language, isTest } of files)
    if (!isInside(path) || !canBeOf(path, language) || isTest !== Number(isTestPath(path)))
      throw planted(db.path, `it lists a file that cannot be one: ${JSON.stringify(path.slice(0, 100))}`);
  return { meta, files };
}

/** Why the history of such an index is read again. */
const FROM_ELSEWHERE = "it comes from a store";

/** An index says something that its files do not: `why` is a sentence about it, such as "it has no description". */
const planted = (path: string, why: string): Failed => new Failed({ code: "index-damaged", path, why });

/** Whether a path stays below the folder that it starts from, on every system. */
export const isInside = (path: string): boolean =>
  path.length > 0 &&
  path.length <= PATH_CHARS_MAX &&
  !path.includes("\0") &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git");

const PATH_CHARS_MAX = 4_096;

const EMPTY_STATS = { text: "", symbols: [], commentLines: [], docstrings: false };

/** Empties the rows of a file. Without a content hash it counts as changed. */
function empty(db: Db, terms: TermBlockWriter, id: number): void {
  db.run("delete from symbol_search where rowid in (select id from symbols where file_id = ?1)", id);
  for (const table of ["docstrings", "comments", "symbols"]) db.run(`delete from ${table} where file_id = ?1`, id);
  db.run(
    `update files set content_hash = '', interface_hash = '', line_count = 0, token_count = 0, parse_problem = null,
       secret_free_by = null where id = ?1`,
    id,
  );
  putContent(db, terms, id, { stats: encodeTermStats(EMPTY_STATS), text: "" });
}

function putContent(
  db: Db,
  terms: TermBlockWriter,
  id: number,
  { text, stats }: Pick<KnownFile, "text" | "stats">,
): void {
  db.run("insert into file_texts(file_id, text) values (?1, ?2)", id, packText(Buffer.from(text)));
  terms.put(id, stats);
}

/** The files of an index with these contents, for whoever pushes it. */
export function portableFiles(path: string): readonly PortableFile[] {
  const db = openDatabase(path, "read", portableSchema());
  try {
    return db.all(
      "select path, language, content_hash as contentHash, size_bytes as sizeBytes from files order by path",
    );
  } finally {
    db.close();
  }
}
