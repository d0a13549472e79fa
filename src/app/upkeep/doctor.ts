/**
 * Checks every database for damage without changing a byte, and moves aside what only that repairs.
 *
 * The databases are checked in a worker, because SQLite blocks its thread for seconds in a large one.
 */
import { lstatSync } from "node:fs";
import { checkFolder, type FolderFacts } from "../../db/check/data-folder.ts";
import { type Diagnostic, sortDiagnostics } from "../../db/check/diagnostic.ts";
import { dataFiles } from "../../db/data-folder/data-files.ts";
import type { DataPaths } from "../../db/data-folder/paths.ts";
import { heldBy } from "../../db/sqlite/lock.ts";
import { quarantine } from "../../db/sqlite/quarantine.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { OnProgress } from "../workspace/environment.ts";
import { type Member, membersOf, openMember } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** `members` are the repositories of this machine that are asked instead of this one; mostly none. */
export type Checkup = FolderCheckup & {
  readonly members: readonly (FolderCheckup & Member)[];
};

/** `indexed` also for a damaged index. `files` and `bytes` count everything in the folder. */
export type FolderCheckup = {
  readonly dataDir: string;
  readonly indexed: boolean;
  readonly files: number;
  readonly bytes: number;
  readonly findings: readonly Diagnostic[];
};

/** `total` is null, because the number of checks depends on what is found. */
type CheckProgress = { readonly phase: string; readonly done: number; readonly total: null };

/** `everything` adds what a rebuild does not touch: memory, the parse cache and vectors. */
export type CheckMessage = { readonly paths: DataPaths; readonly everything: boolean };
export type CheckReply =
  | { readonly kind: "progress"; readonly progress: CheckProgress }
  | { readonly kind: "checked"; readonly findings: readonly Diagnostic[]; readonly indexed: boolean }
  | { readonly kind: "error"; readonly message: string };

/** Everything that is wrong, or worth knowing. Throws the signal's reason, and `io` when the folder cannot be read. */
export async function examine(workspace: Workspace, report: OnProgress, signal: AbortSignal): Promise<Checkup> {
  const { root, config } = workspace;
  const own = await examineFolder(workspace, report, signal);
  const members: Checkup["members"][number][] = [];
  for (const member of membersOf(root, config.settings["workspace.repos"])) {
    const opened = await openMember(member, workspace);
    members.push({ ...member, ...(await examineFolder(opened, report, signal)) });
  }
  return { ...own, members };
}

async function examineFolder(
  { root, dataDir: dir, cacheFolder, paths, environment: { uid } }: Workspace,
  report: OnProgress,
  signal: AbortSignal,
): Promise<FolderCheckup> {
  const facts: FolderFacts = { root, dir, cacheFolder, paths, uid };
  const folder = readable(paths, () => ({ findings: checkFolder(facts), files: dataFiles(paths) }));
  const { findings, indexed } = await runChecks({ paths, everything: true }, report, signal);
  return {
    dataDir: paths.folder,
    indexed,
    files: folder.files.length,
    bytes: folder.files.reduce((sum, { bytes }) => sum + bytes, 0),
    findings: sortDiagnostics([...findings, ...folder.findings]),
  };
}

/** What is wrong with the index (null: nothing), and what was moved aside. */
export type Mended = { readonly damage: string | null; readonly notices: readonly Notice[] };

/** Moves a damaged log and damaged sessions aside, so that new ones begin. A session in use is left alone. */
export async function mendAllButIndex(paths: DataPaths, report: OnProgress, signal: AbortSignal): Promise<Mended> {
  const { findings } = await runChecks({ paths, everything: false }, report, signal);
  const damaged = sortDiagnostics(findings).filter(({ code }) => code.endsWith("-damaged"));
  const first = new Map(damaged.toReversed().map((finding) => [finding.where, finding.what]));
  const inUse = new Set(
    dataFiles(paths).flatMap(({ kind, path, task }) => (kind === "claim" && heldBy(path) !== null ? [task] : [])),
  );
  const notices: Notice[] = [];
  for (const [where, why] of [...first].reverse()) {
    if (where === paths.curated || lstatSync(where, { throwIfNoEntry: false }) === undefined) continue;
    if (where === paths.raw) notices.push({ code: "log-restarted", why, movedTo: quarantine(where) });
    else if (!inUse.has(dataFiles(paths).find(({ path }) => path === where)?.task ?? null))
      notices.push({ code: "session-set-aside", why, movedTo: quarantine(where) });
  }
  return { damage: first.get(paths.curated) ?? null, notices };
}

async function runChecks(
  message: CheckMessage,
  report: OnProgress,
  signal: AbortSignal,
): Promise<Extract<CheckReply, { kind: "checked" }>> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./doctor-worker.ts", import.meta.url).href);
  const { promise, resolve, reject } = Promise.withResolvers<Extract<CheckReply, { kind: "checked" }>>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop);
  worker.addEventListener("message", ({ data }: MessageEvent<CheckReply>) => {
    if (data.kind === "progress") report(data.progress);
    else if (data.kind === "checked") resolve(data);
    else reject(new Error(data.message));
  });
  worker.addEventListener("error", ({ message: why }: ErrorEvent) => reject(new Error(why)));
  worker.addEventListener("close", () => reject(new Error("the worker ended without an answer")));
  worker.postMessage(message);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}

function readable<T>(paths: DataPaths, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failed) throw error;
    const next = "check its permissions, or choose another folder with --data-dir";
    throw new Failed({ code: "io", message: systemErrorWords(error), where: paths.folder, next }, { cause: error });
  }
}
