/** The indexes of several repositories: brought up to date one by one, and opened as one to answer a question from. */

import type { OneRepository } from "../../db/curated/knowledge-base.ts";
import type { LeftOut } from "../../db/curated/meta.ts";
import { unionIndex } from "../../db/curated/union/union-index.ts";
import { NO_LINKS } from "../../db/curated/union/union-rows.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { isStoredEntry } from "../../store/stored-entries.ts";
import type { OnProgress } from "../workspace/environment.ts";
import { type Member, membersOf, openMember } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { crossLinks } from "./cross-links.ts";
import { type IndexRequest, type IndexSummary, index as indexOne } from "./index-repository.ts";
import { NOT_REFRESHED, type Refreshed, refreshIfNear } from "./refresh-index.ts";

/**
 * Afterwards the workspace's index answers for all of them. `repos` are relative to its root, or of a store; `ready` gets the index of one
 * of this machine. Throws what indexing throws, and what opening a store does.
 */
export async function readySeveral(
  workspace: Workspace,
  repos: readonly string[],
  onRefresh: OnProgress,
  ready: (inside: Workspace, report: OnProgress) => Promise<Refreshed>,
  signal: AbortSignal,
): Promise<Refreshed> {
  const { root, index, environment, openStored } = workspace;
  const members = membersOf(root, repos);
  const opened: (OneRepository & { readonly workspace: Workspace })[] = [];
  const notices: Notice[] = [];
  const leftOut: LeftOut[] = [];
  let inputsSkipped: number | null = null;
  try {
    for (const member of members) {
      const inside = await openMember(member, workspace);
      const refreshed = await ready(inside, progressOf(member, onRefresh));
      opened.push({ name: member.name, workspace: inside, kb: inside.index.open() });
      notices.push(...inside.notices, ...refreshed.notices);
      if (refreshed.inputsSkipped !== null) inputsSkipped = (inputsSkipped ?? 0) + refreshed.inputsSkipped;
    }
    if (openStored !== undefined && repos.some(isStoredEntry)) {
      const stored = await openStored(repos, environment, signal);
      opened.push(...stored.members);
      leftOut.push(...stored.leftOut);
      notices.push(...stored.notices);
    }
    index.answerFrom(unionIndex(opened, crossLinks(opened), root, leftOut));
    return { notices, inputsSkipped };
  } catch (error) {
    for (const { kb } of opened) kb.close();
    throw error;
  }
}

/**
 * The workspace with the indexes that there are of these repositories, as they are unless `onRefresh` is given. Where one of them
 * cannot be opened, opening the index throws why.
 */
export async function withAskedIndex(
  workspace: Workspace,
  repos: readonly string[],
  signal: AbortSignal,
  onRefresh?: OnProgress,
): Promise<Workspace> {
  const { index, onNotice } = workspace;
  if (repos.length === 0 || index.opened() !== null) return workspace;
  const ready = async (inside: Workspace, report: OnProgress): Promise<Refreshed> => {
    if (onRefresh !== undefined) (await refreshIfNear(inside, report, signal)).forEach(onNotice);
    return NOT_REFRESHED;
  };
  try {
    await readySeveral(workspace, repos, onRefresh ?? (() => undefined), ready, signal);
    return workspace;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const open = (): never => {
      throw error;
    };
    return { ...workspace, index: { ...index, open } };
  }
}

/** Names the repository in what is reported. */
const progressOf =
  ({ name }: Member, report: OnProgress): OnProgress =>
  (step) =>
    report({ ...step, phase: `${name}: ${step.phase}` });

/** Indexes each repository of a workspace. The summary adds up what was done. Throws what indexing throws. */
export async function indexSeveral(
  workspace: Workspace,
  request: IndexRequest,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const { root, config } = workspace;
  if (request.fromStore !== undefined)
    throw new Failed({ code: "usage", message: "--from takes one repository", next: "run it in each of them" });
  const members = membersOf(root, config.settings["workspace.repos"]);
  if (members.length === 0)
    throw new Failed({
      code: "usage",
      message: "all repositories of the question are of a store, which has their indexes",
      next: "to index this folder: CRA_WORKSPACE_REPOS=. cra index",
    });
  const done: { readonly name: string; readonly summary: IndexSummary; readonly opened: Workspace }[] = [];
  try {
    for (const member of members) {
      const opened = await openMember(member, workspace);
      const onProgress = progressOf(member, request.onProgress);
      done.push({ name: member.name, opened, summary: await indexOne(opened, { ...request, onProgress }, signal) });
    }
    const { meta } = unionIndex(
      done.map(({ name, opened }) => ({ name, kb: opened.index.open() })),
      NO_LINKS,
      root,
    );
    return { ...addedUp(done), meta: meta() };
  } finally {
    for (const { opened } of done) {
      opened.index.close();
      opened.log.close();
    }
  }
}

function addedUp(
  done: readonly { readonly name: string; readonly summary: IndexSummary }[],
): Omit<IndexSummary, "meta"> {
  const sum = (of: (summary: IndexSummary) => number): number =>
    done.reduce((total, { summary }) => total + of(summary), 0);
  const placed = <Row extends { readonly path: string }>(of: (summary: IndexSummary) => readonly Row[]) =>
    done.flatMap(({ name, summary }) => of(summary).map((row) => ({ ...row, path: `${name}/${row.path}` })));
  return {
    changed: done.some(({ summary }) => summary.changed),
    files: {
      added: sum(({ files }) => files.added),
      changed: sum(({ files }) => files.changed),
      removed: sum(({ files }) => files.removed),
      unchanged: sum(({ files }) => files.unchanged),
    },
    parsed: sum(({ parsed }) => parsed),
    fromCache: sum(({ fromCache }) => fromCache),
    skips: placed(({ skips }) => skips),
    problems: placed(({ problems }) => problems),
    notices: done.flatMap(({ summary }) => summary.notices),
    ms: {},
    msTotal: sum(({ msTotal }) => msTotal),
    bytes: sum(({ bytes }) => bytes),
    seededFrom: null,
  };
}
