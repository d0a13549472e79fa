/**
 * Places the temporary folders of tests in memory if there is room.
 *
 * cra flushes what it writes, and a flush to disk takes as long as a hundred small tests. No test cuts the power, so
 * none can tell memory from disk.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Exists on every Linux system; containers often make it small or forbid execution in it. */
const FOLDER = "/dev/shm";

/** Bytes; many times the size of the folders of two concurrent test files, including a built program. */
const ROOM_MIN = 2 * 1024 ** 3;

/** Puts the temporary folders of this process and its children in memory, unless TMPDIR is set. */
export function keepFoldersInMemory(): void {
  if (process.env.TMPDIR === undefined && isFit()) process.env.TMPDIR = FOLDER;
}

/** Whether there is room and programs can run there: tests write stand-ins for git and editors. */
function isFit(): boolean {
  let probe: string | undefined;
  try {
    accessSync(FOLDER, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    if (Math.min(bavail * bsize, freemem()) < ROOM_MIN) return false;
    probe = mkdtempSync(join(FOLDER, "cra-probe-"));
    const program = join(probe, "program");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o700);
    return Bun.spawnSync([program]).success;
  } catch {
    // Any failure means: use the disk.
    return false;
  } finally {
    if (probe !== undefined) rmSync(probe, { recursive: true, force: true });
  }
}
