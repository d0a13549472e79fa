/** Whether Universal Ctags is installed. A process that measures loads only this, so that it stays small. */

/** An error message if Universal Ctags is missing, else null. */
export function ctagsProblem(): string | null {
  const found = Bun.which("ctags");
  const version = found === null ? "" : Bun.spawnSync([found, "--version"]).stdout.toString();
  return version.startsWith("Universal Ctags") ? null : "Universal Ctags is missing: apt-get install universal-ctags";
}
