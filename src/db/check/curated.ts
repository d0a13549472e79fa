/**
 * Checks every row of the curated index beyond what its tables enforce.
 *
 * The index is one generation: its rows, counts, content hash, texts, term statistics and full-text tables must all agree.
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { IMPOSSIBLE_LINKS } from "../curated/impossible-links.ts";
import { readStoredMeta, type StoredMeta, summaryOf } from "../curated/meta.ts";
import { CURATED_SCHEMA } from "../curated/schema.ts";
import { checksumState } from "../sqlite/checksum.ts";
import type { Db } from "../sqlite/db.ts";
import { NOTHING_WRITTEN, openUntouched } from "../sqlite/open.ts";
import { type BadRows, badRows, type Check, checkDatabase, type OnCheck } from "./database.ts";
import { type Diagnostic, REPAIR } from "./diagnostic.ts";
import { PACKED_VALUES, REMEDY, wrong } from "./packed-values.ts";

/** Computes the content hash of these files, sorted by path. `problem`: why one could not be parsed. */
type ContentHashOf = (
  files: readonly { readonly path: string; readonly contentHash: string; readonly problem: string | null }[],
  meta: StoredMeta,
) => string;

/** Checks the index at `path`; a missing file has no diagnostics. */
export function checkCurated(path: string, contentHashOf: ContentHashOf, onCheck: OnCheck): readonly Diagnostic[] {
  onCheck("checksum");
  // SQLite does not notice a changed byte within a text.
  if (checksumState(path) === "broken") {
    const what = "its bytes have changed since cra wrote them";
    return [{ severity: "error", ...REMEDY, where: path, what }];
  }
  if (awaitsRows(path)) return checkDatabase(path, CURATED_SCHEMA, [AWAITS_ROWS], REMEDY, onCheck);
  const checks: readonly Check[] = [
    generation(contentHashOf),
    badRows("rows", REMEDY, ROWS),
    badRows("full-text tables", REMEDY, FULL_TEXT.flatMap(inStep)),
    ...PACKED_VALUES,
  ];
  return checkDatabase(path, CURATED_SCHEMA, checks, REMEDY, onCheck);
}

/**
 * Whether an upgrade of an index of an earlier version has left what the next index run makes anew of its files: their rows, without a
 * description and without anything that is found in them.
 */
function awaitsRows(path: string): boolean {
  let db: Db | null = null;
  try {
    db = openUntouched(path, CURATED_SCHEMA).db;
    const isFound = db.get("select 1 from term_blocks union all select 1 from symbols limit 1") !== null;
    return !isFound && readStoredMeta(db) === null && db.get("select 1 from files limit 1") !== null;
  } catch {
    return false;
  } finally {
    db?.close();
  }
}

const AWAITS_ROWS: Check = {
  name: "upgrade",
  *run() {
    const what = "an older cra wrote it; an index run makes it anew, with what a model said of its files";
    yield { severity: "note", code: "older", what, mend: REPAIR.index };
  },
};

/** Whether there is an index, even a damaged one. */
export function holdsIndex(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  let db: Db | null = null;
  try {
    db = openUntouched(path, CURATED_SCHEMA).db;
    return readStoredMeta(db) !== null;
  } catch (error) {
    return !(
      error instanceof Failed &&
      error.failure.code === "index-damaged" &&
      error.failure.why === NOTHING_WRITTEN
    );
  } finally {
    db?.close();
  }
}

const PATH = (id: string): string => `(select path from files where id = ${id})`;

const isListOfTexts = (column: string): string =>
  `case when not json_valid(${column}) then 0 when json_type(${column}) <> 'array' then 0
     else not exists (select 1 from json_each(${column}) where type <> 'text' or value = '') end`;

const ROWS: readonly BadRows[] = [
  ["files without text", "select path as at from files where id not in (select file_id from file_texts)"],
  [
    "files with impossible numbers or hashes",
    `select path as at from files where size_bytes < 0 or line_count < 0 or token_count < 0 or is_test not in (0, 1)
       or length(content_hash) <> 64 or content_hash glob '*[^0-9a-f]*' or path in ('', '..') or path glob '/*'`,
  ],
  [
    "files that are also listed as skipped",
    "select path as at from files where path in (select path from index_skips)",
  ],
  [
    "files whose modification time is not that of their newest commit",
    `select path as at from files f where modified_at is not (
       select max(c.timestamp) from file_commits l join commits c on c.id = l.commit_id where l.file_id = f.id)`,
  ],
  [
    "definitions outside their file",
    `select f.path || ':' || s.start_line as at from symbols s join files f on f.id = s.file_id
     where s.start_line < 1 or s.end_line < s.start_line or s.end_line > max(f.line_count, 1)
       or s.doc_line < 1 or s.doc_line > s.start_line or s.name_line not between s.start_line and s.end_line
       or s.exported not in (0, 1)`,
  ],
  [
    "definitions inside a definition of another file",
    `select s.qualified_name as at from symbols s join symbols p on p.id = s.parent_id
     where p.file_id <> s.file_id or p.id >= s.id`,
  ],
  [
    "definitions inside none that is there",
    "select qualified_name as at from symbols where parent_id is not null and parent_id not in (select id from symbols)",
  ],
  [
    "comments of a definition that is not there",
    `select ${PATH("file_id")} as at from comments where symbol_id is not null and symbol_id not in (select id from symbols)`,
  ],
  [
    "docstrings of a definition of another file",
    `select ${PATH("d.file_id")} as at from docstrings d join symbols s on s.id = d.symbol_id where s.file_id <> d.file_id`,
  ],
  [
    "comments of a definition of another file",
    `select ${PATH("d.file_id")} as at from comments d join symbols s on s.id = d.symbol_id where s.file_id <> d.file_id`,
  ],
  [
    "metadata that cra cannot have written",
    `select ${PATH("file_id")} as at from file_metadata where coalesce(purpose, '') = '' or module = '' or domain = ''
       or complexity_notes = '' or not ${isListOfTexts("concepts")}
       or not ${isListOfTexts("coalesce(public_api_surface, '')")} or concepts <> lower(concepts)`,
  ],
  ...IMPOSSIBLE_LINKS,
];

/** Each full-text table and the table it indexes. */
const FULL_TEXT = [
  ["file_search", "files"],
  ["symbol_search", "symbols"],
  ["commit_search", "commits"],
] as const;

const inStep = ([search, rows]: (typeof FULL_TEXT)[number]): readonly BadRows[] => [
  [`rows of ${rows} missing from full-text search`, `select id as at from ${rows} except select rowid from ${search}`],
  [`rows of ${search} without a source row`, `select rowid as at from ${search} except select id from ${rows}`],
];

/** The index's own description. A file without one never finished its first generation. */
const generation = (contentHashOf: ContentHashOf): Check => ({
  name: "generation",
  *run(db) {
    const meta = readStoredMeta(db);
    const repos = db.all<{ head: string | null; remoteUrl: string | null }>(
      "select head, remote_url as remoteUrl from repos",
    );
    const files = db.all<{ path: string; contentHash: string; problem: string | null }>(
      "select path, content_hash as contentHash, parse_problem as problem from files",
    );
    if (meta === null) {
      if (files.length > 0 || repos.length > 0) yield wrong("it has rows but no description");
      return;
    }
    if (repos.length !== 1 || repos[0]?.head !== meta.head || repos[0].remoteUrl !== meta.remoteUrl)
      yield wrong("its description names another commit or repository than its rows");
    const actual = summaryOf(db);
    for (const key of ["counts", "languages", "skipped"] as const)
      if (JSON.stringify(actual[key]) !== JSON.stringify(meta[key])) yield wrong(`its ${key} do not match its rows`);
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    if (contentHashOf(files, meta) !== meta.contentHash) yield wrong("its content hash does not match its files");
    if (meta.historyProblem !== null && meta.keptHistory === undefined && meta.counts.commits > 0)
      yield wrong("it has commits but claims to have no history");
  },
});
