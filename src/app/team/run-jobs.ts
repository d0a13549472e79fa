/**
 * Runs jobs of an open store: takes them, parses contents or indexes commits, and gives back what fails.
 *
 * A lease is prolonged while a job runs. What fails, or takes the worker with it, is tried again by another, and set aside in the end.
 */

import { unlessAborted } from "../../concurrency/unless-aborted.ts";
import { packStats } from "../../db/export/packed-facts.ts";
import { isFailure } from "../../indexing/update/scan/compare.ts";
import { CHUNK_BYTES } from "../../store/blobs.ts";
import type { FactsRow } from "../../store/facts.ts";
import type { Job, JobCommit, JobContent } from "../../store/jobs.ts";
import type { Store } from "../../store/open-store.ts";
import { packFacts } from "../../syntax/facts/facts-codec.ts";
import type { ParsePool } from "../../syntax/parse/parse-pool.ts";
import { decode } from "../../text/decode.ts";
import type { Environment } from "../workspace/environment.ts";

/** What was done so far: jobs finished and given back, and contents parsed. */
export type WorkDone = { readonly jobs: number; readonly failed: number; readonly contents: number };

const LEASE_MS = 120_000;
const EXTEND_MS = 30_000;
/** The next look for a job comes after this long, and after each that finds none twice as late. The last jobs of others end soon. */
const WAIT_MS = { first: 25, most: 1_000 } as const;

/** A store that is opened with this still takes leases back when the run is aborted. */
export const UNTIL_CLOSED = new AbortController().signal;

/** Names a worker for its leases. */
export const workerName = ({ host, pid }: Pick<Environment, "pid" | "host">): string =>
  `${host} ${pid} ${Math.random().toString(36).slice(2)}`;

type Working = {
  readonly worker: string;
  /** Ends when no job is due, instead of waiting for one. */
  readonly untilDone: boolean;
  /** Indexes and pushes a commit, and returns how many contents were parsed for it. Null where that cannot be done. */
  readonly commits: ((commit: JobCommit) => Promise<number>) | null;
  readonly onJob: (done: WorkDone) => void;
  /** Gets why a job was given back. */
  readonly onProblem: (problem: string) => void;
  /** The jobs that are waited for; all by default. */
  readonly jobs: readonly string[] | undefined;
};

/** Works until no job is due, or until the signal, which the store outlives. Takes any job while it waits for some. */
export async function workOn(
  store: Store,
  pool: Pick<ParsePool, "parse">,
  { worker, untilDone, jobs, commits, onJob, onProblem }: Working,
  signal: AbortSignal,
): Promise<WorkDone> {
  let done: WorkDone = { jobs: 0, failed: 0, contents: 0 };
  const kinds = commits === null ? "contents" : "all";
  let waitMs: number = WAIT_MS.first;
  for (;;) {
    signal.throwIfAborted();
    const job = await store.jobs.take(worker, LEASE_MS, kinds);
    if (job === null) {
      const { active, paused } = await store.jobs.unfinished(jobs, kinds);
      // A running job may come back. Who waits for some jobs does what failed alone.
      if (untilDone && active + (jobs === undefined ? paused : 0) === 0) return done;
      await unlessAborted(Bun.sleep(waitMs), signal);
      waitMs = Math.min(2 * waitMs, WAIT_MS.most);
      continue;
    }
    waitMs = WAIT_MS.first;
    const contents = await runJob(store, pool, job, { worker, commits, onProblem }, signal);
    if (contents === null) done = { ...done, failed: done.failed + 1 };
    else done = { ...done, jobs: done.jobs + 1, contents: done.contents + contents };
    onJob(done);
  }
}

/** The contents that were parsed; null when the job was given back. */
async function runJob(
  store: Store,
  pool: Pick<ParsePool, "parse">,
  job: Job,
  { worker, commits, onProblem }: Pick<Working, "worker" | "commits" | "onProblem">,
  signal: AbortSignal,
): Promise<number | null> {
  let extending: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    extending = store.jobs.extend(job.id, worker, LEASE_MS).catch(() => undefined);
  }, EXTEND_MS);
  const working = doWork(store, pool, job.work, commits);
  try {
    const contents = await unlessAborted(working, signal);
    await store.jobs.finish(job.id, worker);
    return contents;
  } catch (error) {
    if (signal.aborted) {
      await store.jobs.giveBack(job.id, worker);
      // It removes its clone.
      if (job.work.kind === "commit") await working.catch(() => undefined);
      throw signal.reason;
    }
    const problem = error instanceof Error ? error.message : String(error);
    onProblem(problem);
    await store.jobs.fail(job.id, worker, problem);
    return null;
  } finally {
    clearInterval(timer);
    await extending;
  }
}

async function doWork(
  store: Store,
  pool: Pick<ParsePool, "parse">,
  work: Job["work"],
  commits: Working["commits"],
): Promise<number> {
  if (work.kind === "contents") return await parseContents(store, pool, work.contents);
  if (commits === null) throw new Error("there is no address to clone from");
  return await commits(work.commit);
}

/** Stores the facts of contents, as far as they lack. Returns their number. Throws if some cannot be read or parsed. */
async function parseContents(
  store: Store,
  pool: Pick<ParsePool, "parse">,
  contents: readonly JobContent[],
): Promise<number> {
  const known = await store.facts.has(contents);
  const due = contents.filter(({ hash, language }) => !known.has(`${hash}:${language}`));
  const rows = await Promise.all((await textsOf(store, due)).map((content) => parsed(pool, content)));
  const found = rows.flatMap((row) => row ?? []);
  await store.facts.put(found);
  if (found.length < due.length) throw new Error(`${due.length - found.length} contents could not be read or parsed`);
  return contents.length;
}

type Text = JobContent & { readonly text: string };

/** The texts of contents, as far as they are stored. */
async function textsOf({ blobs }: Store, contents: readonly JobContent[]): Promise<readonly Text[]> {
  const received = { chunks: 0, bytes: 0 };
  const small = contents.filter(({ bytes }) => bytes <= CHUNK_BYTES).map(({ hash }) => hash);
  const found = new Map(await blobs.getSmall([...new Set(small)], received));
  const texts: Text[] = [];
  for (const content of contents) {
    const pieces: Uint8Array[] = [];
    if (content.bytes > CHUNK_BYTES) for await (const piece of blobs.get(content, received)) pieces.push(piece);
    const bytes = found.get(content.hash) ?? (pieces.length === 0 ? null : Buffer.concat(pieces));
    const decoded = bytes === null ? null : decode(bytes);
    if (decoded?.kind === "text") texts.push({ ...content, text: decoded.text });
  }
  return texts;
}

async function parsed(pool: Pick<ParsePool, "parse">, { hash, language, text }: Text): Promise<FactsRow | null> {
  const { facts, stats } = await pool.parse({ text, language });
  if (isFailure(facts.problem)) return null;
  return { hash, language, ...packFacts(facts), stats: packStats(stats) };
}
