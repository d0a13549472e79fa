/**
 * Where tests put their temporary folders: in memory, where that has room.
 *
 * cra flushes what it writes, and each flush of a disk takes as long as a hundred small tests compute. Nothing here
 * cuts the power, so no test can tell a disk from memory by what is there afterwards.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Every Linux system has it; containers often make it small, and forbid programs in it. */
const FOLDER = "/dev/shm";

/** Bytes: many times what the folders of two test files at once come to, a built program among them. */
const ROOM_MIN = 2 * 1024 ** 3;

/** Lets temporary folders of this process, and of those that it starts, be made in memory; a folder that is set stays. */
export function keepFoldersInMemory(): void {
  if (process.env.TMPDIR === undefined && isFit()) process.env.TMPDIR = FOLDER;
}

/** Whether there is room, and programs can be run: tests write some, as stand-ins for git and for editors. */
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
    // Whatever it is that cannot be done there, the disk can do it.
    return false;
  } finally {
    if (probe !== undefined) rmSync(probe, { recursive: true, force: true });
  }
}
