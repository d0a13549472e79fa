/**
 * What a session's file says of itself, without opening it for work: its rounds, or that it cannot be read.
 *
 * Leaves no trace, and waits for nobody. Not here: whether it is sound in every row (`session.ts`).
 */
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { openUntouched } from "../sqlite/open.ts";
import { ROUNDS_IN_ORDER, type Round, SESSION_SCHEMA } from "./session.ts";

/** `why` says what is wrong with the file. */
export type SessionGlance =
  | { readonly ok: true; readonly rounds: readonly Round[] }
  | { readonly ok: false; readonly why: string };

export function glanceAt(path: string): SessionGlance {
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
