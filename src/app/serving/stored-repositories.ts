/**
 * Serves what was pushed to a store: the newest commit of a branch of each repository, without a checkout.
 *
 * An index is fetched when its repository is first asked, into the server's own data folder, and stays there until a newer one is pushed.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { CONFIG_NAME, loadConfig } from "../../config/read-files.ts";
import { openKnowledgeBase } from "../../db/curated/open-knowledge-base.ts";
import { dataPaths, userStateFolder } from "../../db/data-folder/paths.ts";
import { openFactCache } from "../../db/parse-cache/open-parse-cache.ts";
import type { PackedEntry } from "../../db/parse-cache/parse-cache.ts";
import { CHECKSUM_SUFFIX, checksumState } from "../../db/sqlite/checksum.ts";
import { Failed } from "../../failure.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { Grant } from "../../store/grants.ts";
import type { Store } from "../../store/open-store.ts";
import type { Snapshot } from "../../store/snapshots.ts";
import { VERSION } from "../../version.ts";
import { indexedFiles } from "../indexing/browse-index.ts";
import type { StoreName } from "../indexing/index-repository.ts";
import { EXTRACTOR } from "../indexing/indexing-deps.ts";
import { assembleIndex } from "../team/assemble-index.ts";
import { openTeamStore, transportNotices } from "../team/team-store.ts";
import type { Environment } from "../workspace/environment.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { type ExpiringValue, expiringValue } from "./expiring-value.ts";
import type { Repositories } from "./repositories.ts";
import { servedConfig } from "./served-config.ts";

export type StoredRequest = {
  readonly environment: Environment;
  readonly store: StoreName;
  /** The server's data folder as typed; null for the user's state folder. */
  readonly dataDir: string | null;
  /** The branches to serve, the first that was pushed; without any of them what was pushed last. */
  readonly branches: readonly string[];
  /** The store is not asked for a newer commit again for this long. */
  readonly freshMs: number;
  report(repository: string, message: string): void;
};

/** `grantOf` finds the grant of a token. */
type StoredServing = {
  readonly repositories: Repositories;
  grantOf(token: string): Promise<Grant | null>;
};

/** Throws a usage failure where there is no place for the data, and what opening the store does. */
export async function openStoredRepositories(request: StoredRequest): Promise<StoredServing> {
  const { environment, freshMs, report } = request;
  const folder = dataFolderOf(request);
  const stop = new AbortController();
  const session = storeSession(() => openTeamStore(environment, request.store, stop.signal));
  for (const notice of await session.use(async (store) => transportNotices(store))) report("", noticeSentence(notice));
  const listed = async (): Promise<readonly string[]> =>
    (await session.use(({ snapshots }) => snapshots.repositories())).map(({ name }) => name).sort();
  const names = expiringValue(
    lastGood(listed, (message) => report("", message)),
    freshMs,
  );
  const opened = new Map<string, { readonly place: Place; readonly workspace: ExpiringValue<Workspace> }>();
  const renewing = (name: string) => {
    const place: Place = { own: join(folder, folderName(request, name)), kept: [], isSuspect: false };
    const newest = () => newestOf(name, place, session, request, stop.signal);
    return {
      place,
      workspace: expiringValue(
        lastGood(newest, (message) => report(name, message)),
        freshMs,
      ),
    };
  };
  const repositories: Repositories = {
    names: () => names.get(stop.signal),
    async open(name, signal) {
      if (!(await names.get(signal)).includes(name)) return null;
      return await opened.getOrInsertComputed(name, renewing).workspace.get(signal);
    },
    distrust(name) {
      const known = opened.get(name);
      if (known === undefined) return;
      known.place.isSuspect = true;
      known.workspace.expire();
    },
    async missing() {
      try {
        await listed();
        return null;
      } catch (error) {
        if (error instanceof Failed) return "the store does not answer";
        throw error;
      }
    },
    // Which of a store's repositories will be asked is not known.
    prepare: async () => void (await repositories.missing()),
    async close() {
      stop.abort(new Failed({ code: "cancelled", signal: "SIGTERM" }));
      const values = [...opened.values()].map(({ workspace }) => workspace);
      await Promise.all([...values, names].map(({ ended }) => ended()));
      await session.close();
    },
  };
  return { repositories, grantOf: (token) => session.use(({ grants }) => grants.find(token)) };
}

function dataFolderOf({ environment, dataDir }: Pick<StoredRequest, "environment" | "dataDir">): string {
  if (dataDir !== null) return resolve(environment.cwd, dataDir);
  const state = userStateFolder(environment.variables);
  if (state !== null) return join(state, "serve");
  throw new Failed({
    code: "usage",
    message: "nowhere to store the indexes: HOME is not set",
    next: "choose a folder with --data-dir",
  });
}

/** Gives what was made last if nothing newer can be made: a store that is away, or holds something forged, takes nothing from clients. */
function lastGood<T>(make: () => Promise<T>, report: (message: string) => void): () => Promise<T> {
  let last: { readonly value: T } | null = null;
  return async () => {
    try {
      last = { value: await make() };
    } catch (error) {
      if (last === null || !(error instanceof Failed)) throw error;
      report(error.message);
    }
    return last.value;
  };
}

/** Servers of one machine can share a data folder, also those of other stores and branches. */
const folderName = ({ store, branches }: StoredRequest, name: string): string =>
  createHash("sha256")
    .update(JSON.stringify([store.address, branches, name]))
    .digest("hex")
    .slice(0, 32);

/** A store that is opened when it is needed, and again after it was lost or could not be opened. */
type StoreSession = { use<T>(work: (store: Store) => Promise<T>): Promise<T>; close(): Promise<void> };

function storeSession(open: () => Promise<Store>): StoreSession {
  let current: Promise<Store> | null = null;
  const opened = async (): Promise<Store> => {
    try {
      return await open();
    } catch (error) {
      current = null;
      throw error;
    }
  };
  const drop = async (lost: Promise<Store>): Promise<void> => {
    if (current === lost) current = null;
    await lost.then((store) => store.close()).catch(() => undefined);
  };
  return {
    async use(work) {
      current ??= opened();
      const mine = current;
      try {
        return await work(await mine);
      } catch (error) {
        if (error instanceof Failed && error.failure.code === "store-unavailable") await drop(mine);
        throw error;
      }
    },
    close: async () => (current === null ? undefined : await drop(current)),
  };
}

/** What was pushed without texts, or by another version, cannot be asked. */
const PUSH_TEXTS = "push it with this version of cra: cra push --with-text";

/** The folder of a repository, and those in it that may be in use, the newest first. `isSuspect`: the newest gave wrong bytes to an answer. */
type Place = { readonly own: string; kept: readonly string[]; isSuspect: boolean };

/** The repository with the index of its newest commit, fetched if it is not here. Throws `not-indexed` where none can be served. */
async function newestOf(
  name: string,
  place: Place,
  session: StoreSession,
  { environment, store: named, branches }: StoredRequest,
  closing: AbortSignal,
): Promise<Workspace> {
  const snapshot = await session.use((store) => servable(store, name, branches));
  if (snapshot === null) throw new Failed({ code: "not-indexed", repo: name, next: PUSH_TEXTS });
  const { own } = place;
  const version = `${snapshot.commit.slice(0, 16)}-${snapshot.contentHash.slice(0, 16)}`;
  const folder = join(own, version);
  const path = dataPaths(folder).curated;
  let settings = isThere(path) && isWhole(path, place) ? settingsIn(path, name) : null;
  if (settings === null) {
    removeIndex(path);
    // A connection of its own, so that nobody waits for the transfer.
    const store = await openTeamStore(environment, named, closing);
    try {
      await fetchIndex(store, snapshot, folder, closing);
    } finally {
      await store.close();
    }
    settings = settingsIn(path, name) ?? { repositoryText: null };
  }
  place.isSuspect = false;
  const config = loadConfig({ flags: [], variables: environment.variables, root: null, ...settings });
  const workspace = await openWorkspace(folder, servedConfig(config, folder), environment);
  // Answers that wait for their turn still open the one before.
  place.kept = [version, ...place.kept.filter((other) => other !== version)].slice(0, 2);
  removeOthers(place);
  return workspace;
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Whether the file has the bytes that were fetched. They are read only if it was written to since, or is suspect. */
function isWhole(path: string, { isSuspect }: Place): boolean {
  if (isSuspect) return checksumState(path) === "whole";
  const [written, sealed] = [path, path + CHECKSUM_SUFFIX].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  return (written?.mtimeMs ?? 0) <= (sealed?.mtimeMs ?? 0) || checksumState(path) !== "broken";
}

/** The repository's own settings, as they were indexed; null where the index cannot be read. */
function settingsIn(path: string, name: string): { readonly repositoryText: string | null } | null {
  try {
    const kb = openKnowledgeBase(path, name);
    try {
      return { repositoryText: indexedFiles(kb, [CONFIG_NAME])[0]?.text ?? null };
    } finally {
      kb.close();
    }
  } catch (error) {
    // An empty file counts as no index.
    if (error instanceof Failed && ["index-damaged", "not-indexed"].includes(error.failure.code)) return null;
    throw error;
  }
}

function removeIndex(path: string): void {
  for (const one of [path, `${path}-wal`, `${path}-shm`, path + CHECKSUM_SUFFIX])
    rmSync(one, { recursive: true, force: true });
}

async function fetchIndex(store: Store, snapshot: Snapshot, folder: string, closing: AbortSignal): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = dataPaths(folder).curated;
  const cache = openFactCache(dataPaths(folder), EXTRACTOR, 0);
  try {
    await assembleIndex(store, snapshot, path, folder, closing, (entries) => cache.put(entries.map(forLinks)));
  } catch (error) {
    // Another server on this machine may have been faster.
    if (error instanceof Failed || !isThere(path)) throw error;
  } finally {
    cache.close();
  }
}

const NOTHING = new Uint8Array();

/** What following imports to other repositories needs (`indexing/cross-links.ts`); the rest is in the index. */
const forLinks = (entry: PackedEntry): PackedEntry => ({ ...entry, prose: NOTHING });

/** The newest snapshot with texts that this build can read, of the first branch that has one. */
async function servable({ snapshots }: Store, name: string, branches: readonly string[]): Promise<Snapshot | null> {
  for (const branch of [...branches, null]) {
    const filter = { withTexts: true, limit: SNAPSHOTS_LOOKED_AT, ...(branch === null ? {} : { branch }) } as const;
    const found = (await snapshots.list(name, filter)).find(
      ({ craVersion, extractor }) => craVersion === VERSION.version && extractor === EXTRACTOR,
    );
    if (found !== undefined) return found;
  }
  return null;
}

const SNAPSHOTS_LOOKED_AT = 50;

/** Removes the indexes of earlier commits. */
function removeOthers({ own, kept }: Place): void {
  for (const name of readdirSync(own)) {
    if (kept.includes(name)) continue;
    try {
      rmSync(join(own, name), { recursive: true, force: true });
    } catch {
      // Windows keeps what is open; the next index removes it.
    }
  }
}
