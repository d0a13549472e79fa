/**
 * Copies a whole repository from an address that the user gave, without a work tree. The only place where git may use the network, and how it
 * reaches the address is up to the user's configuration of git.
 */
import type { Variables } from "../../config/variables.ts";
import { findGit } from "./process.ts";

/** No hook, file system monitor or collection of garbage. */
const SETTINGS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0"];

/** Copies to `folder`, which must not exist. Returns why that cannot be done, null when it is done. */
export async function mirrorRepository(
  address: string,
  folder: string,
  variables: Variables,
  signal: AbortSignal,
): Promise<string | null> {
  const git = findGit(variables);
  if (git === null) return "git is not installed";
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const child = Bun.spawn([git, ...settings, "clone", "--quiet", "--bare", "--", address, folder], {
    env: { ...variables, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    signal,
    killSignal: "SIGKILL",
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return null;
  const line = said.trim().split("\n").at(-1) ?? "";
  return `git: ${line.replace(/^(?:fatal|error): /, "") || "failed without a message"}`;
}
