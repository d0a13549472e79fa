/** `cra push`: stores the index of the checked-out commit where a team finds it. */
import type { Pushed } from "../../app/team/push.ts";
import { Failed } from "../../failure.ts";
import { bytesText } from "../../present/amounts.ts";
import { pairs } from "../../present/layout.ts";
import { counted } from "../../text/counted.ts";
import { STORE_OPTIONS, storeRequest } from "../options/store-options.ts";
import { appRequest, REPO_ARGUMENT, repoArgument } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withAppOf, withProgress } from "../with-app.ts";

export const PUSH: Command = {
  name: "push",
  summary: "push the index of the checked-out commit to a team's store on PostgreSQL",
  arguments: [REPO_ARGUMENT],
  options: [
    {
      flag: "--to",
      value: "address",
      summary: "the store, as postgres://user@host/database; the password is in PGPASSWORD or ~/.pgpass",
    },
    ...STORE_OPTIONS,
    {
      flag: "--branch",
      value: "name",
      summary: "branch that has the commit, by default the one that is checked out; for jobs with a detached HEAD",
    },
    {
      flag: "--with-text",
      summary: "store the texts of all files too, so that a server can answer without a checkout",
    },
    {
      flag: "--again",
      summary: "send everything, also what the store has: repairs what was damaged or lost there",
    },
    {
      flag: "--queue",
      conflicts: ["--again"],
      summary: "only queue the commit: a machine that runs cra work --clone indexes and pushes it",
    },
  ],
  examples: [
    {
      line: "cra push --to postgres://ci@db.example.com/cra",
      does: "in a job, after a merge; run it again if it was killed",
    },
    { line: "cra push --to postgres://ci@db.example.com/cra --with-text", does: "also for cra serve" },
    {
      line: 'cra push --to postgres://ci@db.example.com/cra --branch "$CI_COMMIT_REF_NAME"',
      does: "in a job of GitLab, which checks out a commit and no branch",
    },
    { line: "cra push --to postgres://ci@db.example.com/cra --queue", does: "let another machine do it" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, signal } = context;
  const request = storeRequest(values, "--to");
  if (request === undefined)
    throw new Failed({
      code: "usage",
      message: "--to is missing",
      next: "name the store: --to postgres://user@host/database",
    });
  const branch = branchOf(values.text("--branch"));
  return await withAppOf(context, appRequest(context, [], repoArgument(values)), async (app) => {
    const pushed = await withProgress(context, app, ({ progress }) =>
      app.push(
        {
          ...request,
          ...(branch === undefined ? {} : { branch }),
          withTexts: values.switch("--with-text"),
          isQueued: values.switch("--queue"),
          isAgain: values.switch("--again"),
          onProgress: progress.update,
        },
        signal,
      ),
    );
    for (const notice of pushed.notices) await output.notice(notice);
    if ("isQueued" in pushed) {
      const { to, repository, commit } = pushed;
      await output.result({
        json: () => ({ schema_version: 1, to, repository, commit, is_queued: true }),
        text: () => `queued ${repository} at ${commit.slice(0, 12)} in ${to}\n`,
      });
      return 0;
    }
    if (pushed.secrets > 0)
      await output.say(
        `cra: note: the index has the words of ${counted(pushed.secrets, "file")} with a secret; whoever can read the store can find them`,
      );
    await output.result({ json: () => pushedJson(pushed), text: () => pushedText(pushed) });
    return 0;
  });
}

const BRANCH_CHARS_MAX = 1_000;

function branchOf(typed: string | undefined): string | undefined {
  if (typed === undefined || (typed.length <= BRANCH_CHARS_MAX && !/[\s\p{Cc}]/u.test(typed))) return typed;
  throw new Failed({
    code: "usage",
    message: "--branch: not the name of a branch",
    next: "give one like main, as in git branch",
  });
}

const pushedJson = ({ notices: _, hasTexts, isNew, contents, ...pushed }: Pushed) => ({
  schema_version: 1,
  ...pushed,
  is_new: isNew,
  has_texts: hasTexts,
  contents_sent: contents.sent,
  contents: contents.all,
});

function pushedText({ to, repository, commit, isNew, hasTexts, files, contents, bytes }: Pushed): string {
  const what = `${repository} at ${commit.slice(0, 12)}`;
  if (!isNew) return `${what} is in ${to} already\n`;
  return `pushed ${what} to ${to}\n${pairs([
    ["files", files],
    ["facts", `${contents.sent} of ${counted(contents.all, "content")} sent`],
    ["texts", hasTexts ? "stored" : "not stored"],
    ["sent", bytesText(bytes)],
  ])}`;
}
