/**
 * Pushes the index of the checked-out commit to a team's store: what the store lacks of its facts, its index and its tree.
 *
 * The row of the commit comes last, so nobody sees a part of a push. A push that was killed continues where it was, because what the
 * store has is not sent again. Any number of pushes may run at once.
 */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { partPath, removePart } from "../../db/curated/index-part.ts";
import type { StoredMeta } from "../../db/curated/meta.ts";
import { portableFiles, writePortable } from "../../db/curated/portable/portable-index.ts";
import { Failed } from "../../failure.ts";
import type { IndexDeps } from "../../indexing/update/index-deps.ts";
import { hasSameVersions } from "../../indexing/update/scan/compare.ts";
import type { Notice } from "../../notice.ts";
import { REDACTOR } from "../../secrets/redact.ts";
import { openHistory } from "../../source/history/open-history.ts";
import { openRevisions } from "../../source/revisions/open-revisions.ts";
import type { RevisionReader } from "../../source/revisions/revisions.ts";
import { isSubmodule } from "../../source/revisions/work-tree.ts";
import { workTreeChanges } from "../../source/revisions/work-tree-diff.ts";
import type { BlobName, Transfer } from "../../store/blobs.ts";
import { lineChunks } from "../../store/cut-chunks.ts";
import type { Store } from "../../store/open-store.ts";
import { type Snapshot, treeLines, treeOf } from "../../store/snapshots.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import { listed } from "../../text/listed.ts";
import { type StoreName, updateIndex } from "../indexing/index-repository.ts";
import { indexDeps, LIGHT_RUN, LOCK_WAIT_MS, optionsOf, workersOf } from "../indexing/indexing-deps.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { fileChunks, partsOf, type Sending, type SentContents, sendFacts, sendTexts } from "./send-parts.ts";
import { buildOf, openTeamStore, repositoryName, transportNotices } from "./team-store.ts";

export type PushRequest = {
  readonly store: StoreName;
  /** The name of the repository in the store; by default it is made from the remote. */
  readonly name?: string | undefined;
  /** The branch that the commit is pushed for; by default the one that is checked out. */
  readonly branch?: string | null;
  /** Stores the texts of all files too, for servers. */
  readonly withTexts: boolean;
  /** Only queues the commit, to be indexed and pushed by a worker with a clone. */
  readonly isQueued?: boolean;
  /** Sends also what the store has and replaces it, as it may be damaged. */
  readonly isAgain?: boolean;
  readonly onProgress: OnProgress;
};

/** A commit that was queued for workers. */
export type QueuedCommit = {
  readonly isQueued: true;
  readonly to: string;
  readonly repository: string;
  readonly commit: string;
  readonly notices: readonly Notice[];
};

async function queue(
  workspace: Workspace,
  { store: named, name, branch: given, withTexts }: PushRequest,
  signal: AbortSignal,
): Promise<QueuedCommit> {
  const { head: commit, branch: checkedOut, remoteUrl } = await headOf(workspace, signal);
  const branch = given === undefined ? checkedOut : given;
  if (commit === null) throw refused("there is no commit to queue", "commit first");
  const repository = repositoryName(name, remoteUrl);
  const store = await openTeamStore(workspace.environment, named, signal);
  try {
    await store.jobs.addCommit({ repository, commit, branch, withTexts });
    return { isQueued: true, to: store.shown, repository, commit, notices: transportNotices(store) };
  } finally {
    await store.close();
  }
}

function headOf(workspace: Workspace, signal: AbortSignal) {
  const history = openHistory(workspace.environment.variables);
  return history.readHistory(workspace.root, { commitsMax: 0, signal });
}

/** What a push did. `isNew` is false if the branch had the commit already, and then nothing was sent. `bytes` were sent, packed. */
export type Pushed = {
  readonly to: string;
  readonly repository: string;
  readonly commit: string;
  readonly isNew: boolean;
  readonly hasTexts: boolean;
  readonly files: number;
  readonly contents: SentContents;
  readonly bytes: number;
  /** Files with a secret, whose words are in the index. */
  readonly secrets: number;
  readonly notices: readonly Notice[];
};

/**
 * Indexes first, unless the commit is only queued. Throws usage failures for a work tree that differs from its commit, `store-unavailable`,
 * `store-refused`, and the signal's reason.
 */
export async function push(
  workspace: Workspace,
  request: PushRequest,
  signal: AbortSignal,
): Promise<Pushed | QueuedCommit> {
  if (request.isQueued === true) return await queue(workspace, request, signal);
  const { isAgain: overwrites = false } = request;
  const store = await openTeamStore(workspace.environment, { ...request.store, overwrites }, signal);
  const pool = openParsePool({ workersMax: workersOf(workspace) });
  try {
    const summary = await updateIndex(
      workspace,
      { ...LIGHT_RUN, lockWaitMs: LOCK_WAIT_MS },
      request.onProgress,
      signal,
    );
    const { meta } = summary;
    const deps = indexDeps(workspace, { ...LIGHT_RUN, lockWaitMs: LOCK_WAIT_MS }, pool, workersOf(workspace));
    const { head: commit, branch: checkedOut } = await deps.git.readHead(signal);
    const branch = request.branch === undefined ? checkedOut : request.branch;
    const versions = buildOf(workspace);
    if (commit === null || meta.historyProblem !== null)
      throw refused(
        `there is no history to push: ${meta.historyProblem ?? "no commits yet"}`,
        "push from a clone with a commit",
      );
    const repository = repositoryName(request.name, meta.remoteUrl);
    await refuseChanges(workspace, signal);
    const known = (await store.snapshots.list(repository, { commit, build: versions.build })).filter(
      ({ contentHash }) => contentHash === meta.contentHash,
    );
    const done = { to: store.shown, repository, commit };
    const { withTexts } = request;
    const secrets = secretsIn(workspace);
    const notices = [...transportNotices(store), ...summary.notices];
    const hasTexts = withTexts || known.some((snapshot) => snapshot.hasTexts);
    const whole = known.filter((snapshot) => snapshot.hasTexts === hasTexts);
    const there = whole.find((snapshot) => snapshot.branch === branch) ?? whole[0];
    if (there !== undefined && !overwrites) {
      const isNew = there.branch !== branch;
      if (isNew) await publishFor(store, there, branch);
      return { ...done, isNew, hasTexts, files: there.files, contents: NOTHING_SENT, bytes: 0, secrets, notices };
    }
    const of = { store, deps, options: optionsOf(workspace, LIGHT_RUN), onProgress: request.onProgress, signal };
    const pushed = await withPortable(workspace, deps, signal, async (path, portable) => {
      if (portable.head !== commit || portable.contentHash !== meta.contentHash || !hasSameVersions(portable, versions))
        throw refused("the index changed while it was pushed", "push again");
      return await sendIndex(of, path, portable, { repository, commit, branch, versions, hasTexts });
    });
    return { ...done, isNew: true, hasTexts, ...pushed, secrets, notices };
  } finally {
    pool.close();
    await store.close();
  }
}

const NOTHING_SENT: SentContents = { sent: 0, all: 0 };

/** Another branch has this commit too, such as one that it was merged into: it needs a row and nothing else. */
async function publishFor(store: Store, snapshot: Snapshot, branch: string | null): Promise<void> {
  const files = await treeOf(store, snapshot);
  const contents = files.map(({ hash: contentHash, bytes: sizeBytes }) => ({ contentHash, sizeBytes }));
  await store.snapshots.publish({ ...snapshot, branch }, await partsOf(store, snapshot, contents));
}

/** Which commit an index is pushed for, and as what. */
type PushedAs = Pick<Snapshot, "repository" | "commit" | "branch" | "hasTexts"> & {
  readonly versions: ReturnType<typeof buildOf>;
};

/** Sends what the store lacks of a portable index, and the commit's row last. */
async function sendIndex(
  of: Omit<Sending, "sent">,
  path: string,
  { contentHash, shallow }: Pick<StoredMeta, "contentHash" | "shallow">,
  { versions, ...commit }: PushedAs,
): Promise<Pick<Pushed, "files" | "contents" | "bytes">> {
  const { store } = of;
  const sent: Transfer = { chunks: 0, bytes: 0 };
  const sending: Sending = { ...of, sent };
  const files = portableFiles(path);
  const contents = await sendFacts(sending, files);
  if (commit.hasTexts) await sendTexts(sending, files);
  const last = await lastIndex(store, commit.repository, commit.branch);
  const index = await store.blobs.putDatabase(fileChunks(path), last, sent);
  const tree = await store.blobs.put(
    lineChunks(treeLines(files.map((file) => ({ ...file, hash: file.contentHash, bytes: file.sizeBytes })))),
    sent,
  );
  const snapshot = {
    ...commit,
    build: versions.build,
    craVersion: versions.craVersion,
    extractor: versions.extractorVersion,
    configHash: versions.configHash,
    contentHash,
    isShallow: shallow !== null,
    files: files.length,
    index,
    tree,
  };
  await store.snapshots.publish(snapshot, await partsOf(store, snapshot, files));
  return { files: files.length, contents, bytes: sent.bytes };
}

/** The index that was pushed last, of the same branch if there is one: a new one is probably like it. */
async function lastIndex({ snapshots }: Store, repository: string, branch: string | null): Promise<BlobName | null> {
  const [own] = branch === null ? [] : await snapshots.list(repository, { branch, limit: 1 });
  const [last] = own === undefined ? await snapshots.list(repository, { limit: 1 }) : [own];
  return last?.index ?? null;
}

function secretsIn({ index }: Workspace): number {
  const kb = index.open();
  const ids = kb.files().map(({ id }) => id);
  return REDACTOR.rules === null ? 0 : ids.length - kb.secretFree(ids, REDACTOR.rules).length;
}

const refused = (message: string, next: string): Failed => new Failed({ code: "usage", message, next });

/** Files named in a message. */
const NAMED_MAX = 3;

/** An index is pushed under the name of a commit, so the work tree has to be that commit. */
async function refuseChanges({ root, environment, index }: Workspace, signal: AbortSignal): Promise<void> {
  const present = index
    .open()
    .files()
    .map(({ path }) => path);
  const { variables } = environment;
  const reader = openRevisions(variables);
  const changes = await workTreeChanges(reader, root, { diff: null, since: null, variables }, present, signal);
  signal.throwIfAborted();
  if (changes.kind !== "changes")
    throw refused(
      `git cannot compare the work tree with its commit${"why" in changes ? `: ${changes.why}` : ""}`,
      "push from a plain clone",
    );
  const paths = changes.files.map(({ path }) => path);
  if (paths.length === 0) return await refuseSparse(reader, root, changes.base, signal);
  throw refused(
    `the work tree differs from its commit in ${listed(paths, NAMED_MAX)}`,
    "commit, ignore or stash these, or push from a fresh clone",
  );
}

/** Git says of a file that a sparse checkout omits that it is unchanged. */
async function refuseSparse(reader: RevisionReader, root: string, commit: string, signal: AbortSignal): Promise<void> {
  const files = await reader.files(root, commit, signal);
  if (files.kind !== "found") return;
  const missing = [...files.value].flatMap(([path, entry]) =>
    isSubmodule(entry) || lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined ? [] : [path],
  );
  if (missing.length > 0)
    throw refused(`the checkout is sparse and lacks ${listed(missing, NAMED_MAX)}`, "push from a whole clone");
}

/** Makes a portable copy of the index under its lock, and removes it afterwards. */
async function withPortable<Result>(
  { paths, index }: Workspace,
  { store }: Pick<IndexDeps, "store">,
  signal: AbortSignal,
  work: (path: string, meta: StoredMeta) => Promise<Result>,
): Promise<Result> {
  const path = partPath(paths.curated);
  // An open index keeps its state.
  index.close();
  try {
    const lock = await store.takeLock(signal);
    let meta: StoredMeta;
    try {
      meta = writePortable(paths.curated, path);
    } finally {
      lock.release();
    }
    return await work(path, meta);
  } finally {
    removePart(path);
  }
}
