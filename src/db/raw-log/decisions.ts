/**
 * The decisions of the raw log: thousands a run, most of them as in the run before.
 *
 * What a decision is on (a file or symbol) and what it says (stage, tier, reason) are rows of their own,
 * stored once; a decision refers to them, which makes a run take a fifth of the space. The view `decisions`
 * puts the words back, for this file and for whoever opens the log by hand. What is known of a log is kept for the next
 * task of the process, and used only where the log holds the newest run that it was learned with.
 */
import { lstatSync } from "node:fs";
import { asPattern } from "../full-text/search-terms.ts";
import type { Db, Value } from "../sqlite/open.ts";
import type { DecisionFilter, DecisionRow, Json, LoggedDecision } from "./raw-log.ts";

/** The newest attempt at the asked round (?2), or the newest of all, of a task (?1). */
export const NEWEST_RUN =
  "(select id from task_runs where task_id = ?1 and (?2 is null or round = ?2) order by id desc limit 1)";

/** The ids of parts that are stored, by the part as a JSON list. Rows of the log never change, so neither do these. */
type Ids = Map<string, number>;
type KnownIds = { readonly subjects: Ids; readonly verdicts: Ids };

const noIds = (): KnownIds => ({ subjects: new Map(), verdicts: new Map() });

/** What is known of a log, and how far it was read: a run, and the number of its last decision. */
type Kept = { readonly file: string; readonly run: RunMark; readonly last: number; readonly ids: KnownIds };
type RunMark = { readonly id: number; readonly taskId: string; readonly startedAt: string };

/** Beyond this many, about 10 MB, what is known is learned anew. */
const KEPT_IDS_MAX = 30_000;

/** Of the log that this process appended to last: the next task decides on much the same things. */
let newest: Kept | null = null;

/** What earlier tasks of this process learned of the log at `db`, as long as that still holds all that they appended. */
function keptOf(db: Db, file: string | null): KnownIds {
  if (newest === null || newest.file !== file || newest.ids.subjects.size + newest.ids.verdicts.size > KEPT_IDS_MAX)
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
  // Copies, as another log of this process may go on learning, and have its transaction undone.
  return { subjects: new Map(ids.subjects), verdicts: new Map(ids.verdicts) };
}

/** Which file a log is, or null when there is none. */
function fileOf({ path }: Db): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : JSON.stringify([path, stat.dev, stat.ino, stat.birthtimeMs]);
}

/**
 * Appends after the decisions that a run has, all rows in one transaction. It keeps what it learned of the log, as the
 * stages of a run decide on much the same things, and so do the runs of a process.
 */
export function decisionAppender(db: Db): (runId: number, rows: readonly DecisionRow[]) => void {
  const file = fileOf(db);
  let known: KnownIds | null = null;
  return (runId, rows) => {
    if (rows.length === 0) return;
    const learning = known ?? keptOf(db, file);
    // Of a transaction that is undone nothing is known.
    known = noIds();
    newest = null;
    const added = db.transaction(() => appendDecisions(db, learning, runId, rows));
    known = learning;
    if (file !== null && added !== null) newest = { file, ...added, ids: learning };
  };
}

/** Null where the log knows of no such run. */
function appendDecisions(
  db: Db,
  known: KnownIds,
  runId: number,
  rows: readonly DecisionRow[],
): Pick<Kept, "run" | "last"> | null {
  const run = db.get<RunMark & { readonly last: number }>(
    `select id, task_id as taskId, started_at as startedAt,
       (select coalesce(max(number), 0) from decision_rows where run_id = ?1) as last
     from task_runs where id = ?1`,
    runId,
  );
  if (run === null) return null;
  const subjects = idsOf(db, SUBJECTS, known.subjects, rows.map(subjectOf));
  const verdicts = idsOf(db, VERDICTS, known.verdicts, rows.map(verdictOf));
  const values = (index: number): readonly Value[] => {
    const row = rows[index];
    if (row === undefined) return [];
    const { score, tokens, terms } = row;
    const number = run.last + index + 1;
    const said = terms === null ? null : JSON.stringify(terms);
    return [runId, number, subjects[index] ?? 0, verdicts[index] ?? 0, score, tokens, said];
  };
  const together = rows.length - (rows.length % ROWS_AT_ONCE);
  const batches: Value[][] = [];
  for (let from = 0; from < together; from += ROWS_AT_ONCE)
    batches.push(Array.from({ length: ROWS_AT_ONCE }, (_, at) => values(from + at)).flat());
  db.runAll(ADD_TOGETHER, batches);
  db.runAll(
    ADD_ONE,
    Array.from({ length: rows.length - together }, (_, at) => values(together + at)),
  );
  return { run, last: run.last + rows.length };
}

/** Rows that one statement adds: the call of a statement takes a third of the time that a row does. */
const ROWS_AT_ONCE = 32;
const PLACES = "(?, ?, ?, ?, ?, ?, ?)";
const ADD_ONE = `insert into decision_rows(run_id, number, subject_id, verdict_id, score, tokens, terms) values ${PLACES}`;
const ADD_TOGETHER = `${ADD_ONE}${`, ${PLACES}`.repeat(ROWS_AT_ONCE - 1)}`;

/** A part of a decision as its columns. Texts are as SQLite gives them back. */
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
 * How parts are found by the texts that begin them (`part` is a JSON list of the columns), and how one is added. Those
 * whose second column is null are few of many that begin alike, and are found apart.
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
 * The ids of the rows that hold these parts; new parts are added. All that are not known are asked for at once, as a
 * statement for each of thousands takes longer than all the rest of the log.
 */
function idsOf(
  db: Db,
  { find, findBare, last, add }: PartTable,
  known: Ids,
  parts: readonly Part[],
): readonly number[] {
  const keys = parts.map((part) => JSON.stringify(part));
  const asked = { whole: new Set<string>(), bare: new Set<string>() };
  for (const [index, part] of parts.entries())
    if (!known.has(keys[index] ?? "")) (part[1] === null ? asked.bare : asked.whole).add(part[0]);
  learn(db, find, asked.whole, known);
  learn(db, findBare, asked.bare, known);
  let next: number | null = null;
  const added: Value[][] = [];
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

/** Of rows that hold the same the first is meant. */
function learn(db: Db, find: string, firsts: ReadonlySet<string>, known: Ids): void {
  if (firsts.size === 0) return;
  for (const { id, part } of db.all<{ id: number; part: string }>(find, JSON.stringify([...firsts])))
    if (id < (known.get(part) ?? Number.POSITIVE_INFINITY)) known.set(part, id);
}

type StoredDecision = Omit<LoggedDecision, "included" | "terms"> & { included: 0 | 1; terms: string | null };

/** The decisions of a task's newest attempt at a round, in the order they were made. */
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
      endingIn(filter.symbol ?? ""),
    )
    .map((row) => ({ ...row, included: row.included === 1, terms: row.terms === null ? null : fromJson(row.terms) }));
}

/** What `JSON.stringify` wrote into an append-only column; null when it is damaged. */
export function fromJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A pattern for `like ... escape '\\'`: a dotted name whose last part is this one. */
const endingIn = (name: string): string => `%.${asPattern(name)}`;
