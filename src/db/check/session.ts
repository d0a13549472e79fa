/** Checks a task's session: its rounds are consistent, its values are valid, and the log knows its rounds. */

import { basename } from "node:path";
import type { z } from "zod";
import { parseJson } from "../../text/parse-json.ts";
import { ROUNDS_IN_ORDER, SESSION_KEYS, SESSION_SCHEMA, type SessionKey, storedText } from "../session/session.ts";
import { type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import { type Diagnostic, REPAIR } from "./diagnostic.ts";

/** The schema of each value. */
type SessionShapes = Readonly<Record<SessionKey, z.ZodType>>;

const REMEDY: Remedy = { code: "session-damaged", mend: REPAIR.rebuild };

/** Checks the session at `path`. `logged` holds the rounds in the log (`<task id> <round>`), null without a log. */
export function checkSession(
  path: string,
  shapes: SessionShapes,
  logged: ReadonlySet<string> | null,
  onCheck: OnCheck,
): readonly Diagnostic[] {
  const task = basename(path, ".sqlite");
  return checkDatabase(path, SESSION_SCHEMA, [ROUNDS, values(shapes), inLog(task, logged)], REMEDY, onCheck);
}

/** The first error in the session at `path`; null when it is sound. */
export const sessionDamage = (path: string, shapes: SessionShapes): string | null =>
  checkSession(path, shapes, null, () => undefined).find(({ severity }) => severity === "error")?.what ?? null;

type Row = { round: number; status: string; startedAt: string; finishedAt: string | null };

const ROUNDS: Check = {
  name: "rounds",
  *run(db) {
    // Round numbers may have gaps: earlier rounds can exist in the log alone.
    for (const { round, status, finishedAt } of db.all<Row>(ROUNDS_IN_ORDER)) {
      const isWhole = status === "finished" ? finishedAt !== null : status === "running" && finishedAt === null;
      if (isWhole) continue;
      yield { severity: "error", ...REMEDY, what: `round ${round} is not one that cra writes` };
      return;
    }
  },
};

const values = (shapes: SessionShapes): Check => ({
  name: "values",
  *run(db) {
    for (const { round, key } of db.all<{ round: number; key: string }>(
      "select round, key from state_texts order by round, key",
    )) {
      const known = SESSION_KEYS.find((name) => name === key);
      const text = storedText(db, round, key) ?? "";
      if (known !== undefined && shapes[known].safeParse(parseJson(text)).success) continue;
      yield { severity: "error", ...REMEDY, what: `${key} of round ${round} is unreadable` };
    }
  },
});

/** A log that was restarted or removed knows fewer rounds, which does no harm. */
const inLog = (task: string, logged: ReadonlySet<string> | null): Check => ({
  name: "log",
  *run(db) {
    const unknown = db
      .all<Row>(ROUNDS_IN_ORDER)
      .filter(({ round }) => logged !== null && !logged.has(`${task} ${round}`));
    if (unknown.length === 0) return;
    const what = `the log does not contain ${unknown.length === 1 ? "one of its rounds" : `${unknown.length} of its rounds`}`;
    yield { severity: "note", code: "session-unlogged", what, mend: null };
  },
});
