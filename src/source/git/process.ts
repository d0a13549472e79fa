/**
 * Runs the git executable on an untrusted repository.
 *
 * No shell, pager, prompt, network, hook, helper program or file system monitor. Of the caller's environment git sees only what locates the
 * configuration of the user and the system, because git refuses repositories of other users unless that allows them. Processor time and
 * output are bounded, and git has to make progress; the clock decides nothing. Only plumbing commands should be run: they read no formatting
 * settings.
 * Flags: git-config(1), git(1).
 */
import { platform } from "node:os";
import { delimiter, dirname, isAbsolute } from "node:path";
import type { Variables } from "../../config/variables.ts";
import { errorText } from "../files/read-file.ts";
import { blockingFile } from "./blocking-files.ts";
import { findProgram, isInside } from "./find-program.ts";
import { isGitRepository } from "./folders.ts";
import { PATIENCE, type Patience, watchProgress } from "./progress-watch.ts";

export type GitOutput =
  | { readonly kind: "output"; readonly bytes: Uint8Array }
  /** `exitCode` is null when git did not exit by itself. */
  | { readonly kind: "problem"; readonly why: string; readonly exitCode: number | null };

/** The history of the largest public repositories is smaller. */
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
  // A folder that merely looks like a bare repository is not one, as in `resolveGitFolders`.
  "safe.bareRepository=explicit",
];

/**
 * Whether git runs in a session of its own. The thread that starts a program waits in the kernel until the program runs (vfork(2)).
 * If Ctrl-Z stopped both in between, this process would never count as stopped and the shell would hang. In its own session git
 * cannot be stopped from the terminal: POSIX discards the signal. Windows has no such signal, and git would open a window there.
 */
const HAS_SESSIONS = platform() !== "win32";

const PASSED_ON = ["PATH", "SystemRoot", "GIT_CONFIG_NOSYSTEM"];

/** What locates the settings of the user and the system. A path that is not absolute would start from the untrusted repository. */
const LOCATIONS = ["HOME", "XDG_CONFIG_HOME", "USERPROFILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"];

const FIXED_ENVIRONMENT = {
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

/** The git executable on the caller's path; null without one. */
export const findGit = (environment: Variables): string | null => findProgram("git", environment, null);

/** A command to run in `root`, whose repository is `root/.git` and never one further up. */
type GitCall = {
  readonly executable: string;
  /** The caller's; only the few variables that git needs are passed on. */
  readonly environment: Variables;
  readonly root: string;
  readonly arguments: readonly string[];
  readonly input?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** `PATIENCE` by default. */
  readonly patience?: Patience | undefined;
};

/** Runs git until it exits. Never throws. */
export async function runGit(call: GitCall): Promise<GitOutput> {
  if (call.signal?.aborted) return problem("stopped", null);
  try {
    if (isInside(call.executable, call.root)) return problem("the git executable is inside the repository", null);
    // The ceiling of git's search is a list, in which such a path is several.
    if (dirname(call.root).includes(delimiter) && !isGitRepository(call.root))
      return problem("not a git repository", null);
    const blocking = blockingFile(call.root);
    if (blocking !== null) return problem(`its ${blocking} is a pipe or a device`, null);
    const child = Bun.spawn([call.executable, ...fixedArguments(), ...call.arguments], {
      cwd: call.root,
      env: childEnvironment(call),
      stdin: call.input === undefined ? "ignore" : new TextEncoder().encode(call.input),
      stdout: "pipe",
      stderr: "pipe",
      killSignal: "SIGKILL",
      detached: HAS_SESSIONS,
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    let bytes = 0;
    const count = (more: number): void => {
      bytes += more;
    };
    const collected = Promise.all([
      collect(child.stdout, GIT_OUTPUT_BYTES_MAX, count, () => child.kill("SIGKILL")),
      collect(child.stderr, COMPLAINT_BYTES_MAX, count, () => undefined),
    ]);
    collected.catch(() => undefined); // Awaited below, unless git ends without closing them.
    const patience = call.patience ?? PATIENCE;
    const stopped: { why: string | null } = { why: null };
    const unwatch = watchProgress({ pid: child.pid, bytes: () => bytes }, patience, (why) => {
      stopped.why = why;
      child.kill("SIGKILL");
    });
    const exitCode = await child.exited.finally(unwatch);
    // A program started by git may outlive it and keep the pipes open.
    const quiet = Promise.withResolvers<readonly [undefined, undefined]>();
    const unwatchRest = watchProgress({ pid: null, bytes: () => bytes }, patience, () =>
      quiet.resolve([undefined, undefined]),
    );
    const [output, complaint] = await Promise.race([collected, quiet.promise]).finally(unwatchRest);
    if (output === null) return problem(`git wrote more than ${GIT_OUTPUT_BYTES_MAX} bytes`, null);
    if (call.signal?.aborted) return problem("stopped", null);
    if (child.signalCode !== null)
      return problem(`git was ended: ${stopped.why ?? `something sent it ${child.signalCode}`}`, null);
    if (exitCode !== 0) return problem(errorLine(complaint ?? new Uint8Array()).replaceAll(call.root, "."), exitCode);
    return output === undefined ? problem("git left a program running", null) : { kind: "output", bytes: output };
  } catch (error) {
    return problem(errorText(error), null);
  }
}

const COMPLAINT_BYTES_MAX = 64 * 1024;

const fixedArguments = (): readonly string[] => [
  "--no-pager",
  "--no-optional-locks",
  "--no-replace-objects",
  "--literal-pathspecs",
  ...SETTINGS.flatMap((setting) => ["-c", setting]),
  // Overrides `core.worktree` and `core.bare` of the untrusted configuration.
  "--work-tree=.",
];

function childEnvironment({ environment, root }: GitCall): Record<string, string> {
  const passed = [...PASSED_ON, ...LOCATIONS].flatMap((name) => {
    const value = environment[name];
    if (value === undefined || (LOCATIONS.includes(name) && value !== "" && !isAbsolute(value))) return [];
    return [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...FIXED_ENVIRONMENT, GIT_CEILING_DIRECTORIES: dirname(root) };
}

/** The whole stream; null when it exceeds `bytesMax`, after calling `stop` and draining the rest. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  count: (more: number) => void,
  stop: () => void,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    count(chunk.byteLength);
    if (total <= bytesMax) chunks.push(chunk);
    else stop();
  }
  return total <= bytesMax ? Buffer.concat(chunks) : null;
}

/** What to do about an error, where git says it in further lines or not at all. */
const NEXT_STEPS: readonly (readonly [error: RegExp, step: string])[] = [
  [/^unknown repository extension/, "a newer git may read it"],
  [/^detected dubious ownership/, "git config --global --add safe.directory FOLDER allows it"],
];

/** The line of git's error without its prefix, and what to do: enough for a reason, and never a list of paths. */
function errorLine(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes).split("\n");
  const error = lines.findIndex((one) => /^(fatal|error): /.test(one));
  const at = error < 0 ? lines.findIndex((one) => !one.startsWith("hint:")) : error;
  // Extensions that git does not know have lines of their own.
  const extension = /unknown repository extensions? found:$/.test(lines[at] ?? "")
    ? ` ${(lines[at + 1] ?? "").trim()}`
    : "";
  const line = `${lines[at] ?? ""}${extension}`.replace(/^(fatal|error): /, "");
  const step = NEXT_STEPS.find(([one]) => one.test(line))?.[1];
  return `git: ${line || "failed without a message"}${step === undefined ? "" : ` (${step})`}`;
}

const problem = (why: string, exitCode: number | null): GitOutput => ({ kind: "problem", why, exitCode });
