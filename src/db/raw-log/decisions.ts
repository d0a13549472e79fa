/**
 * Stores and reads decisions, the bulk of the log: thousands a run, most of them the same as in the run before.
 *
 * What a decision is about (a file or symbol) and what it says (stage, tier, reason) are rows of their own, stored once,
 * which cuts a run's size to a fifth. The view `decisions` joins them again. The ids of those rows are cached for the next
 * task of the process, and used only while the log still ends with the run they were learned from.
 */
import { lstatSync } from "node:fs";
import type { Db, SqlValue } from "../sqlite/db.ts";
import { likePattern } from "../sqlite/full-text.ts";
import type { DecisionFilter, DecisionRow, Json, LoggedDecision } from "./raw-log.ts";

/** The newest run of a task (?1): of one round (?2), or of all rounds when ?2 is null. */
export const NEWEST_RUN =
  "(select id from task_runs where task_id = ?1 and (?2 is null or round = ?2) order by id desc limit 1)";

/** Row ids, keyed by the row as a JSON list. Rows of the log never change, so ids stay valid. */
type Ids = Map<string, number>;
type KnownIds = { readonly subjects: Ids; readonly verdicts: Ids };

const noIds = (): KnownIds => ({ subjects: new Map(), verdicts: new Map() });

/** The ids learned from a log, and the end of the log at that time: a run and the number of its last decision. */
type LearnedIds = { readonly file: string; readonly run: RunKey; readonly last: number; readonly ids: KnownIds };
type RunKey = { readonly id: number; readonly taskId: string; readonly startedAt: string };

/** Beyond this many, about 10 MB, the cache starts over. */
const LEARNED_IDS_MAX = 30_000;

/** The ids of the log that this process appended to last: the next task decides about much the same things. */
let newest: LearnedIds | null = null;

/** The ids that earlier tasks of this process learned, if the log at `db` still ends with what they appended. */
function learnedIds(db: Db, file: string | null): KnownIds {
  if (newest === null || newest.file !== file || newest.ids.subjects.size + newest.ids.verdicts.size > LEARNED_IDS_MAX)
    return noIds();
  const { run, last, ids } = newest;
  const found = db.get<{ last: number }>(
    `select coalesce(max(d.number), 0) as last from task_runs t join decision_rows d on d.run_id = t.id
     where t.id = ?1 and t.task_id = ?2 and t.started_at = ?3`,
    run.id,
    run.taskId,
    run.startedAt,
  );
  if (found?.last !== last) return noIds();
  // Copies, because another log of this process may add ids in a transaction that is rolled back.
  return { subjects: new Map(ids.subjects), verdicts: new Map(ids.verdicts) };
}

/** Identifies the file of a log; null when there is none. */
function fileKey({ path }: Db): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : JSON.stringify([path, stat.dev, stat.ino, stat.birthtimeMs]);
}

/** Appends decisions to those that a run has, in one transaction. Keeps ids between calls: stages repeat each other. */
export function decisionAppender(db: Db): (runId: number, rows: readonly DecisionRow[]) => void {
  const file = fileKey(db);
  let known: KnownIds | null = null;
  return (runId, rows) => {
    if (rows.length === 0) return;
    const learning = known ?? learnedIds(db, file);
    // A transaction that is rolled back teaches nothing.
    known = noIds();
    newest = null;
    const added = db.transaction(() => appendDecisions(db, learning, runId, rows));
    known = learning;
    if (file !== null && added !== null) newest = { file, ...added, ids: learning };
  };
}

/** Null when the log has no such run. */
function appendDecisions(
  db: Db,
  known: KnownIds,
  runId: number,
  rows: readonly DecisionRow[],
): Pick<LearnedIds, "run" | "last"> | null {
  const run = db.get<RunKey & { readonly last: number }>(
    `select id, task_id as taskId, started_at as startedAt,
       (select coalesce(max(number), 0) from decision_rows where run_id = ?1) as last
     from task_runs where id = ?1`,
    runId,
  );
  if (run === null) return null;
  const subjects = idsOf(db, SUBJECTS, known.subjects, rows.map(subjectOf));
  const verdicts = idsOf(db, VERDICTS, known.verdicts, rows.map(verdictOf));
  const values = (index: number): readonly SqlValue[] => {
    const row = rows[index];
    if (row === undefined) return [];
    const { score, tokens, terms } = row;
    const number = run.last + index + 1;
    const json = terms === null ? null : JSON.stringify(terms);
    return [runId, number, subjects[index] ?? 0, verdicts[index] ?? 0, score, tokens, json];
  };
  const together = rows.length - (rows.length % ROWS_AT_ONCE);
  const batches: SqlValue[][] = [];
  for (let from = 0; from < together; from += ROWS_AT_ONCE)
    batches.push(Array.from({ length: ROWS_AT_ONCE }, (_, at) => values(from + at)).flat());
  db.runAll(ADD_TOGETHER, batches);
  db.runAll(
    ADD_ONE,
    Array.from({ length: rows.length - together }, (_, at) => values(together + at)),
  );
  return { run, last: run.last + rows.length };
}

/** Rows that one statement inserts: calling a statement costs a third of the time of a row. */
const ROWS_AT_ONCE = 32;
const PARAMETERS = "(?, ?, ?, ?, ?, ?, ?)";
const ADD_ONE = `insert into decision_rows(run_id, number, subject_id, verdict_id, score, tokens, terms) values ${PARAMETERS}`;
const ADD_TOGETHER = `${ADD_ONE}${`, ${PARAMETERS}`.repeat(ROWS_AT_ONCE - 1)}`;

/** The columns of a subject or verdict. Texts are well-formed, as SQLite returns them. */
type Part = readonly [first: string, second: string | null, ...rest: readonly (string | number | null)[]];

const subjectOf = ({ path, symbol, line, kind }: DecisionRow): Part => [
  path.toWellFormed(),
  symbol?.toWellFormed() ?? null,
  line,
  kind,
];
const verdictOf = ({ stage, tier, included, detail, reason }: DecisionRow): Part => [
  reason.toWellFormed(),
  stage,
  tier,
  included ? 1 : 0,
  detail,
];

/**
 * Finds parts by their first column (`part` is a JSON list of all columns) and adds one. Parts whose second column is null
 * are few among many with the same first column, so they have a query of their own.
 */
type PartTable = { readonly find: string; readonly findBare: string; readonly last: string; readonly add: string };

const subjectsWhere = (symbol: string): string =>
  `select id, json_array(path, symbol, line, kind) as part from decision_subjects
   where path in (select value from json_each(?1)) and symbol ${symbol}`;
const FIND_VERDICTS = `select id, json_array(reason, stage, tier, included, detail) as part from decision_verdicts
   where reason in (select value from json_each(?1))`;

const SUBJECTS: PartTable = {
  find: subjectsWhere("is not null"),
  findBare: subjectsWhere("is null"),
  last: "select coalesce(max(id), 0) as id from decision_subjects",
  add: "insert into decision_subjects(id, path, symbol, line, kind) values (?1, ?2, ?3, ?4, ?5)",
};
const VERDICTS: PartTable = {
  find: FIND_VERDICTS,
  findBare: FIND_VERDICTS,
  last: "select coalesce(max(id), 0) as id from decision_verdicts",
  add: "insert into decision_verdicts(id, reason, stage, tier, included, detail) values (?1, ?2, ?3, ?4, ?5, ?6)",
};

/**
 * The ids of the rows that hold these parts; missing rows are added. Unknown ids are read with one query, because
 * thousands of queries take longer than the rest of the log together.
 */
function idsOf(
  db: Db,
  { find, findBare, last, add }: PartTable,
  known: Ids,
  parts: readonly Part[],
): readonly number[] {
  const keys = parts.map((part) => JSON.stringify(part));
  const unknown = { whole: new Set<string>(), bare: new Set<string>() };
  for (const [index, part] of parts.entries())
    if (!known.has(keys[index] ?? "")) (part[1] === null ? unknown.bare : unknown.whole).add(part[0]);
  learn(db, find, unknown.whole, known);
  learn(db, findBare, unknown.bare, known);
  let next: number | null = null;
  const added: SqlValue[][] = [];
  const ids = parts.map((part, index) => {
    const key = keys[index] ?? "";
    const id = known.get(key);
    if (id !== undefined) return id;
    next = (next ?? db.get<{ id: number }>(last)?.id ?? 0) + 1;
    known.set(key, next);
    added.push([next, ...part]);
    return next;
  });
  db.runAll(add, added);
  return ids;
}

/** Among equal rows the first one counts. */
function learn(db: Db, find: string, firsts: ReadonlySet<string>, known: Ids): void {
  if (firsts.size === 0) return;
  for (const { id, part } of db.all<{ id: number; part: string }>(find, JSON.stringify([...firsts])))
    if (id < (known.get(part) ?? Number.POSITIVE_INFINITY)) known.set(part, id);
}

type StoredDecision = Omit<LoggedDecision, "included" | "terms"> & { included: 0 | 1; terms: string | null };

/** The decisions of a task's newest attempt at a round, in order. */
export function readDecisions(db: Db, taskId: string, filter: DecisionFilter): readonly LoggedDecision[] {
  return db
    .all<StoredDecision>(
      `select run_id as runId, round, stage, path, symbol, line, kind, tier, included, detail, score, terms, tokens, reason
       from decisions where run_id = ${NEWEST_RUN} and (?3 is null or path = ?3)
         and (?4 is null or symbol = ?4 or symbol like ?5 escape '\\') order by number`,
      taskId,
      filter.round ?? null,
      filter.path ?? null,
      filter.symbol ?? null,
      `%.${likePattern(filter.symbol ?? "")}`,
    )
    .map((row) => ({ ...row, included: row.included === 1, terms: row.terms === null ? null : fromJson(row.terms) }));
}

/** Parses a JSON column; null when it is damaged. */
export function fromJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
