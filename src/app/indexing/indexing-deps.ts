/** The real dependencies of indexing: the tree walker, git, the parser's threads, the databases. */

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Variables } from "../../config/variables.ts";
import { removeStaleParts } from "../../db/curated/index-part.ts";
import { openOrRebuildCurated, quarantineIndex } from "../../db/curated/write/rebuild.ts";
import { openParseCache, removeIfCache } from "../../db/parse-cache/open-parse-cache.ts";
import { PARSE_CACHE_BYTES_MAX } from "../../db/parse-cache/parse-cache.ts";
import { takeOverParseCache } from "../../db/parse-cache/take-over.ts";
import { statKey } from "../../db/sqlite/checksum.ts";
import { takeIndexLock } from "../../db/sqlite/lock.ts";
import type { Amount, IndexOptions } from "../../indexing/model/index-run.ts";
import type { IndexDeps } from "../../indexing/update/index-deps.ts";
import type { Adoption } from "../../indexing/update/verify-import.ts";
import { type IndexedTree, LINKED_ELSEWHERE_MIN } from "../../indexing/update/writer/link-client.ts";
import { startWriter } from "../../indexing/update/writer/writer-client.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "../../languages/grammar-packages.ts";
import { LANGUAGES, tableVersion } from "../../languages/languages.ts";
import { INTERPRETERS } from "../../languages/script-language.ts";
import { readFile } from "../../source/files/read-file.ts";
import { gitStateInFiles } from "../../source/git/git-state.ts";
import { headOf, isUnread } from "../../source/history/history.ts";
import { openHistory } from "../../source/history/open-history.ts";
import { holdsPackage } from "../../source/walk/saved-package.ts";
import { skipByAscii, skipByPath, skipByText, vendoredIsMain } from "../../source/walk/skip.ts";
import { walkTree } from "../../source/walk/tree.ts";
import type { WalkThread } from "../../source/walk/walk-thread.ts";
import { packMeasured } from "../../syntax/facts/facts-codec.ts";
import { parseHere } from "../../syntax/parse/parse-here.ts";
import { defaultWorkers, type ParsePool } from "../../syntax/parse/parse-pool.ts";
import { VERSION } from "../../version.ts";
import { lockHolder } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { writeHere } from "./write-here.ts";

/**
 * How one index run goes. `rebuild` first checks every stored row and moves damaged files aside; `thorough` checks the
 * index for damaged bytes, and parses files again that a parser failed on. Contents in `adoption` are not parsed.
 */
export type RunOptions = {
  readonly failFast: boolean;
  readonly rebuild: boolean;
  readonly thorough: boolean;
  readonly lockWaitMs: number;
  /** See `IndexOptions`. */
  readonly patient?: boolean;
  readonly adoption?: Adoption;
  /** See `IndexOptions`. */
  readonly scip?: Uint8Array;
  /** See `IndexOptions`. */
  readonly dueMax?: Amount;
  /** A walk of the work tree that has begun, or is done. */
  readonly walking?: Pick<WalkThread, "take">;
  /** Called under the lock, before the index is opened. */
  readonly prepare?: () => void;
};

/** The cheapest run: no rebuild, no checks, no waiting for a lock. */
export const LIGHT_RUN: RunOptions = { failFast: false, rebuild: false, thorough: false, lockWaitMs: 0 };

/** `cra index` waits this long for another cra that holds the lock. */
export const LOCK_WAIT_MS = 10_000;

/** Identifies what an index is built with. Short, because every cached content carries it twice. */
export const EXTRACTOR = createHash("sha256")
  .update(`${EXTRACTOR_VERSION} ${GRAMMAR_VERSION} ${tableVersion(LANGUAGES)} ${JSON.stringify(INTERPRETERS)}`)
  .digest("hex")
  .slice(0, 16);

const DAY_MS = 86_400_000;

/** How many threads parse. */
export const workersOf = ({ config: { settings }, environment }: Workspace): number =>
  settings["index.workers"] ?? Math.min(defaultWorkers(), environment.processors);

/** What the settings say about indexing. */
export function optionsOf(
  { config: { settings } }: Workspace,
  { failFast, rebuild, thorough, patient = false, dueMax, scip }: RunOptions,
): IndexOptions {
  return {
    bytesMax: settings["index.max_file_size"],
    commitsMax: settings["index.commits_max"],
    coChangeFilesMax: settings["index.commit_files_max"],
    ignore: settings["index.ignore"],
    cacheBytesMax: PARSE_CACHE_BYTES_MAX,
    failFast,
    rebuild,
    retries: thorough,
    patient,
    ...(dueMax === undefined ? {} : { dueMax }),
    ...(scip === undefined ? {} : { scip }),
  };
}

/** `damage` is the known damage of the index. */
export function indexDeps(
  workspace: Workspace,
  options: RunOptions,
  pool: ParsePool,
  workers: number,
  damage: string | null = null,
): IndexDeps {
  const { root, paths, config, environment } = workspace;
  const { variables } = environment;
  const git = gitState(root, variables);
  // Damage that is already known moves the index aside once.
  let known = damage;
  const files = { curatedPath: paths.curated, cachePaths: paths, extractorVersion: EXTRACTOR };
  const holder = lockHolder(environment);
  return {
    build: { craVersion: VERSION.version, craCommit: VERSION.commit, extractorVersion: EXTRACTOR },
    git,
    workTree: {
      root,
      async walk(walkOptions) {
        const walked = (await options.walking?.take(walkOptions)) ?? null;
        if (walked !== null) return walked;
        return walkTree(root, {
          ...walkOptions,
          dataDir: paths.folder,
          variables,
          readNested: config.settings["index.nested"] ? (inner) => git.trackedIn(inner, walkOptions.signal) : undefined,
        });
      },
      readFile: (path, bytesMax) => readFile(root, path, bytesMax),
      skipByPath,
      skipByText,
      skipByAscii,
      holdsPackage,
      vendoredIsMain,
    },
    parser: {
      width: 2 * workers,
      parse: async (input) => options.adoption?.factsOf(input) ?? (await pool.parse(input)),
      async pack(input) {
        const known = options.adoption?.factsOf(input) ?? null;
        return known === null ? await pool.pack(input) : packMeasured(known);
      },
      ...(options.adoption === undefined ? { warm: pool.warm } : {}),
      parseHere: async (input) => options.adoption?.factsOf(input) ?? (await parseHere(input.text, input.language)),
    },
    store: {
      takeLock: (signal, onWait) => takeIndexLock(paths.lock, holder, options.lockWaitMs, signal, onWait),
      prepare() {
        removeStaleParts(paths.curated, Date.now());
        takeOverParseCache(paths, EXTRACTOR);
        options.prepare?.();
      },
      openCurated: () => {
        const given = known;
        known = null;
        return openOrRebuildCurated(paths.curated, { thorough: options.thorough, damage: given });
      },
      moveAside: (path, why) => (removeIfCache(paths, path) ? null : quarantineIndex(paths.curated, why)),
      openCache: () => openParseCache(paths, EXTRACTOR, Math.floor(Date.now() / DAY_MS)),
      startWriter: startsWriter({ root, files }, pool, workers),
      writeHere: (request, report, signal) => writeHere({ root, files }, request, report, signal),
      indexBytes: () => statSync(paths.curated).size,
      indexStat: () => statKey(paths.curated),
    },
    now: () => Date.now(),
    nowMs: () => performance.now(),
  };
}

function startsWriter(tree: IndexedTree, pool: ParsePool, workers: number): IndexDeps["store"]["startWriter"] {
  const linkedElsewhereMin = workers > 1 ? LINKED_ELSEWHERE_MIN : undefined;
  return (report, signal, generation) => {
    const session = startWriter(tree, report, signal, { linkedElsewhereMin, ...generation });
    const finish: typeof session.finish = (...all) => {
      // Before the files of the generation are copied to the threads that write and link.
      if (generation.sparesMemory) pool.rest();
      return session.finish(...all);
    };
    return { ...session, finish };
  };
}

/** The state of git, read from its files if they are unambiguous, else from git itself. */
function gitState(root: string, variables: Variables) {
  const history = openHistory(variables);
  const askGit = (folder: string, signal: AbortSignal | undefined) =>
    history.readHistory(folder, { commitsMax: 0, signal });
  // One answer holds both HEAD and the tracked files, and a caller that needs the first often needs the second.
  let answer: ReturnType<typeof askGit> | null = null;
  return {
    isUnread,
    readHistory: (options: Parameters<typeof history.readHistory>[1]) =>
      history.readHistory(root, { ...options, head: gitStateInFiles(root)?.head }),
    async readHead(signal: AbortSignal | undefined) {
      const inFiles = gitStateInFiles(root);
      if (inFiles !== null) return inFiles.head;
      answer = askGit(root, signal);
      return headOf(await answer);
    },
    async readTracked(signal: AbortSignal | undefined) {
      const inFiles = gitStateInFiles(root)?.tracked() ?? null;
      if (inFiles !== null) return inFiles;
      const asked = answer ?? askGit(root, signal);
      answer = null;
      return (await asked).tracked;
    },
    trackedIn: async (folder: string, signal: AbortSignal | undefined) =>
      gitStateInFiles(folder)?.tracked() ?? (await askGit(folder, signal)).tracked,
  };
}
