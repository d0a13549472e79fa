/**
 * Queues the texts in a store that this build of cra has no facts of, as after an update of cra. Workers parse them, without a checkout of the
 * repositories, before anybody here needs them.
 */
import { languageOf } from "../../languages/languages.ts";
import { factsKey } from "../../store/facts.ts";
import type { JobContent } from "../../store/jobs.ts";
import type { Store } from "../../store/open-store.ts";
import { treeOf } from "../../store/snapshots.ts";
import { CONTENTS_PER_JOB } from "./share-parsing.ts";

/** Contents that the store is asked about together. */
const CONTENTS_AT_ONCE = 1_000;

type QueuedTexts = { readonly contents: number; readonly jobs: number };

/**
 * Of each branch the newest commit that was pushed with its texts. Throws `store-unavailable`, also for a role that may not add jobs,
 * `store-refused` for a damaged tree, and the signal's reason.
 */
export async function queueTexts(store: Store, signal: AbortSignal): Promise<QueuedTexts> {
  const stored = new Map<string, JobContent>();
  for (const { name } of await store.snapshots.repositories()) {
    const snapshots = await store.snapshots.list(name, { withTexts: true });
    for (const [newest] of Map.groupBy(snapshots, ({ branch }) => branch).values()) {
      signal.throwIfAborted();
      // This build may have another language for a file than the one that pushed it.
      for (const { path, hash, bytes } of newest === undefined ? [] : await treeOf(store, newest)) {
        const content = { hash, language: languageOf(path), bytes };
        stored.set(factsKey(content), content);
      }
    }
  }
  const missing: JobContent[] = [];
  for (const some of chunksOf([...stored.values()], CONTENTS_AT_ONCE)) {
    signal.throwIfAborted();
    const there = await store.facts.has(some);
    missing.push(...some.filter((content) => !there.has(factsKey(content))));
  }
  const jobs = chunksOf(missing, CONTENTS_PER_JOB);
  for (const job of jobs) {
    signal.throwIfAborted();
    await store.jobs.add(job);
  }
  return { contents: missing.length, jobs: jobs.length };
}

const chunksOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
