/**
 * Stores and reads decisions, the bulk of the log: thousands a run, most of them the same as in the run before.
 *
 * What a decision is about (a file or symbol) and what it says (stage, tier, reason) are rows of their own, stored once; the rest is
 * packed (`decision-packs.ts`). Together a run takes a tenth. The ids of those rows are cached for the next task of the process, and
 * used only while the log still ends with the run they were learned from.
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import type { Db, Flagged, SqlValue } from "../sqlite/db.ts";
import { likePattern } from "../sqlite/full-text.ts";
import { IN_LIST, list } from "../sqlite/in-list.ts";
import { appendPack, type PackedDecision, readPack } from "./decision-packs.ts";
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

/** The number of the last decision of the run ?1. */
const LAST_NUMBER = `max(
  coalesce((select max(number) from decision_rows where run_id = ?1), 0),
  coalesce((select max(number + count - 1) from decision_packs where run_id = ?1), 0))`;

/** The ids that earlier tasks of this process learned, if the log at `db` still ends with what they appended. */
function learnedIds(db: Db, file: string | null): KnownIds {
  if (newest === null || newest.file !== file || newest.ids.subjects.size + newest.ids.verdicts.size > LEARNED_IDS_MAX)
    return noIds();
  const { run, last, ids } = newest;
  const found = db.get<{ last: number }>(
    `select ${LAST_NUMBER} as last from task_runs t where t.id = ?1 and t.task_id = ?2 and t.started_at = ?3`,
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
    `select id, task_id as taskId, started_at as startedAt, ${LAST_NUMBER} as last from task_runs where id = ?1`,
    runId,
  );
  if (run === null) return null;
  const subjects = idsOf(db, SUBJECTS, known.subjects, rows.map(subjectOf));
  const verdicts = idsOf(db, VERDICTS, known.verdicts, rows.map(verdictOf));
  const packed = rows.map(({ score, tokens, terms }, index) => {
    return { subject: subjects[index] ?? 0, verdict: verdicts[index] ?? 0, score, tokens, terms };
  });
  appendPack(db, runId, run.last + 1, rows[0]?.stage ?? "", packed);
  return { run, last: run.last + rows.length };
}

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

/** The decisions of a task's newest attempt at a round, in order. Throws an `io` failure if any are unreadable. */
export function readDecisions(db: Db, taskId: string, filter: DecisionFilter): readonly LoggedDecision[] {
  const run = db.get<{ id: number; round: number }>(
    `select id, round from task_runs where id = ${NEWEST_RUN}`,
    taskId,
    filter.round ?? null,
  );
  if (run === null) return [];
  const packs = db.all<{ id: number }>("select id from decision_packs where run_id = ?1 order by number", run.id);
  const decisions = [...oldDecisions(db, run.id), ...packs.flatMap(({ id }) => readPack(db, id) ?? unreadable(taskId))];
  const subjects = subjectsAmong(db, decisions, filter);
  const verdicts = verdictsAmong(db, decisions);
  return decisions.flatMap(({ subject, verdict, score, tokens, terms }) => {
    const [about, says] = [subjects.get(subject), verdicts.get(verdict)];
    if (about === undefined || says === undefined) return [];
    const { path, symbol, line, kind } = about;
    const { stage, tier, detail, reason } = says;
    const included = says.included === 1;
    return {
      runId: run.id,
      round: run.round,
      stage,
      path,
      symbol,
      line,
      kind,
      tier,
      included,
      detail,
      score,
      terms,
      tokens,
      reason,
    };
  });
}

/** What earlier versions wrote. */
const oldDecisions = (db: Db, runId: number): readonly PackedDecision[] =>
  db
    .all<Omit<PackedDecision, "terms"> & { readonly terms: string | null }>(
      `select subject_id as subject, verdict_id as verdict, score, tokens, terms from decision_rows
       where run_id = ?1 order by number`,
      runId,
    )
    .map((row) => ({ ...row, terms: row.terms === null ? null : fromJson(row.terms) }));

type Subject = Pick<DecisionRow, "path" | "symbol" | "line" | "kind"> & { readonly id: number };
type Verdict = Flagged<Pick<DecisionRow, "stage" | "tier" | "included" | "detail" | "reason">, "included"> & {
  readonly id: number;
};

/** The subjects of decisions that the filter accepts, by id. */
function subjectsAmong(
  db: Db,
  decisions: readonly PackedDecision[],
  { path, symbol }: DecisionFilter,
): ReadonlyMap<number, Subject> {
  const rows = db.all<Subject>(
    `select id, path, symbol, line, kind from decision_subjects where id ${IN_LIST}
       and (?2 is null or path = ?2) and (?3 is null or symbol = ?3 or symbol like ?4 escape '\\')`,
    list([...new Set(decisions.map(({ subject }) => subject))]),
    path ?? null,
    symbol ?? null,
    `%.${likePattern(symbol ?? "")}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function verdictsAmong(db: Db, decisions: readonly PackedDecision[]): ReadonlyMap<number, Verdict> {
  const rows = db.all<Verdict>(
    `select id, stage, tier, included, detail, reason from decision_verdicts where id ${IN_LIST}`,
    list([...new Set(decisions.map(({ verdict }) => verdict))]),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Without some of the decisions, an explanation would be wrong. */
function unreadable(taskId: string): never {
  const message = `the decisions of task ${taskId} cannot be read from the log`;
  throw new Failed({ code: "io", message, where: "raw.sqlite", next: "see: cra doctor" });
}

/** Parses a JSON column; null when it is damaged. */
export function fromJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
