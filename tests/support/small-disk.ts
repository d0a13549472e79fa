/** Small disks that fill up, in a mount namespace of their own. */

/** Whether this system lets us make one. */
export function canMount(): boolean {
  if (Bun.which("unshare") === null) return false;
  return Bun.spawnSync(["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "cra", "/mnt"]).success;
}
