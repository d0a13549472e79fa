/**
 * What a server does with an opened repository: it answers from the index and leaves no trace.
 *
 * Nothing is recorded and no file of a work tree is read, so every replica gives the same answer.
 */
import { resultOf } from "../../concurrency/result-of.ts";
import { loadConfig } from "../../config/read-files.ts";
import type { OneRepository } from "../../db/curated/knowledge-base.ts";
import type { LeftOut } from "../../db/curated/meta.ts";
import { unionIndex } from "../../db/curated/union/union-index.ts";
import { openRawLog } from "../../db/raw-log/open-raw-log.ts";
import { redactedLog } from "../../db/raw-log/redacted.ts";
import type { Notice } from "../../notice.ts";
import { type Explanation, explain } from "../../retrieval/explain/explain.ts";
import { leftOutNotices } from "../../retrieval/index-notices.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { NO_LOG, NO_SESSION } from "../../retrieval/record/record-run.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { App } from "../app.ts";
import { crossLinks } from "../indexing/cross-links.ts";
import { readSource } from "../indexing/read-source.ts";
import { NOT_REFRESHED } from "../indexing/refresh-index.ts";
import { searchHits } from "../indexing/search-hits.ts";
import type { Records } from "../retrieval/records.ts";
import { type Retrieved, runRetrieval } from "../retrieval/retrieve.ts";
import { planRetrieval, type RetrieveRequest, withoutSecrets } from "../retrieval/retrieve-request.ts";
import { type Workspace, withOwnIndex } from "../workspace/workspace.ts";
import { servedConfig } from "./served-config.ts";

export type ServedApp = Pick<App, "config" | "nowMs" | "readSource" | "changedFiles" | "search"> & {
  readonly redactor: Redactor;
  retrieve(request: RetrieveRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, Retrieved>;
  /** Runs the request, and says of its package what `explain` says of a recorded one. `notices` say which repositories are left out. */
  explain(
    request: RetrieveRequest,
    what: string | null,
    signal: AbortSignal,
  ): Promise<Explanation & { readonly notices: readonly Notice[] }>;
  close(): void;
};

const UNRECORDED: Records = { log: NO_LOG, openSession: () => NO_SESSION };

export const servedApp = (opened: Workspace): ServedApp => served(unrecorded(opened));

/** Several repositories as one (`db/curated/union/union-index.ts`), at the settings of none of them. Answers say what is left out. */
export function servedTogether(repositories: readonly NamedWorkspace[], leftOut: readonly LeftOut[]): ServedApp {
  const [first] = repositories;
  if (first === undefined) throw new Error("a question is asked of a repository");
  const { environment, root, paths } = first.workspace;
  const own = loadConfig({ flags: [], variables: environment.variables, root: null });
  const workspace = unrecorded({ ...first.workspace, config: servedConfig(own, paths.folder) });
  const members: (OneRepository & NamedWorkspace)[] = [];
  try {
    for (const { name, workspace: opened } of repositories)
      members.push({ name, workspace: opened, kb: withOwnIndex(opened).index.open() });
    workspace.index.answerFrom(unionIndex(members, crossLinks(members), root, leftOut));
  } catch (error) {
    for (const { kb } of members) kb.close();
    throw error;
  }
  return served(workspace);
}

export type NamedWorkspace = { readonly name: string; readonly workspace: Workspace };

const unrecorded = (opened: Workspace): Workspace =>
  withOwnIndex({ ...opened, paths: { ...opened.paths, raw: ":memory:" } });

function served(workspace: Workspace): ServedApp {
  const { index, redactor, config } = workspace;
  const run = (request: RetrieveRequest, signal: AbortSignal, records: Records) =>
    runRetrieval(workspace, planRetrieval(withoutSecrets(request, redactor)), NOT_REFRESHED, signal, records);
  return {
    config,
    redactor,
    nowMs: () => performance.now(),
    async *retrieve(request, signal) {
      return yield* run(request, signal, UNRECORDED);
    },
    async explain(request, what, signal) {
      const log = redactedLog(openRawLog(":memory:"), redactor);
      try {
        const pipeline = run(request, signal, { ...UNRECORDED, log });
        const { package: made } = await resultOf(pipeline);
        const kb = index.open();
        const found = await explain(log, kb, made.task_id, what);
        return { ...found, notices: leftOutNotices(kb.meta()) };
      } finally {
        log.close();
      }
    },
    async search({ query, limit }) {
      const kb = index.open();
      return { hits: searchHits(kb, query, limit), notices: leftOutNotices(kb.meta()) };
    },
    readSource: async (what, lines) => readSource(workspace, what, lines, (_, __, { text }) => text),
    changedFiles: () => [],
    close: () => index.close(),
  };
}
