/**
 * The claim on a round: a lock beside the session that the kernel releases when its holder dies, so that a killed round can be
 * continued.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { type IndexLock, tryToHold } from "../sqlite/lock.ts";

/** The name of a claim; it begins with that of its session. */
export const CLAIM = /^(.+\.sqlite)\.round-\d+(?:-journal)?$/;

/** Claims a round of the session at `path`; null while another process works on it. */
export const claimRound = (path: string, round: number): IndexLock | null => claim(`${path}.round-${round}`);

function claim(path: string): IndexLock | null {
  const lock = tryToHold(path);
  if (lock === null) return null;
  return {
    release() {
      // Delete it first: once released, the file may be another process's claim.
      const isDeleted = tryToDelete(path);
      lock.release();
      // Windows deletes no file that is open, in this process or another: so not another's claim either.
      if (!isDeleted) tryToDelete(path);
    },
  };
}

/** Deletes what killed runs left behind: the claims in the folder that nobody holds. */
export function deleteLeftClaims(sessions: string): void {
  for (const name of readdirSync(sessions)) {
    if (!CLAIM.test(name)) continue;
    try {
      claim(join(sessions, name))?.release();
    } catch (error) {
      // It is no file, or the disk refuses; `cra doctor` names it.
      if (!(error instanceof Failed)) throw error;
    }
  }
}

function tryToDelete(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}
