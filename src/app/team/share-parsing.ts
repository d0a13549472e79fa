/** Lets other machines parse what a store lacks: sends the texts, adds jobs, works on them too, and waits until all are done or failed. */

import type { IndexDeps } from "../../indexing/update/index-deps.ts";
import { hashOf } from "../../indexing/update/scan/file-content.ts";
import { CHUNK_BYTES } from "../../store/blobs.ts";
import { evenChunks } from "../../store/cut-chunks.ts";
import type { Store } from "../../store/open-store.ts";
import type { ParsePool } from "../../syntax/parse/parse-pool.ts";
import type { OnProgress } from "../workspace/environment.ts";
import { workOn } from "./run-jobs.ts";
import type { LocalContent } from "./take-facts.ts";

/** A content of the work tree, without its text. */
export type SharedContent = Omit<LocalContent, "text">;

/** Contents of one job: a few seconds of parsing. */
export const CONTENTS_PER_JOB = 100;

type Sharing = {
  readonly store: Store;
  readonly workTree: Pick<IndexDeps["workTree"], "readFile">;
  readonly bytesMax: number;
  readonly pool: Pick<ParsePool, "parse">;
  readonly worker: string;
  readonly onProgress: OnProgress;
};

/** Returns the number of jobs. Throws `store-unavailable`, also for a role that may not add jobs, and the signal's reason. */
export async function shareParsing(
  { store, workTree, bytesMax, pool, worker, onProgress }: Sharing,
  contents: readonly SharedContent[],
  signal: AbortSignal,
): Promise<number> {
  const jobs: string[] = [];
  for (let at = 0; at < contents.length; at += CONTENTS_PER_JOB) {
    signal.throwIfAborted();
    const some = contents.slice(at, at + CONTENTS_PER_JOB);
    const texts = some.flatMap(({ path, hash }) => {
      const read = workTree.readFile(path, bytesMax);
      return read.kind === "bytes" && hashOf(read.bytes) === hash ? [{ hash, bytes: read.bytes }] : [];
    });
    const sent = { chunks: 0, bytes: 0 };
    await store.blobs.putSmall(
      texts.filter(({ bytes }) => bytes.length <= CHUNK_BYTES),
      sent,
    );
    for (const { bytes } of texts) if (bytes.length > CHUNK_BYTES) await store.blobs.put(evenChunks(bytes), sent);
    const there = new Set(texts.map(({ hash }) => hash));
    const job = some.filter(({ hash }) => there.has(hash));
    if (job.length > 0) jobs.push(await store.jobs.add(job));
  }
  const onJob = ({ jobs: done }: { readonly jobs: number }): void =>
    onProgress({ phase: "parse with others", done, total: jobs.length });
  // What others failed to parse is parsed here in the end, and reported then.
  const onProblem = (): void => undefined;
  if (jobs.length > 0)
    await workOn(store, pool, { worker, untilDone: true, jobs, commits: null, onJob, onProblem }, signal);
  return jobs.length;
}
