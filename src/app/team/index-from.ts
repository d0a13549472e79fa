/**
 * Indexes a repository with what a team's store knows: the facts of its contents, and the index of the nearest pushed ancestor.
 *
 * What the store lacks or has wrong is made here, so a store can only save time. The index of another commit of the same repository is as
 * good a beginning as an older index of this machine.
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import { walkWorkTree } from "../../indexing/update/scan/change-fingerprint.ts";
import type { Notice } from "../../notice.ts";
import type { Head } from "../../source/git/git-state.ts";
import { openHistory } from "../../source/history/open-history.ts";
import type { Tree } from "../../source/walk/tree.ts";
import type { TreeFile } from "../../source/walk/tree-digest.ts";
import type { Transfer } from "../../store/blobs.ts";
import { factsKey } from "../../store/facts.ts";
import type { Store } from "../../store/open-store.ts";
import type { Snapshot } from "../../store/snapshots.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import {
  askedOptions,
  type FromStoreRequest,
  type IndexRequest,
  type IndexSummary,
  type TakenFromStore,
  updateIndex,
} from "../indexing/index-repository.ts";
import { indexDeps, LIGHT_RUN, optionsOf, workersOf } from "../indexing/indexing-deps.ts";
import { parseFew } from "../indexing/parse-few.ts";
import { seedIndexIfFree } from "../indexing/seed-index.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { committedContents, inBatches, readTree } from "./local-contents.ts";
import { UNTIL_CLOSED, workerName } from "./run-jobs.ts";
import { type SharedContent, shareParsing } from "./share-parsing.ts";
import { type LocalContent, sampleShare, type TakenFacts, takeFacts } from "./take-facts.ts";
import { type KnownContent, type TakenIndex, takeIndex } from "./take-index.ts";
import { buildOf, openTeamStore, repositoryName, transportNotices } from "./team-store.ts";

/** Indexes, with the store as far as it can be used. Throws what indexing throws, and usage failures about the store. */
export async function indexFromStore(
  workspace: Workspace,
  request: IndexRequest,
  from: FromStoreRequest,
  signal: AbortSignal,
): Promise<IndexSummary & { readonly fromStore: TakenFromStore }> {
  const { onProgress } = request;
  const options = askedOptions(workspace, request);
  workspace.index.close();
  workspace.createDataFolder();
  if (!options.rebuild) seedIndexIfFree(workspace);
  const taking = newTaking();
  try {
    await takeFromStore(workspace, from, taking, onProgress, signal);
  } catch (error) {
    taking.index?.drop();
    taking.index = null;
    signal.throwIfAborted();
    if (!(error instanceof Failed) || !CAN_GO_ON.has(error.failure.code)) throw error;
    taking.notices.push({ code: "store-left-out", why: error.message });
  }
  const { index } = taking;
  let isPlaced = false;
  const prepare = (): void => {
    isPlaced = index?.place() ?? false;
  };
  try {
    const walking = { take: async () => takeOnce(taking) };
    const summary = await updateIndex(workspace, { ...options, prepare, walking }, onProgress, signal);
    const { notices, repository, facts, received } = taking;
    const fromStore = {
      from: taking.from,
      repository,
      commit: isPlaced ? taking.commit : null,
      unknown: isPlaced ? taking.unknown : 0,
      contents: facts.taken.length,
      compared: facts.compared,
      refused: facts.refused,
      bytes: facts.bytes + received.bytes,
    };
    return { ...summary, notices: [...notices, ...summary.notices], fromStore };
  } finally {
    index?.drop();
  }
}

const CAN_GO_ON: ReadonlySet<string> = new Set(["store-refused", "store-unavailable"]);

/** What was taken so far. */
type Taking = {
  from: string;
  repository: string | null;
  commit: string | null;
  unknown: number;
  index: TakenIndex | null;
  /** The work tree as it was walked, for the run that follows. */
  tree: Tree | null;
  readonly notices: Notice[];
  readonly facts: TakenFacts;
  readonly received: Transfer;
};

const newTaking = (): Taking => ({
  from: "",
  repository: null,
  commit: null,
  unknown: 0,
  index: null,
  tree: null,
  notices: [],
  facts: { taken: [], compared: 0, refused: 0, bytes: 0 },
  received: { chunks: 0, bytes: 0 },
});

/** A second walk, after an index that proved damaged, is a new one. */
function takeOnce(taking: Taking): Tree | null {
  const { tree } = taking;
  taking.tree = null;
  return tree;
}

async function takeFromStore(
  workspace: Workspace,
  { store: named, name, share }: FromStoreRequest,
  taking: Taking,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const { paths, root, environment } = workspace;
  const store = await openTeamStore(environment, named, share === true ? UNTIL_CLOSED : signal);
  // Alone, only a sample is parsed.
  const pool = openParsePool({ workersMax: share === true ? workersOf(workspace) : 1 });
  const deps = indexDeps(workspace, LIGHT_RUN, pool, 1);
  const cache = deps.store.openCache();
  try {
    taking.from = store.shown;
    taking.notices.push(...transportNotices(store));
    const head = await deps.git.readHead(signal);
    const isIndexed = lstatSync(paths.curated, { throwIfNoEntry: false }) !== undefined;
    taking.repository = name === undefined && head.remoteUrl === null ? null : repositoryName(name, head.remoteUrl);
    const { repository } = taking;
    const base =
      isIndexed || repository === null ? null : await nearestSnapshot(workspace, store, repository, head, signal);
    const options = optionsOf(workspace, LIGHT_RUN);
    const { bytesMax } = options;
    const walked = await walkWorkTree(deps, options, () => [], onProgress, signal);
    const files = [...walked.tree.files];
    // While others parse, files may change; and the run that follows knows what this walk could not tell.
    if (share !== true && walked.tree.problems.length === 0)
      taking.tree = { ...walked.tree, walkedAt: walked.walkedAt };
    const reading = readTree(deps, walked, options);
    const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (base !== null) {
      const indexBytesMax = INDEX_BYTES_FREE + INDEX_BYTES_PER_BYTE * bytes;
      taking.index = await takeIndex(store, base, paths.curated, indexBytesMax, taking.received);
      taking.commit = base.commit;
    }
    const opened = { store, pool, deps, cache, environment, bytesMax, isShared: share === true, onProgress };
    const take = await takeContents(opened, { files, bytes, reading }, taking, signal);
    reading.remember(cache);
    const { index } = taking;
    if (index === null || base === null) return;
    const others = index.files.filter(({ contentHash }) => !reading.hashes.has(contentHash));
    if (others.length > 0) await inBatches(committedContents(root, environment, base.commit, others, signal), take);
    const isHistoryKnown = await saysHistory(workspace, index, base, head, signal);
    const indexedAt = new Date().toISOString();
    taking.unknown = index.finish({ root, remoteUrl: head.remoteUrl, indexedAt, isHistoryKnown });
  } finally {
    cache.close();
    pool.close();
    await store.close();
  }
}

/** What taking works with; closed when it ends. */
type Opened = Pick<Workspace, "environment"> & {
  readonly store: Store;
  readonly pool: ReturnType<typeof openParsePool>;
  readonly deps: ReturnType<typeof indexDeps>;
  readonly cache: Parameters<typeof takeFacts>[0]["cache"];
  /** The largest file that is read. */
  readonly bytesMax: number;
  /** Whether other machines parse what the store lacks. */
  readonly isShared: boolean;
  readonly onProgress: OnProgress;
};

/** The files of the work tree, their bytes together, and what reads them. */
type TreeToTake = {
  readonly files: readonly TreeFile[];
  readonly bytes: number;
  readonly reading: ReturnType<typeof readTree>;
};

/** Takes the facts of all contents of the work tree. Returns what takes those of other contents. */
async function takeContents(
  { store, pool, deps, cache, environment, bytesMax, isShared, onProgress }: Opened,
  { files, bytes, reading }: TreeToTake,
  { index, facts }: Pick<Taking, "index" | "facts">,
  signal: AbortSignal,
): Promise<(contents: readonly LocalContent[]) => Promise<void>> {
  const known = new Set<string>();
  const onKnown = (content: KnownContent): void => {
    known.add(factsKey(content));
    index?.fill(content);
  };
  const share = sampleShare(files.length, bytes);
  const of = { facts: store.facts, cache, parser: parseFew(pool), shown: store.shown, share, signal, onKnown };
  const take = (contents: readonly LocalContent[]): Promise<void> => takeFacts(of, contents, facts);
  const missing: SharedContent[] = [];
  await inBatches(reading.contents(files), async (contents, done) => {
    await take(contents);
    for (const { path, hash, language, bytes: size } of contents)
      if (isShared && !known.has(factsKey({ hash, language }))) missing.push({ path, hash, language, bytes: size });
    onProgress({ phase: "store", done, total: files.length });
  });
  if (missing.length > 0) {
    const [{ workTree }, worker] = [deps, workerName(environment)];
    await shareParsing({ store, workTree, bytesMax, pool, worker, onProgress }, missing, signal);
    const paths = new Set(missing.map(({ path }) => path));
    const again = files.filter(({ path }) => paths.has(path));
    await inBatches(reading.contents(again), take);
  }
  return take;
}

/** An index is some times larger than its sources; more than this is an attack on the disk. */
const INDEX_BYTES_FREE = 256 * 1024 * 1024;
const INDEX_BYTES_PER_BYTE = 40;

/** How many commits of the history, and how many of those pushed last, are searched for a pushed ancestor. */
const COMMITS_SEARCHED = 1_000;

/** The snapshot of HEAD, or of its nearest ancestor, or the newest of the branch, or the newest of all. */
async function nearestSnapshot(
  workspace: Workspace,
  { snapshots }: Store,
  repository: string,
  { head, branch }: Head,
  signal: AbortSignal,
): Promise<Snapshot | null> {
  const { root, environment } = workspace;
  const pushed = await snapshots.list(repository, { build: buildOf(workspace).build, limit: COMMITS_SEARCHED });
  const byCommit = new Map(pushed.map((snapshot) => [snapshot.commit, snapshot]));
  const exact = head === null ? undefined : byCommit.get(head);
  if (exact !== undefined || pushed.length === 0) return exact ?? null;
  const history = openHistory(environment.variables);
  const { commits } = await history.readHistory(root, { commitsMax: COMMITS_SEARCHED, withoutFiles: true, signal });
  const ancestor = commits.find(({ hash }) => byCommit.has(hash));
  if (ancestor !== undefined) return byCommit.get(ancestor.hash) ?? null;
  return pushed.find((snapshot) => branch !== null && snapshot.branch === branch) ?? pushed[0] ?? null;
}

/** Whether the history of an index of HEAD says what the commits of this clone say. */
async function saysHistory(
  workspace: Workspace,
  index: TakenIndex,
  base: Snapshot,
  { head, shallow }: Head,
  signal: AbortSignal,
): Promise<boolean> {
  if (base.commit !== head || index.shallow !== shallow) return false;
  const { root, environment } = workspace;
  const history = openHistory(environment.variables);
  const { commitsMax } = optionsOf(workspace, LIGHT_RUN);
  const { commits, problem } = await history.readHistory(root, { commitsMax, withoutFiles: true, signal });
  return problem === null && index.hasCommits(commits);
}
