/** The status of a repository: what is indexed and stored, and the versions that results depend on. */

import { existsSync } from "node:fs";
import { dependencies } from "../../../package.json";
import type { IndexMeta } from "../../db/curated/meta.ts";
import { CURATED_SCHEMA } from "../../db/curated/schema.ts";
import { MEMORY_SCHEMA } from "../../db/memory/schema.ts";
import { cacheUsers } from "../../db/parse-cache/open-parse-cache.ts";
import { RAW_SCHEMA } from "../../db/raw-log/schema.ts";
import { heldBy } from "../../db/sqlite/lock.ts";
import { openDatabase } from "../../db/sqlite/open.ts";
import type { Coverage } from "../../enrichment/logged-answers.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "../../languages/grammar-packages.ts";
import { SCHEMA_VERSION } from "../../retrieval/model/package-ids.ts";
import { isStoredEntry, shownEntry } from "../../store/stored-entries.ts";
import { VERSION } from "../../version.ts";
import { type Stored, storedIn } from "../upkeep/storage.ts";
import { membersOf, openMember } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type Status = IndexStatus & {
  /** The repositories of this machine that are asked instead of this one, each with an index of its own; mostly none. */
  readonly members: readonly (IndexStatus & { readonly name: string })[];
  /** The repositories of a store that are asked instead of this one, by name or glob. */
  readonly inStore: readonly string[];
  /** How many files a model has described; null without an index. */
  readonly enrichment: Coverage | null;
  readonly stored: readonly Stored[];
  /** The folder of the parse cache, and the other work trees that use it; null if it is not shared. */
  readonly shared: { readonly folder: string; readonly workTrees: readonly string[] } | null;
  readonly runs: number;
  readonly versions: readonly (readonly [string, string])[];
};

type IndexStatus = {
  readonly root: string;
  readonly dataDir: string;
  /** Null where several repositories are asked instead. */
  readonly index: IndexMeta | null;
  /** Why the index is older than the work tree; null when it is current or there is none. */
  readonly stale: string | null;
  /** The process that is making or updating the index; null when none is. */
  readonly writer: string | null;
};

export async function status(workspace: Workspace, signal: AbortSignal): Promise<Status> {
  const { root, dataDir, cacheFolder, paths, index, log, config } = workspace;
  const repos = config.settings["workspace.repos"];
  const members: (IndexStatus & { readonly name: string })[] = [];
  for (const member of membersOf(root, repos)) {
    const opened = await openMember(member, workspace);
    try {
      members.push({ name: member.name, ...(await indexStatus(opened, signal)) });
    } finally {
      opened.index.close();
    }
  }
  const isAsked = repos.length === 0;
  return {
    ...(isAsked ? await indexStatus(workspace, signal) : { root, dataDir: dataDir.path, ...NO_INDEX }),
    members,
    inStore: repos.filter(isStoredEntry).map(shownEntry),
    enrichment: isAsked && index.exists() ? await coverage(workspace) : null,
    stored: storedIn(paths),
    shared: cacheFolder.kind === "shared" ? { folder: cacheFolder.path, workTrees: sharers(root, paths) } : null,
    runs: log.read()?.runs().length ?? 0,
    versions: [["cra", VERSION.version], ...partVersions()],
  };
}

const NO_INDEX = { index: null, stale: null, writer: null };

async function indexStatus(workspace: Workspace, signal: AbortSignal): Promise<IndexStatus> {
  const { root, dataDir, index, paths } = workspace;
  const isIndexed = index.exists();
  return {
    root,
    dataDir: dataDir.path,
    index: isIndexed ? index.open().meta() : null,
    stale: isIndexed ? await (await import("./index-repository.ts")).findStaleness(workspace, signal) : null,
    writer: heldBy(paths.lock),
  };
}

/** The other work trees that use the parse cache and still exist. */
const sharers = (root: string, { parseCache }: Workspace["paths"]): readonly string[] =>
  cacheUsers(parseCache).flatMap(({ path }) => (path !== root && existsSync(path) ? [path] : []));

async function coverage({ index, log }: Workspace): Promise<Coverage> {
  const { coverageOf, loggedAnswers } = await import("../../enrichment/logged-answers.ts");
  return coverageOf(index.open(), loggedAnswers(log.read()?.enrichments() ?? []));
}

/** The versions of the parts that results depend on, by name. */
export function partVersions(): readonly (readonly [string, string])[] {
  return [
    ["bun", Bun.version],
    ["sqlite", sqliteVersion()],
    ["grammars", GRAMMAR_VERSION],
    ["extractor", EXTRACTOR_VERSION],
    ["tokenizer", `gpt-tokenizer ${dependencies["gpt-tokenizer"]}`],
    ["index schema", String(CURATED_SCHEMA.migrations.length)],
    ["log schema", String(RAW_SCHEMA.migrations.length)],
    ["memory schema", String(MEMORY_SCHEMA.migrations.length)],
    ["package schema", String(SCHEMA_VERSION)],
  ];
}

function sqliteVersion(): string {
  const db = openDatabase(":memory:", "append", RAW_SCHEMA);
  try {
    return db.get<{ version: string }>("select sqlite_version() as version")?.version ?? "not known";
  } finally {
    db.close();
  }
}
