/** Runs the binary as a user who may not do everything: as nobody where the tests run as the superuser. */

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** What a shell line begins with to run a program as that user. */
export const AS_USER = isRoot ? `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups ` : "";

export const canBeUser =
  !isRoot ||
  (Bun.which("setpriv") !== null && Bun.spawnSync(["bash", "-c", `${AS_USER}test -x ${import.meta.dir}`]).success);

/** Gives a folder with all that is in it to that user. */
export function giveToUser(folder: string): void {
  if (isRoot) Bun.spawnSync(["chown", "-R", `${NOBODY}:${NOBODY}`, folder]);
}
