/**
 * Works for a team: takes jobs from a store and stores what they make. Parsing contents needs no checkout, since the texts are in the store;
 * indexing a commit needs an address to clone its repository from.
 */
import { unlessAborted } from "../../concurrency/unless-aborted.ts";
import { loadConfig } from "../../config/read-files.ts";
import type { Layer } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { isAway } from "../../store/connection.ts";
import type { JobCommit } from "../../store/jobs.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import type { StoreName } from "../indexing/index-repository.ts";
import type { Environment } from "../workspace/environment.ts";
import { indexCommit } from "./index-commit.ts";
import { UNTIL_CLOSED, type WorkDone, workerName, workOn } from "./run-jobs.ts";
import { openTeamStore } from "./team-store.ts";

type WorkRequest = {
  readonly store: StoreName;
  /** Where repositories are cloned from; `*` stands for their name in the store. Without it no commit is indexed. */
  readonly clone: string | undefined;
  /** Ends when no job is due, instead of waiting for one. */
  readonly untilDone: boolean;
  readonly flags: readonly Layer[];
  readonly onJob: (done: WorkDone) => void;
  /** Gets why a job was given back. */
  readonly onProblem: (problem: string) => void;
  /** Gets why the store was lost, which is asked again after a while. */
  readonly onLost: (problem: string) => void;
};

const AGAIN_MS = 5_000;

/**
 * Works until no job is due, or until the signal. Throws config failures, `store-unavailable`, `store-refused`, and the signal's reason. A store
 * that is lost after the start ends only work until all is done.
 */
export async function work(
  environment: Environment,
  { store: named, clone, untilDone, flags, onJob, onProblem, onLost }: WorkRequest,
  signal: AbortSignal,
): Promise<WorkDone> {
  if (clone !== undefined && (!clone.includes("*") || clone.startsWith("-")))
    throw new Failed({
      code: "usage",
      message: "--clone: not an address with * for the name of a repository",
      next: "give one like --clone 'https://*.git'",
    });
  const { settings } = loadConfig({ flags, variables: environment.variables, root: null });
  const store = await openTeamStore(environment, named, UNTIL_CLOSED);
  const pool = openParsePool({ workersMax: settings["index.workers"] ?? environment.processors });
  const worker = workerName(environment);
  const commits =
    clone === undefined
      ? null
      : (job: JobCommit) => indexCommit(environment, { store: named, clone, flags }, job, signal);
  try {
    for (;;) {
      try {
        return await workOn(store, pool, { worker, untilDone, jobs: undefined, commits, onJob, onProblem }, signal);
      } catch (error) {
        // Whoever waits for jobs also waits for a server that starts again.
        if (untilDone || !isAway(error)) throw error;
        onLost(error.message);
        await unlessAborted(Bun.sleep(AGAIN_MS), signal);
      }
    }
  } finally {
    pool.close();
    await store.close();
  }
}
