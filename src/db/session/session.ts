/**
 * A task's resumable state, sessions/<task id>.sqlite: a row per round, and values by round and key.
 *
 * Values of consecutive rounds are much alike, so each is stored as its difference from the one before (`sqlite/text-chain.ts`).
 *
 * An unfinished round is continued unless another process works on it; otherwise a new round starts, which notes the rounds that it could
 * not see the end of. Values of earlier rounds never change, and a round number is never reused, even after the session was lost or
 * archived.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Db, Schema } from "../sqlite/db.ts";
import type { IndexLock } from "../sqlite/lock.ts";
import { openDatabase, openUntouched } from "../sqlite/open.ts";
import { chainText, readChained, textColumns } from "../sqlite/text-chain.ts";
import { isWritable } from "../sqlite/writable.ts";
import { claimRound, deleteLeftClaims } from "./claims.ts";

export const SESSION_KEYS = [
  "stage_outputs",
  "stage_progress",
  "final_context",
  "refinement_request",
  "judgements",
  "unfinished_before",
] as const;
export type SessionKey = (typeof SESSION_KEYS)[number];

/** Rounds count from 1; times are ISO texts. */
export type Round = {
  readonly round: number;
  readonly status: "running" | "finished";
  readonly startedAt: string;
  readonly finishedAt: string | null;
};

export type Session = {
  readonly taskId: string;
  rounds(): readonly Round[];
  /**
   * Claims an unfinished round that no process works on, or a new one, until the session is closed. `continued` tells which.
   * `after` is the highest round known from elsewhere, such as the log. A new round's `unfinished_before` are the numbers of those
   * unfinished when it began; it has none if there are none.
   */
  begin(now: string, after?: number): { readonly round: number; readonly continued: boolean };
  finish(round: number, now: string): void;
  /** The stored value, or undefined. Someone may have edited it, so validate it. */
  get(round: number, key: SessionKey): unknown;
  /** The rounds whose stored text under a key equals that of this round, itself included. */
  alike(round: number, key: SessionKey): readonly number[];
  /** Stores a JSON value. One that is too large is not stored, and the round then has none under that key: the log has what it would say. */
  set(round: number, key: SessionKey, value: unknown): void;
  close(): void;
};

/** Task ids are lower-case hexadecimal. */
const TASK_ID = /^[0-9a-f]{8,64}$/;

export const isTaskId = (text: string): boolean => TASK_ID.test(text);

const V1 = `
create table rounds (
  round integer primary key check (round > 0), status text not null, started_at text not null, finished_at text
) strict;
create table state (
  round integer not null references rounds(round), key text not null, value text not null, primary key (round, key)
) strict, without rowid;
`;

/** Each value once, by the hash of its JSON; those of earlier versions have no hash. */
const V2 = `
create table texts (id integer primary key, hash text unique, ${textColumns("texts")}) strict;
insert into texts(steps, packed) select distinct 0, value from state order by round;
create table state_texts (
  round integer not null references rounds(round), key text not null, text_id integer not null references texts(id),
  primary key (round, key)
) strict, without rowid;
create temp table by_value as select packed, id from texts;
create index temp.by_value_packed on by_value(packed);
insert into state_texts select s.round, s.key, t.id from state s join temp.by_value t on t.packed = s.value;
drop table temp.by_value;
drop table state;
`;

export const SESSION_SCHEMA: Schema = {
  applicationId: 0x63726133, // "cra3"
  migrations: [V1, V2],
  digests: {
    1: "397a260f6ada95a12a26e9364ad9ad04f14e135622ddcdf15950930ac758b918",
    2: "6e1c73c84a83ff7b390ef0b9ec5a279495debea7229a6a184511aa1cc2bf778f",
  },
  journal: "wal",
  damaged: (path, why) => ({
    code: "io",
    message: `the session is damaged (${why})`,
    where: path,
    next: "cra index --rebuild moves it aside and starts a new one",
  }),
};

/** Selects every `Round` of a session. */
export const ROUNDS_IN_ORDER =
  "select round, status, started_at as startedAt, finished_at as finishedAt from rounds order by round";

/** Opens a task's session in the folder `sessions`, creating it if needed. */
export function openSession(sessions: string, taskId: string): Session {
  const path = sessionPath(sessions, taskId);
  const open = (): Db => openDatabase(path, "write", SESSION_SCHEMA);
  const begun = session(open, taskId, (round) => claimRound(path, round));
  return {
    ...begun,
    begin(now, after) {
      const round = begun.begin(now, after);
      deleteLeftClaims(sessions);
      return round;
    },
  };
}

/** What may be asked of a session that is only read. */
type SessionReader = Pick<Session, "rounds" | "get" | "alike" | "close">;

/** Opens a task's session to read it, also where it may not be written; null where there is none. */
export function readSession(sessions: string, taskId: string): SessionReader | null {
  const path = sessionPath(sessions, taskId);
  if (!existsSync(path)) return null;
  // A reader leaves files beside a database in a folder that it may write.
  const access = isWritable(sessions) && isWritable(path) ? "write" : "read";
  return session(
    () => openDatabase(path, access, SESSION_SCHEMA),
    taskId,
    () => null,
  );
}

/** The path of a task's session. Throws `unknown-task` for an invalid task id. */
export function sessionPath(sessions: string, taskId: string): string {
  if (!isTaskId(taskId)) throw new Failed({ code: "unknown-task", taskId });
  return join(sessions, `${taskId}.sqlite`);
}

function session(open: () => Db, taskId: string, claim: (round: number) => IndexLock | null): Session {
  let db = open();
  const claims: IndexLock[] = [];
  const claimed = (round: number): boolean => {
    const lock = claim(round);
    if (lock !== null) claims.push(lock);
    return lock !== null;
  };
  return {
    taskId,
    rounds: () => db.all<Round>(ROUNDS_IN_ORDER),
    begin(now, after = 0) {
      let begun = beginRound(db, claimed, now, after);
      while (begun === null) {
        db.close();
        db = open();
        begun = beginRound(db, claimed, now, after);
      }
      return begun;
    },
    finish: (round, now) => {
      db.run(
        "update rounds set status = 'finished', finished_at = ?2 where round = ?1 and status = 'running'",
        round,
        now,
      );
    },
    get: (round, key) => storedValue(db, round, key),
    alike: (round, key) =>
      db
        .all<{ round: number }>(
          `select round from state_texts where key = ?2
             and text_id = (select text_id from state_texts where round = ?1 and key = ?2)`,
          round,
          key,
        )
        .map((row) => row.round),
    set: (round, key, value) => db.transaction(() => putValue(db, round, key, JSON.stringify(value))),
    close() {
      for (const lock of claims.splice(0)) lock.release();
      db.close();
    },
  };
}

/** The text of a value, null if it is unreadable, undefined if there is none. */
export function storedText(db: Db, round: number, key: string): string | null | undefined {
  const row = db.get<{ id: number }>("select text_id as id from state_texts where round = ?1 and key = ?2", round, key);
  return row === null ? undefined : readChained(db, "texts", row.id);
}

const storedValue = (db: Db, round: number, key: SessionKey): unknown => {
  const text = storedText(db, round, key);
  return text == null ? undefined : parseJson(text);
};

function putValue(db: Db, round: number, key: SessionKey, text: string): void {
  const hash = createHash("sha256").update(text).digest("hex");
  const known = db.get<{ id: number }>(
    "select id from texts where hash = ?1 union all select id from texts where hash is null and packed = ?2 limit 1",
    hash,
    text,
  );
  const id = known?.id ?? addText(db, hash, text);
  if (id === null) {
    db.run("delete from state_texts where round = ?1 and key = ?2", round, key);
    return;
  }
  db.run(
    `insert into state_texts(round, key, text_id) values (?1, ?2, ?3)
     on conflict(round, key) do update set text_id = excluded.text_id`,
    round,
    key,
    id,
  );
}

/** The id of a new text; null if it is too large. The last long text is the one that a new one resembles most. */
function addText(db: Db, hash: string, text: string): number | null {
  const previous = db.get<{ id: number }>(
    "select id from texts where typeof(packed) = 'blob' order by id desc limit 1",
  );
  const chained = chainText(db, "texts", text, previous?.id ?? null);
  if (chained === null) return null;
  const { base, steps, packed } = chained;
  const id = (db.get<{ last: number }>("select coalesce(max(id), 0) as last from texts")?.last ?? 0) + 1;
  db.run("insert into texts(id, hash, base, steps, packed) values (?1, ?2, ?3, ?4, ?5)", id, hash, base, steps, packed);
  return id;
}

/** Null when the file was archived since it was opened, so that a round in it would be lost. */
function beginRound(
  db: Db,
  claimed: (round: number) => boolean,
  now: string,
  after: number,
): ReturnType<Session["begin"]> | null {
  return db.transaction(() => {
    if (db.isMoved()) return null;
    const last = db.get<Pick<Round, "round" | "status">>(
      "select round, status from rounds order by round desc limit 1",
    );
    if (last?.status === "running" && last.round >= after && claimed(last.round))
      return { round: last.round, continued: true };
    const round = Math.max(last?.round ?? 0, after) + 1;
    claimed(round);
    const unfinished = db.all<Pick<Round, "round">>("select round from rounds where status = 'running' order by round");
    db.run("insert into rounds(round, status, started_at) values (?1, 'running', ?2)", round, now);
    if (unfinished.length > 0)
      putValue(db, round, "unfinished_before", JSON.stringify(unfinished.map((row) => row.round)));
    return { round, continued: false };
  });
}

/** The rounds of a session file, or why it is unreadable. */
export type SessionSummary =
  | { readonly ok: true; readonly rounds: readonly Round[] }
  | { readonly ok: false; readonly why: string };

export function sessionSummary(path: string): SessionSummary {
  let db: Db | null = null;
  try {
    db = openUntouched(path, SESSION_SCHEMA).db;
    return { ok: true, rounds: db.all<Round>(ROUNDS_IN_ORDER) };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return { ok: false, why: error.message };
  } finally {
    db?.close();
  }
}
