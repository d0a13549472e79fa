/**
 * What must hold of a task's session: its rounds run or have finished, its values are what their owners write, and the log
 * knows what was done.
 *
 * Not here: the shape of the values (it is handed in), SQLite's own checks (`database.ts`).
 */
import { basename } from "node:path";
import type { z } from "zod";
import { ROUNDS_IN_ORDER, SESSION_KEYS, SESSION_SCHEMA, type SessionKey } from "../session/session.ts";
import { type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import { type Finding, MEND } from "./diagnostic.ts";

/** What each value must be. */
export type SessionShapes = Readonly<Record<SessionKey, z.ZodType>>;

const REMEDY: Remedy = { code: "session-damaged", mend: MEND.rebuild };

/** Looks at the session at `path`. `logged` are the rounds that the log knows (`<task id> <round>`), null without one. */
export function checkSession(
  path: string,
  shapes: SessionShapes,
  logged: ReadonlySet<string> | null,
  onCheck: OnCheck,
): readonly Finding[] {
  const task = basename(path, ".sqlite");
  return checkDatabase(path, SESSION_SCHEMA, [ROUNDS, values(shapes), inLog(task, logged)], REMEDY, onCheck);
}

type Row = { round: number; status: string; startedAt: string; finishedAt: string | null };

const ROUNDS: Check = {
  name: "rounds",
  *look(db) {
    // Numbers may be left out: earlier rounds can be in the log alone (`session.ts`).
    for (const { round, status, finishedAt } of db.all<Row>(ROUNDS_IN_ORDER)) {
      const isWhole = status === "finished" ? finishedAt !== null : status === "running" && finishedAt === null;
      if (isWhole) continue;
      yield { severity: "error", ...REMEDY, what: `round ${round} is none that cra writes` };
      return;
    }
  },
};

const values = (shapes: SessionShapes): Check => ({
  name: "values",
  *look(db) {
    for (const { round, key, value } of db.each<{ round: number; key: string; value: string }>(
      "select round, key, value from state order by round, key",
    )) {
      const known = SESSION_KEYS.find((name) => name === key);
      if (known !== undefined && shapes[known].safeParse(parsed(value)).success) continue;
      yield { severity: "error", ...REMEDY, what: `${key} of round ${round} cannot be read` };
    }
  },
});

/** A log that was begun anew, or taken away, knows less; that stops nothing. */
const inLog = (task: string, logged: ReadonlySet<string> | null): Check => ({
  name: "log",
  *look(db) {
    const unknown = db
      .all<Row>(ROUNDS_IN_ORDER)
      .filter(({ round }) => logged !== null && !logged.has(`${task} ${round}`));
    if (unknown.length === 0) return;
    const what = `the log does not know ${unknown.length === 1 ? "a round" : `${unknown.length} rounds`} of it`;
    yield { severity: "note", code: "session-unlogged", what, mend: null };
  },
});

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // The shape refuses it.
  }
}
