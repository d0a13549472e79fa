/** Checks one database without changing anything: what SQLite itself finds, and rows that cra never writes. */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { companionProblem } from "../sqlite/companions.ts";
import type { Db, Schema } from "../sqlite/db.ts";
import { hasLog, NOTHING_WRITTEN, openUntouched } from "../sqlite/open.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** One step of a check; `run` yields what is wrong. */
export type Check = { readonly name: string; run(db: Db): Iterable<Omit<Diagnostic, "where">> };

/** Called with the name of each check as it begins. */
export type OnCheck = (name: string) => void;

/**
 * The code and the repair command for damage of one kind of database. `cutOff` is the text for a leftover journal of a
 * database with a rollback journal; other databases have one only while they are created.
 */
export type Remedy = { readonly code: string; readonly mend: string; readonly cutOff?: string };

/** A file that changes during the check is checked again, this many times in all. */
const ATTEMPTS_MAX = 3;

/** Runs the checks on the file at `path`; a missing file has no diagnostics. */
export function checkDatabase(
  path: string,
  schema: Schema,
  checks: readonly Check[],
  remedy: Remedy,
  onCheck: OnCheck,
): readonly Diagnostic[] {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const before = stateOf(path);
    if (before === null) return [];
    const found = runChecks(path, schema, checks, remedy, onCheck).map((diagnostic) => ({
      ...diagnostic,
      where: path,
    }));
    if (stateOf(path) === before) return found;
  }
  const what = "another cra is writing it, so it was not checked; try again later";
  return [{ severity: "note", code: "in-use", where: path, what, mend: null }];
}

function runChecks(
  path: string,
  schema: Schema,
  checks: readonly Check[],
  { code, mend, cutOff }: Remedy,
  onCheck: OnCheck,
): readonly Omit<Diagnostic, "where">[] {
  const error = (what: string) => ({ severity: "error", code, what, mend }) as const;
  if (companionProblem(path) === null && (lstatSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return [
      cutOff === undefined
        ? { severity: "note", code: "cut-off", what: "a run was interrupted while it created the file", mend }
        : { severity: "note", code: "cut-off", what: cutOff, mend: null },
    ];
  const found: Omit<Diagnostic, "where">[] = [];
  let db: Db | null = null;
  try {
    onCheck("open");
    const opened = openUntouched(path, {
      ...schema,
      damaged: (where, why) => ({ code: "index-damaged", path: where, why }),
    });
    db = opened.db;
    db.script("begin");
    for (const { name, run } of [SOUND, ...(opened.version === schema.migrations.length ? checks : [])]) {
      onCheck(name);
      found.push(...run(db));
      // Once SQLite finds damage, further queries mean nothing.
      if (name === SOUND.name && found.length > 0) return found.map(({ what }) => error(what));
    }
    if (opened.version < schema.migrations.length)
      found.push({
        severity: "note",
        code: "older",
        what: "an older cra wrote it; it will be upgraded",
        mend: null,
      });
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    found.push(...ofFailure(thrown, error));
  } finally {
    db?.close();
  }
  return found;
}

function ofFailure(
  { failure, message }: Failed,
  error: (what: string) => Omit<Diagnostic, "where">,
): readonly Omit<Diagnostic, "where">[] {
  switch (failure.code) {
    case "index-newer": {
      const what = `a newer cra wrote it (schema ${failure.found}, this one reads ${failure.known}); use that version`;
      return [{ ...error(what), code: "newer", mend: null }];
    }
    case "locked":
      return [
        { severity: "note", code: "in-use", what: "another cra is writing it, so it was not checked", mend: null },
      ];
    case "index-damaged":
      // An empty file: it is being created, or its creator was killed.
      return failure.why === NOTHING_WRITTEN ? [] : [error(failure.why)];
    default:
      return [{ ...error(message), code: "unreadable", mend: null }];
  }
}

/** SQLite's integrity check, and foreign keys without a target. */
const SOUND: Check = {
  name: "pages",
  *run(db) {
    const finding = (what: string) => ({ severity: "error", code: "damaged", what, mend: null }) as const;
    const lines = db.all<{ integrity_check: string }>("pragma integrity_check(3)").map((row) => row.integrity_check);
    for (const line of lines) if (line !== "ok") yield finding(line.split("\n").at(-1) ?? line);
    const rows = db.all<{ table: string; parent: string }>("pragma foreign_key_check").slice(0, ROWS_NAMED_MAX);
    for (const { table, parent } of new Map(rows.map((row) => [`${row.table} ${row.parent}`, row])).values())
      yield finding(`a row of ${table} refers to a missing row of ${parent}`);
  },
};

const ROWS_NAMED_MAX = 1_000;

/** Changes whenever the file is written. With a write-ahead log, readers see one moment anyway. */
function stateOf(path: string): string | null {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  return `${stat.ino} ${hasLog(path) ? "logged" : `${stat.size} ${stat.mtimeNs}`}`;
}

/** A query for invalid rows and their description; its column `at` names a row. */
export type BadRows = readonly [what: string, sql: string];

export const badRows = (name: string, { code, mend }: Remedy, queries: readonly BadRows[]): Check => ({
  name,
  *run(db) {
    for (const [what, sql] of queries) {
      const row = db.get<{ count: number; example: string | number | null }>(
        `select count(*) as count, min(at) as example from (${sql})`,
      );
      if (row !== null && row.count > 0)
        yield { severity: "error", code, what: `${row.count} ${what}, such as ${row.example}`, mend };
    }
  },
});
