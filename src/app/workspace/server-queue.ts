/**
 * Lets the runs of this user ask a model server one after another: it answers one question at a time, and two runs at once
 * would both wait too long.
 */
import type { Variables } from "../../config/variables.ts";
import { serverLockPath } from "../../db/data-folder/paths.ts";
import { holderOf, type IndexLock, type LockHolder, takeIndexLock, tryLock } from "../../db/sqlite/lock.ts";
import { Failed } from "../../failure.ts";
import type { ServerQueue } from "../../judgement/open-judge.ts";

/** A run waits for as long as it takes, or is cancelled. */
const WAIT_MS = Number.MAX_SAFE_INTEGER;

/** Null where no lock can be kept: then nobody waits. */
export function serverQueue(server: string, env: Variables, holder: LockHolder): ServerQueue | null {
  const path = serverLockPath(server, env);
  if (path === null) return null;
  return {
    tryTake() {
      const lock = orFree(() => tryLock(path, holder));
      return lock === null ? { holder: holderOf(path) } : { taken: turnOf(lock) };
    },
    take: async (signal) => turnOf(await takeIndexLock(path, holder, WAIT_MS, signal)),
  };
}

const turnOf = (lock: IndexLock): Disposable => ({ [Symbol.dispose]: () => lock.release() });

const NO_LOCK: IndexLock = { release: () => undefined };

/** A lock file that cannot be opened or written keeps nobody from asking. */
function orFree(take: () => IndexLock | null): IndexLock | null {
  try {
    return take();
  } catch (error) {
    if (error instanceof Failed && error.failure.code !== "locked") return NO_LOCK;
    throw error;
  }
}
