/** What `cra store` does: creates a store, says what it holds, checks what was pushed to it, and exports its facts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportWriter } from "../../db/export/format.ts";
import { readPackedFacts } from "../../db/export/packed-facts.ts";
import { Failed } from "../../failure.ts";
import { openConnection, type Store } from "../../store/open-store.ts";
import { grantRole, migrate, STORE_VERSION, type StoreRole } from "../../store/schema.ts";
import { type Snapshot, type StoredRepository, treeOf } from "../../store/snapshots.ts";
import type { StoreUse } from "../../store/upkeep.ts";
import { VERSION } from "../../version.ts";
import type { StoreName } from "../indexing/index-repository.ts";
import { EXTRACTOR } from "../indexing/indexing-deps.ts";
import type { Environment } from "../workspace/environment.ts";
import { assembleIndex } from "./assemble-index.ts";
import { openTeamStore } from "./team-store.ts";

/** The store of a command, with what it may know of its process. */
export type StoreCall = { readonly store: StoreName; readonly environment: Pick<Environment, "variables"> };

/** Creates the store or brings it to this version, and gives roles their rights. `before` is its version before, 0 for none. */
export async function initStore(
  { store, environment }: StoreCall,
  roles: readonly (readonly [role: StoreRole, name: string])[],
  signal: AbortSignal,
): Promise<{ readonly shown: string; readonly before: number; readonly version: number }> {
  const connection = openConnection({ ...store, variables: environment.variables }, signal);
  try {
    const before = await migrate(connection);
    for (const [role, name] of roles) await grantRole(connection, role, name);
    return { shown: connection.shown, before, version: STORE_VERSION };
  } finally {
    await connection.close();
  }
}

/** Runs `work` with an open store. */
export async function withStore<Result>(
  { store: named, environment }: StoreCall,
  signal: AbortSignal,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openTeamStore(environment, named, signal);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export type StoreStatus = {
  readonly shown: string;
  readonly repositories: readonly StoredRepository[];
  readonly uses: readonly StoreUse[];
  readonly jobs: StoredJobs | null;
};

/** `problems` say why jobs were set aside. */
type StoredJobs = Awaited<ReturnType<Store["jobs"]["counts"]>> & { readonly problems: readonly string[] };

/** What a store holds. The jobs are null for a role that may not see them. */
export async function storeStatus(store: Store): Promise<StoreStatus> {
  const [repositories, uses] = [await store.snapshots.repositories(), await store.uses()];
  const jobs = await jobsOf(store).catch((error: unknown) => {
    if (error instanceof Failed && error.failure.code === "store-unavailable") return null;
    throw error;
  });
  return { shown: store.shown, repositories, uses, jobs };
}

async function jobsOf({ jobs }: Store): Promise<StoredJobs> {
  const problems = (await jobs.setAside()).flatMap(({ problem }) => problem ?? []);
  return { ...(await jobs.counts()), problems };
}

/** The facts of the newest commit of each branch of a repository, as the file of `cra index --export`. */
type ExportedRepository = { readonly name: string; readonly bytes: Uint8Array; readonly entries: number };

const KEYS_AT_ONCE = 200;

/** Takes the facts of this build out of a store, repository by repository. */
export async function* exportStore(store: Store, signal: AbortSignal): AsyncGenerator<ExportedRepository> {
  for (const { name } of await store.snapshots.repositories()) {
    const snapshots = (await store.snapshots.list(name)).filter(({ extractor }) => extractor === EXTRACTOR);
    const newest = [...Map.groupBy(snapshots, ({ branch }) => branch).values()].flatMap(([first]) => first ?? []);
    const writer = exportWriter({ craVersion: VERSION.version, extractorVersion: EXTRACTOR });
    for (const snapshot of newest) {
      const files = (await treeOf(store, snapshot)).filter((file) => !writer.has(file));
      for (let at = 0; at < files.length; at += KEYS_AT_ONCE) {
        signal.throwIfAborted();
        const some = files.slice(at, at + KEYS_AT_ONCE);
        const sizes = new Map(some.map(({ hash, bytes }) => [hash, bytes]));
        for (const row of await store.facts.get(some)) {
          const found = readPackedFacts(row, 3 * (sizes.get(row.hash) ?? 0));
          if (found !== null) writer.add(row, found);
        }
      }
    }
    if (writer.files() > 0) yield { name, bytes: writer.bytes(), entries: writer.files() };
  }
}

/** A pushed commit, and why a server could not answer from it; null if it can. */
type CheckedSnapshot = { readonly snapshot: Snapshot; readonly why: string | null };

/** Makes the index of the newest commit of each branch that was pushed with texts, in a temporary folder, as a server does. */
export async function* checkStore(store: Store, signal: AbortSignal): AsyncGenerator<CheckedSnapshot> {
  for (const { name } of await store.snapshots.repositories()) {
    const snapshots = (await store.snapshots.list(name, { withTexts: true })).filter(
      ({ extractor }) => extractor === EXTRACTOR,
    );
    for (const [snapshot] of Map.groupBy(snapshots, ({ branch, build }) => `${branch} ${build}`).values()) {
      if (snapshot === undefined) continue;
      const folder = mkdtempSync(join(tmpdir(), "cra-check-"));
      try {
        await assembleIndex(store, snapshot, join(folder, "curated.sqlite"), name, signal);
        yield { snapshot, why: null };
      } catch (error) {
        if (!(error instanceof Failed) || error.failure.code !== "store-refused") throw error;
        yield { snapshot, why: error.failure.why };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
}
