/**
 * An opened repository: its settings, data folder, index and log. Use cases are handed one of these.
 *
 * The index and the log open when they are first used, and every read and write goes through the redactor.
 */
import { lstatSync } from "node:fs";
import type { Config } from "../../config/settings.ts";
import type { KnowledgeBase, OneRepository } from "../../db/curated/knowledge-base.ts";
import type { LeftOut } from "../../db/curated/meta.ts";
import { openKnowledgeBase } from "../../db/curated/open-knowledge-base.ts";
import { redactedIndex } from "../../db/curated/redacted.ts";
import { type CacheFolder, createCacheFolder, locateCacheFolder } from "../../db/data-folder/cache-folder.ts";
import { createDataDir, type DataDir, locateDataDir } from "../../db/data-folder/data-dir.ts";
import { type DataPaths, dataPaths } from "../../db/data-folder/paths.ts";
import { whyUnwritable } from "../../db/data-folder/unwritable.ts";
import { openRawLog } from "../../db/raw-log/open-raw-log.ts";
import type { RawLog } from "../../db/raw-log/raw-log.ts";
import { redactedLog } from "../../db/raw-log/redacted.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { NO_REDACTION, type Redactor } from "../../secrets/redactor.ts";
import { sharedGitFolder } from "../../source/git/folders.ts";
import type { Environment } from "./environment.ts";

export type Workspace = {
  /** The repository's root, absolute, links resolved. */
  readonly root: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly dataDir: DataDir;
  /** Whether the parse cache is shared with other work trees. */
  readonly cacheFolder: CacheFolder;
  readonly paths: DataPaths;
  readonly redactor: Redactor;
  /** Notices that are not part of a result; grows. */
  readonly notices: readonly Notice[];
  onNotice(notice: Notice): void;
  readonly index: IndexHandle;
  readonly log: LogHandle;
  createDataFolder(): void;
  /** Opens repositories of a store that a question is asked of; left out where no store may be asked. */
  readonly openStored?: OpenStored;
};

/** `repos` are entries of a list of repositories (`stored-entries.ts`). The caller closes the members. `leftOut` could not be opened. */
export type OpenStored = (
  repos: readonly string[],
  environment: Environment,
  signal: AbortSignal,
) => Promise<{
  readonly members: readonly StoredMember[];
  readonly leftOut: readonly LeftOut[];
  readonly notices: readonly Notice[];
}>;

export type StoredMember = OneRepository & { readonly workspace: Workspace };

type IndexHandle = {
  /** Opens the index, or returns the open one. Throws `not-indexed`. */
  open(): KnowledgeBase;
  /** The open index; null while there is none, as during an index run. */
  opened(): KnowledgeBase | null;
  /** Whether the repository is indexed, whatever is open. */
  exists(): boolean;
  /** Makes an index that was made for one answer the open one, until it is closed. */
  answerFrom(provisional: KnowledgeBase): void;
  /** Whether such an index is open. */
  isProvisional(): boolean;
  close(): void;
};

type LogHandle = {
  /** The log; null if there is none, because reading must not create one. */
  read(): RawLog | null;
  /** The log, created if necessary. */
  write(): RawLog;
  close(): void;
};

/** Opens nothing but the settings' redactor; databases open on first use. */
export async function openWorkspace(root: string, config: Config, environment: Environment): Promise<Workspace> {
  const { settings } = config;
  const redactor = settings.allow_secrets ? NO_REDACTION : (await import("../../secrets/redact.ts")).REDACTOR;
  const dataDir = locateDataDir(root, {
    explicit: settings.data_dir,
    uid: environment.uid,
    env: environment.variables,
  });
  const cacheFolder = cacheFolderOf(root, settings.data_dir, environment);
  const paths = dataPaths(dataDir.path, cacheFolder.kind === "shared" ? cacheFolder.path : dataDir.path);
  const notices: Notice[] = dataDir.notice === null ? [] : [dataDir.notice];
  const onNotice = (notice: Notice) => void notices.push(notice);
  return {
    root,
    config,
    environment,
    dataDir,
    cacheFolder,
    paths,
    redactor,
    notices,
    onNotice,
    index: indexOf({ root, paths, redactor }),
    log: logHandle(paths.raw, (access) => redactedLog(openRawLog(paths.raw, onNotice, access), redactor)),
    createDataFolder() {
      createDataDir(dataDir);
      if (cacheFolder.kind === "shared") createCacheFolder(cacheFolder.path);
    },
  };
}

/** Creates the data folder; where it may not be written, it does nothing and returns why. */
export function createIfWritable({
  paths,
  createDataFolder,
}: Pick<Workspace, "paths" | "createDataFolder">): string | null {
  const why = whyUnwritable(paths);
  if (why === null) createDataFolder();
  return why;
}

/** The same repository with a connection to its index of its own, for one of several answers at once. The caller closes it. */
export const withOwnIndex = (workspace: Workspace): Workspace => ({ ...workspace, index: indexOf(workspace) });

const indexOf = ({ root, paths, redactor }: Pick<Workspace, "root" | "paths" | "redactor">): IndexHandle =>
  indexHandle(
    () => openKnowledgeBase(paths.curated, root),
    (kb) => redactedIndex(kb, redactor),
  );

/** A folder that the user names holds everything. */
const cacheFolderOf = (root: string, named: string | null, { uid }: Environment): CacheFolder =>
  named === null ? locateCacheFolder(sharedGitFolder(root), uid) : { kind: "own" };

function indexHandle(openIndex: () => KnowledgeBase, redacted: (kb: KnowledgeBase) => KnowledgeBase): IndexHandle {
  let current: KnowledgeBase | null = null;
  let isProvisional = false;
  const open = () => (current ??= redacted(openIndex()));
  const close = (): void => {
    current?.close();
    current = null;
    isProvisional = false;
  };
  return {
    open,
    opened: () => current,
    exists() {
      try {
        if (isProvisional) openIndex().close();
        return open() !== null;
      } catch (error) {
        if (error instanceof Failed && error.failure.code === "not-indexed") return false;
        throw error;
      }
    },
    answerFrom(provisional) {
      close();
      current = redacted(provisional);
      isProvisional = true;
    },
    isProvisional: () => isProvisional,
    close,
  };
}

function logHandle(path: string, openLog: (access: "read" | "append") => RawLog): LogHandle {
  let appended: RawLog | null = null;
  let onlyRead: RawLog | null = null;
  const write = () => (appended ??= openLog("append"));
  const isThere = () => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const read = (): RawLog => {
    try {
      return write();
    } catch (error) {
      // A folder that cannot be written can still be read.
      if (!(error instanceof Failed) || error.failure.code !== "io") throw error;
      onlyRead ??= openLog("read");
      return onlyRead;
    }
  };
  return {
    read: () => (isThere() ? read() : (appended ?? onlyRead)),
    write,
    close() {
      appended?.close();
      onlyRead?.close();
    },
  };
}
