/**
 * The decisions of the raw log: thousands a run, most of them as in the run before.
 *
 * What a decision is on (a file or symbol) and what it says (stage, tier, reason) are rows of their own,
 * stored once; a decision refers to them, which makes a run take a fifth of the space. The view `decisions`
 * puts the words back, for this file and for whoever opens the log by hand.
 */
import { Failed } from "../failure.ts";
import type { Db, Value } from "./open.ts";
import type { DecisionFilter, DecisionRow, Json, LoggedDecision } from "./raw-log.ts";
import { asPattern } from "./search-terms.ts";

/** The newest attempt at the asked round (?2), or at the newest one, of a task (?1). */
export const NEWEST_RUN =
  "(select id from task_runs where task_id = ?1 and (?2 is null or round = ?2) order by round desc, id desc limit 1)";

/** Appends after the decisions that the run has. Call it in a transaction. */
export function appendDecisions(db: Db, runId: number, rows: readonly DecisionRow[]): void {
  const run = db.get<{ last: number }>(
    `select (select coalesce(max(number), 0) from decision_rows where run_id = ?1) as last from task_runs where id = ?1`,
    runId,
  );
  if (run === null) return;
  const subjectOf = idsOf(db, SUBJECTS, (row) => [row.path, row.symbol, row.line, row.kind]);
  const verdictOf = idsOf(db, VERDICTS, (row) => [row.stage, row.tier, row.included ? 1 : 0, row.detail, row.reason]);
  db.runAll(
    `insert into decision_rows(run_id, number, subject_id, verdict_id, score, tokens, terms)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
    rows.map((row, index) => [
      runId,
      run.last + index + 1,
      subjectOf(row),
      verdictOf(row),
      row.score,
      row.tokens,
      row.terms === null ? null : JSON.stringify(row.terms),
    ]),
  );
}

/** How a part of a decision is found, and how it is added. */
type Part = { readonly find: string; readonly add: string };

const SUBJECTS: Part = {
  find: "select id from decision_subjects where path = ?1 and symbol is ?2 and line is ?3 and kind is ?4",
  add: "insert into decision_subjects(path, symbol, line, kind) values (?1, ?2, ?3, ?4) returning id",
};
const VERDICTS: Part = {
  find: "select id from decision_verdicts where stage = ?1 and tier = ?2 and included = ?3 and detail = ?4 and reason = ?5",
  add: "insert into decision_verdicts(stage, tier, included, detail, reason) values (?1, ?2, ?3, ?4, ?5) returning id",
};

/** A function from a decision to the id of the row that holds a part of it, which is added when it is new. */
function idsOf(
  db: Db,
  { find, add }: Part,
  partOf: (row: DecisionRow) => readonly Value[],
): (row: DecisionRow) => number {
  const known = new Map<string, number>();
  return (row) => {
    const part = partOf(row);
    const key = JSON.stringify(part);
    const id = known.get(key) ?? (db.get<{ id: number }>(find, ...part) ?? db.get<{ id: number }>(add, ...part))?.id;
    if (id === undefined) throw new Failed({ code: "internal", message: "a row was added and has no id" });
    known.set(key, id);
    return id;
  };
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
