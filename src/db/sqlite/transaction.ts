/**
 * One transaction on a connection: all of it or nothing, immediate, synchronous, never nested.
 */
import type { Database } from "bun:sqlite";
import { Failed } from "../../failure.ts";

/** All of `work` or nothing of it. */
export function transact<T>(raw: Database, work: () => T): T {
  begin(raw);
  try {
    const result = work();
    if (result instanceof Promise) throw misuse("a transaction must be synchronous");
    raw.run("commit");
    return result;
  } catch (error) {
    if (raw.inTransaction) raw.run("rollback");
    throw error;
  }
}

export function begin(raw: Database): void {
  if (raw.inTransaction) throw misuse("a transaction is already open");
  raw.run("begin immediate");
}

/** A mistake of the caller. */
export const misuse = (message: string): Failed => new Failed({ code: "internal", message });
