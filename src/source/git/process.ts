/**
 * Runs the git executable on a repository that is not trusted.
 *
 * No shell, no pager, no prompt, no network, no hook, no helper program, no file system monitor; nothing of
 * the caller's environment but what finds the user's own configuration (git refuses repositories of
 * other users unless that says otherwise). Time and output are bounded. Only plumbing commands are
 * meant to be run: they read no settings about formats. What the flags do: git-config(1), git(1).
 */
import { platform } from "node:os";
import { dirname } from "node:path";
import { errorText } from "../files/read-file.ts";
import { findProgram, isInside } from "./find-program.ts";

export type GitOutput =
  | { readonly kind: "output"; readonly bytes: Uint8Array }
  /** `exitCode` is null when git did not end by itself. */
  | { readonly kind: "problem"; readonly why: string; readonly exitCode: number | null };

/** Variables of the caller; only those that git needs to start and to find the user's settings are passed on. */
export type Environment = Readonly<Record<string, string | undefined>>;

const GIT_TIMEOUT_MS = 30_000;

/** The history of the largest public repositories is below this. */
export const GIT_OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "core.alternateRefsCommand=",
  "core.sshCommand=false",
  "credential.helper=",
  "diff.external=",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  // A folder that looks like git's own is none, as `resolveGitFolders` has it.
  "safe.bareRepository=explicit",
];

/**
 * Whether git gets a session of its own, out of the terminal's reach. The thread that starts a program waits in the
 * kernel until that has taken over its process (vfork(2)). A Ctrl-Z to both would stop the new one before that and leave the
 * thread waiting, so that this process never counts as stopped and the shell waits on. In a session of its own it cannot be
 * stopped from a terminal: POSIX has the signal discarded where no shell could continue what it stops. Windows has no such
 * stop, and there git would open a window.
 */
const HAS_SESSIONS = platform() !== "win32";

const PASSED_ON = ["HOME", "XDG_CONFIG_HOME", "PATH", "SystemRoot", "USERPROFILE"];

const FIXED_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/dev/null",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_PAGER: "cat",
  LC_ALL: "C",
};

/** The git executable on the caller's path; null when there is none. */
export const findGit = (environment: Environment): string | null => findProgram("git", environment, null);

/** One command to run in `root`; the repository is `root/.git`, never one further up. */
export type GitCall = {
  readonly executable: string;
  readonly environment: Environment;
  readonly root: string;
  readonly arguments: readonly string[];
  readonly input?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For tests; `GIT_TIMEOUT_MS` unless given. */
  readonly timeoutMs?: number | undefined;
};

/** Runs git to its end. Never throws. */
export async function runGit(call: GitCall): Promise<GitOutput> {
  if (call.signal?.aborted) return problem("stopped", null);
  const timeoutMs = call.timeoutMs ?? GIT_TIMEOUT_MS;
  try {
    if (isInside(call.executable, call.root)) return problem("the git executable lies inside the repository", null);
    const child = Bun.spawn([call.executable, ...fixedArguments(), ...call.arguments], {
      cwd: call.root,
      env: childEnvironment(call),
      stdin: call.input === undefined ? "ignore" : new TextEncoder().encode(call.input),
      stdout: "pipe",
      stderr: "pipe",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      detached: HAS_SESSIONS,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    const collected = Promise.all([
      collect(child.stdout, GIT_OUTPUT_BYTES_MAX, () => child.kill("SIGKILL")),
      collect(child.stderr, COMPLAINT_BYTES_MAX, () => undefined),
    ]);
    collected.catch(() => undefined); // Awaited below, unless git ends without closing them.
    const exitCode = await child.exited;
    // What git started may live on with the pipes in its hands.
    const [output, complaint] = await within(Math.min(timeoutMs, AFTER_END_MS), collected, [undefined, undefined]);
    if (output === null) return problem(`git answered more than ${GIT_OUTPUT_BYTES_MAX} bytes`, null);
    if (call.signal?.aborted) return problem("stopped", null);
    if (child.signalCode !== null) return problem(`git did not end within ${timeoutMs / 1000} seconds`, null);
    if (exitCode !== 0) return problem(firstLine(complaint ?? new Uint8Array()).replaceAll(call.root, "."), exitCode);
    return output === undefined ? problem("git left a program running", null) : { kind: "output", bytes: output };
  } catch (error) {
    return problem(errorText(error), null);
  }
}

const COMPLAINT_BYTES_MAX = 64 * 1024;

/** What a process wrote is read to its end within this time, unless another one holds the pipe open. */
const AFTER_END_MS = 10_000;

/** The answer, or another one when it takes longer. */
async function within<T, U>(ms: number, answer: Promise<T>, otherwise: U): Promise<T | U> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const fixedArguments = (): readonly string[] => [
  "--no-pager",
  "--no-optional-locks",
  "--no-replace-objects",
  "--literal-pathspecs",
  ...SETTINGS.flatMap((setting) => ["-c", setting]),
  // The work tree is the root, whatever `core.worktree` and `core.bare` of an untrusted config say.
  "--work-tree=.",
];

function childEnvironment({ environment, root }: GitCall): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...FIXED_ENVIRONMENT, GIT_CEILING_DIRECTORIES: dirname(root) };
}

/** The whole stream, or null when it is longer than `bytesMax` (then `stop` is called and the rest drained). */
async function collect(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  stop: () => void,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    if (total <= bytesMax) chunks.push(chunk);
    else stop();
  }
  return total <= bytesMax ? Buffer.concat(chunks) : null;
}

/** Git's first line, without its prefix: enough to say why, and never a listing of paths. */
function firstLine(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes).split("\n");
  const line = lines.find((one) => !one.startsWith("hint:")) ?? "";
  return `git: ${line.replace(/^(fatal|error): /, "") || "failed without a message"}`;
}

const problem = (why: string, exitCode: number | null): GitOutput => ({ kind: "problem", why, exitCode });
