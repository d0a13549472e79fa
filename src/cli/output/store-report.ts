/** What `cra store` prints: a store's content, what was pruned, and grants. */
import type { StoreStatus } from "../../app/team/store-upkeep.ts";
import { bytesText } from "../../present/amounts.ts";
import { table } from "../../present/layout.ts";
import type { Grant } from "../../store/grants.ts";
import type { Pruned } from "../../store/upkeep.ts";
import { counted } from "../../text/counted.ts";
import { display } from "../../text/display.ts";

export const statusJson = ({ shown, repositories, uses, jobs }: StoreStatus) => ({
  store: shown,
  repositories: repositories.map(({ name, commits, branches, newestAt }) => ({
    name,
    commits,
    branches,
    newest: new Date(newestAt).toISOString(),
  })),
  uses,
  jobs:
    jobs === null
      ? null
      : {
          waiting: jobs.waiting,
          running: jobs.running,
          done: jobs.done,
          set_aside: jobs.setAside,
          problems: jobs.problems,
        },
});

export function statusText({ shown, repositories, uses, jobs }: StoreStatus): string {
  const rows = repositories.map(({ name, commits, branches, newestAt }) => [
    name,
    commits,
    branches.join(" "),
    new Date(newestAt).toISOString().slice(0, 16).replace("T", " "),
  ]);
  const held = table(
    ["what", "rows", "size"],
    uses.map(({ what, rows: number, bytes }) => [what, number, bytesText(bytes)]),
  );
  const waiting =
    jobs === null || jobs.waiting + jobs.running + jobs.setAside === 0
      ? ""
      : `jobs: ${jobs.waiting} waiting, ${jobs.running} running, ${jobs.setAside} set aside\n${problemLines(jobs.problems)}`;
  return `${shown}\n${table(["repository", "commits", "branches", "newest push"], rows)}${held}${waiting}`;
}

const problemLines = (problems: readonly string[]): string =>
  problems.map((problem) => `  ${display(problem)}\n`).join("");

export const commitJson = ({ repository, commit, branch, pushedAt }: Pruned["snapshots"][number]) => ({
  repository,
  commit,
  branch,
  pushed: new Date(pushedAt).toISOString(),
});

export function prunedText({ snapshots, facts, chunks }: Pruned, dryRun: boolean): string {
  const rows = snapshots.map(({ repository, commit, branch, pushedAt }) => [
    repository,
    commit.slice(0, 12),
    branch ?? "",
    new Date(pushedAt).toISOString().slice(0, 10),
  ]);
  const list =
    rows.length === 0 ? "" : table([dryRun ? "would remove" : "removed", "commit", "branch", "pushed"], rows);
  const rest = `${counted(facts, "content")} and ${counted(chunks, "chunk")} that nothing needs`;
  return `${list}${dryRun ? `would remove ${counted(rows.length, "commit")}` : `removed ${counted(rows.length, "commit")}, ${rest}`}\n`;
}

export const grantJson = ({ name, repositories, createdAt, expiresAt }: Grant) => ({
  name,
  repositories,
  created: new Date(createdAt).toISOString(),
  ends: expiresAt === null ? null : new Date(expiresAt).toISOString(),
});

export const grantsText = (grants: readonly Grant[]): string =>
  table(
    ["name", "repositories", "made", "ends"],
    grants.map(({ name, repositories, createdAt, expiresAt }) => [
      name,
      repositories.join(" "),
      new Date(createdAt).toISOString().slice(0, 10),
      expiresAt === null ? "never" : new Date(expiresAt).toISOString().slice(0, 10),
    ]),
  );
