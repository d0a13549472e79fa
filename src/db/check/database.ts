/**
 * Looks into one database without a trace: what SQLite itself finds, and rows that no writer of cra leaves.
 *
 * Not here: what the rows of a table must be (`curated.ts`, `raw-log.ts`, ...).
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import type { Db, Schema } from "../sqlite/db.ts";
import { NOTHING_WRITTEN, openUntouched } from "../sqlite/open.ts";
import type { Finding } from "./diagnostic.ts";

/** One step of looking; `look` gives what is wrong, one line each. */
export type Check = { readonly name: string; look(db: Db): Iterable<Omit<Finding, "where">> };

/** Tells how far a look is: the check that begins. */
export type OnCheck = (name: string) => void;

/**
 * How to call damage of one kind of database, and what mends it. `cutOff` is what to say of a journal beside it, where every
 * writer keeps one and the next undoes what was cut off; without it only the one that began the file did.
 */
export type Remedy = { readonly code: string; readonly mend: string; readonly cutOff?: string };

/** A file that was written while it was looked at is looked at again, this many times in all. */
const LOOKS_MAX = 3;

/** Runs the checks on the file at `path`; none where there is none. Anything but findings is a bug and thrown. */
export function checkDatabase(
  path: string,
  schema: Schema,
  checks: readonly Check[],
  remedy: Remedy,
  onCheck: OnCheck,
): readonly Finding[] {
  for (let looks = 1; looks <= LOOKS_MAX; looks += 1) {
    const before = markOf(path);
    if (before === null) return [];
    const found = look(path, schema, checks, remedy, onCheck).map((finding) => ({ ...finding, where: path }));
    if (markOf(path) === before) return found;
  }
  const what = "another cra is writing it, so it was not looked at; try again later";
  return [{ severity: "note", code: "in-use", where: path, what, mend: null }];
}

function look(
  path: string,
  schema: Schema,
  checks: readonly Check[],
  { code, mend, cutOff }: Remedy,
  onCheck: OnCheck,
): readonly Omit<Finding, "where">[] {
  const error = (what: string) => ({ severity: "error", code, what, mend }) as const;
  if ((lstatSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return [
      cutOff === undefined
        ? { severity: "note", code: "cut-off", what: "a run was cut off while it began the file", mend }
        : { severity: "note", code: "cut-off", what: cutOff, mend: null },
    ];
  const found: Omit<Finding, "where">[] = [];
  let db: Db | null = null;
  try {
    onCheck("open");
    const opened = openUntouched(path, {
      ...schema,
      damaged: (where, why) => ({ code: "index-damaged", path: where, why }),
    });
    db = opened.db;
    db.script("begin");
    for (const { name, look } of [SOUND, ...(opened.version === schema.migrations.length ? checks : [])]) {
      onCheck(name);
      found.push(...look(db));
      // What SQLite finds wrong makes nonsense of whatever is asked next.
      if (name === SOUND.name && found.length > 0) return found.map(({ what }) => error(what));
    }
    if (opened.version < schema.migrations.length)
      found.push({
        severity: "note",
        code: "older",
        what: "an older cra made it; it is brought up to date",
        mend: cutOff === undefined ? mend : null,
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
  error: (what: string) => Omit<Finding, "where">,
): readonly Omit<Finding, "where">[] {
  switch (failure.code) {
    case "index-newer": {
      const what = `a newer cra made it (schema ${failure.found}, this one knows ${failure.known}); use that version`;
      return [{ ...error(what), code: "newer", mend: null }];
    }
    case "locked":
      return [
        { severity: "note", code: "in-use", what: "another cra is writing it, so it was not looked at", mend: null },
      ];
    case "index-damaged":
      // Somebody is just making it, or was killed before anything was written: the same as no file.
      return failure.why === NOTHING_WRITTEN ? [] : [error(failure.why)];
    default:
      return [{ ...error(message), code: "unreadable", mend: null }];
  }
}

/** Pages, indexes, full-text tables and constraints, and rows that refer to none. */
const SOUND: Check = {
  name: "pages",
  *look(db) {
    const finding = (what: string) => ({ severity: "error", code: "damaged", what, mend: null }) as const;
    const lines = db.all<{ integrity_check: string }>("pragma integrity_check(3)").map((row) => row.integrity_check);
    for (const line of lines) if (line !== "ok") yield finding(line.split("\n").at(-1) ?? line);
    const rows = db.all<{ table: string; parent: string }>("pragma foreign_key_check").slice(0, ROWS_NAMED_MAX);
    for (const { table, parent } of new Map(rows.map((row) => [`${row.table} ${row.parent}`, row])).values())
      yield finding(`a row of ${table} refers to a row of ${parent} that is not there`);
  },
};

const ROWS_NAMED_MAX = 1_000;

/** What tells that a file was written: its bytes and its time; a log in use is read as of one moment. */
function markOf(path: string): string | null {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  const isLogged = (lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return `${stat.ino} ${isLogged ? "logged" : `${stat.size} ${stat.mtimeNs}`}`;
}

/** A query for rows that must not be, and what to call them; `at` names one. */
export type BadRows = readonly [what: string, sql: string];

/** One check of many such queries. */
export const badRows = (name: string, { code, mend }: Remedy, queries: readonly BadRows[]): Check => ({
  name,
  *look(db) {
    for (const [what, sql] of queries) {
      const row = db.get<{ count: number; example: string | number | null }>(
        `select count(*) as count, min(at) as example from (${sql})`,
      );
      if (row !== null && row.count > 0)
        yield { severity: "error", code, what: `${row.count} ${what}, such as ${row.example}`, mend };
    }
  },
});
