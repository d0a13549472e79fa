/** `cra store`: creates a team's store on PostgreSQL, says what it holds, queues its texts, prunes it, grants tokens for a server, and exports it. */
import { resolve } from "node:path";
import type { StoreCall } from "../../app/team/store-upkeep.ts";
import { Failed } from "../../failure.ts";
import { bytesText } from "../../present/amounts.ts";
import { table } from "../../present/layout.ts";
import type { StoreRole } from "../../store/schema.ts";
import { counted } from "../../text/counted.ts";
import { commitJson, grantJson, grantsText, prunedText, statusJson, statusText } from "../output/store-report.ts";
import { writeWhole } from "../output/write-file.ts";
import type { Command, Context } from "../syntax/command.ts";

const ROLES = ["reader", "server", "worker", "writer"] as const satisfies readonly StoreRole[];

const ACTIONS = {
  init,
  status,
  check,
  queue,
  prune,
  grant,
  revoke,
  export: exportAll,
} as const satisfies Record<string, (context: Context, call: StoreCall) => Promise<number>>;

export const STORE: Command = {
  name: "store",
  summary: "a team's store on PostgreSQL: init, status, check, queue, prune, grant, revoke, export",
  arguments: [
    { name: "action", summary: "what to do", required: true, choices: Object.keys(ACTIONS) },
    { name: "name", summary: "grant, revoke: whose token; export: the folder to write to", required: false },
  ],
  options: [
    { flag: "--at", value: "address", summary: "the store, as postgres://owner@host/database" },
    { flag: "--bucket", value: "address", summary: "bucket that holds the store's chunks, as s3://bucket/folder" },
    { flag: "--reader", value: "role", repeatable: true, summary: "init: let this role take indexes" },
    {
      flag: "--server",
      value: "role",
      repeatable: true,
      summary: "init: let this role also check tokens, for cra serve",
    },
    { flag: "--worker", value: "role", repeatable: true, summary: "init: let this role also take jobs, for cra work" },
    { flag: "--writer", value: "role", repeatable: true, summary: "init: let this role also push" },
    {
      flag: "--repository",
      value: "name",
      repeatable: true,
      summary: "grant: a repository, where * stands for any letters; prune: only of these",
    },
    {
      flag: "--days",
      value: "days",
      whole: { least: 0, most: 36_500 },
      summary: "prune: remove older commits, except the newest of each branch; grant: days until it ends",
    },
    {
      flag: "--branch",
      value: "name",
      repeatable: true,
      summary: "prune: remove commits of this branch, whatever their age; * stands for any letters",
    },
    { flag: "--dry-run", summary: "prune: only show what would be removed" },
  ],
  examples: [
    {
      line: "cra store init --at postgres://owner@db/cra --reader laptops --writer ci",
      does: "create it, and let two roles in",
    },
    { line: "cra store status --at postgres://owner@db/cra", does: "which repositories and how much it holds" },
    {
      line: "cra store queue --at postgres://ci@db/cra",
      does: "after an update of cra: let cra work parse stored texts again",
    },
    {
      line: "cra store prune --days 30 --branch 'renovate/*' --at postgres://owner@db/cra",
      does: "remove what is old",
    },
    {
      line: "cra store grant alice --repository 'github.com/acme/*' --at postgres://owner@db/cra",
      does: "make a token for cra serve",
    },
    { line: "cra store export backup --at postgres://owner@db/cra", does: "write files for cra index --import" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, environment } = context;
  const address = values.text("--at");
  if (address === undefined)
    throw new Failed({
      code: "usage",
      message: "--at is missing",
      next: "name the store: --at postgres://owner@host/database",
    });
  const call: StoreCall = { store: { address, bucket: values.text("--bucket"), flag: "--at" }, environment };
  const action = Object.entries(ACTIONS).find(([name]) => name === values.argument("action"))?.[1] ?? status;
  return await action(context, call);
}

const load = () => import("../../app/team/store-upkeep.ts");

async function init({ values, output, signal }: Context, call: StoreCall): Promise<number> {
  const roles = ROLES.flatMap((role) => values.list(`--${role}`).map((name) => [role, name] as const));
  const { shown, before, version } = await (await load()).initStore(call, roles, signal);
  const done = before === 0 ? "created" : before === version ? "is there" : `brought from version ${before}`;
  await output.result({
    json: () => ({
      schema_version: 1,
      store: shown,
      version,
      version_before: before,
      roles: Object.fromEntries(roles.map(([role, name]) => [name, role])),
    }),
    text: () =>
      `the store in ${shown} ${done} (version ${version})\n${roles.map(([role, name]) => `${name} is a ${role}\n`).join("")}`,
  });
  return 0;
}

async function status({ output, signal }: Context, call: StoreCall): Promise<number> {
  const { withStore, storeStatus } = await load();
  const found = await withStore(call, signal, storeStatus);
  await output.result({ json: () => ({ schema_version: 1, ...statusJson(found) }), text: () => statusText(found) });
  return 0;
}

/** Exit code 1 if something is wrong. */
async function check({ output, signal }: Context, call: StoreCall): Promise<number> {
  const { withStore, checkStore } = await load();
  const checked = await withStore(call, signal, (store) => Array.fromAsync(checkStore(store, signal)));
  const rows = checked.map(({ snapshot: { repository, commit, branch }, why }) => ({
    repository,
    commit,
    branch,
    why,
  }));
  await output.result({
    json: () => ({ schema_version: 1, commits: rows }),
    text: () =>
      table(
        ["repository", "commit", "branch", "state"],
        rows.map(({ repository, commit, branch, why }) => [
          repository,
          commit.slice(0, 12),
          branch ?? "",
          why ?? "whole",
        ]),
      ),
  });
  return rows.some(({ why }) => why !== null) ? 1 : 0;
}

/** Queues what was pushed with its texts and parsed by another cra only. */
async function queue({ output, signal }: Context, call: StoreCall): Promise<number> {
  const { withStore } = await load();
  const { queueTexts } = await import("../../app/team/queue-texts.ts");
  const queued = await withStore(call, signal, (store) => queueTexts(store, signal));
  await output.result({
    json: () => ({ schema_version: 1, ...queued }),
    text: () => `queued ${counted(queued.contents, "content")} in ${counted(queued.jobs, "job")} for cra work\n`,
  });
  return 0;
}

async function prune({ values, output, signal }: Context, call: StoreCall): Promise<number> {
  const [days, branches] = [values.whole("--days"), values.list("--branch")];
  if (days === undefined && branches.length === 0)
    throw new Failed({
      code: "usage",
      message: "prune: nothing says what to remove",
      next: "give --days, --branch, or both",
    });
  const dryRun = values.switch("--dry-run");
  const repositories = values.list("--repository");
  const { withStore } = await load();
  const pruned = await withStore(call, signal, (store) =>
    store.prune({ days: days ?? null, branches, repositories, dryRun }),
  );
  await output.result({
    json: () => ({
      schema_version: 1,
      dry_run: dryRun,
      commits: pruned.snapshots.map(commitJson),
      facts: pruned.facts,
      chunks: pruned.chunks,
    }),
    text: () => prunedText(pruned, dryRun),
  });
  return 0;
}

/** Without repositories: lists the grants. */
async function grant({ values, output, signal }: Context, call: StoreCall): Promise<number> {
  const [name, repositories, days] = [values.argument("name"), values.list("--repository"), values.whole("--days")];
  const { withStore } = await load();
  if (name === undefined) {
    const grants = await withStore(call, signal, (store) => store.grants.list());
    await output.result({
      json: () => ({ schema_version: 1, grants: grants.map(grantJson) }),
      text: () => grantsText(grants),
    });
    return 0;
  }
  const { isGrantName } = await import("../../store/grants.ts");
  const { isGrantPattern } = await import("../../store/grant-pattern.ts");
  if (!isGrantName(name))
    throw new Failed({ code: "usage", message: "grant: not a name", next: "use letters, digits and . _ @ + -" });
  if (repositories.length === 0 || !repositories.every(isGrantPattern))
    throw new Failed({
      code: "usage",
      message: "grant: which repositories?",
      next: "name them: --repository 'github.com/acme/*'",
    });
  if (days === 0)
    throw new Failed({
      code: "usage",
      message: "grant: a token for 0 days would be of no use",
      next: "give at least 1, or leave out --days for a token that does not end",
    });
  const token = await withStore(call, signal, (store) => store.grants.add(name, repositories, days ?? null));
  await output.result({
    json: () => ({ schema_version: 1, name, repositories, days: days ?? null, token }),
    text: () => `${token}\n`,
  });
  await output.say(
    `cra: this token is shown once; ${name} may ask about ${repositories.join(", ")}${days === undefined ? "" : ` for ${counted(days, "day")}`}`,
  );
  return 0;
}

async function revoke({ values, output, signal }: Context, call: StoreCall): Promise<number> {
  const name = values.argument("name");
  if (name === undefined)
    throw new Failed({ code: "usage", message: "revoke: whose token?", next: "cra store revoke alice --at …" });
  const { withStore } = await load();
  if (!(await withStore(call, signal, (store) => store.grants.remove(name))))
    throw new Failed({ code: "no-match", message: `there is no grant called ${name}` });
  await output.result({ json: () => ({ schema_version: 1, revoked: name }), text: () => `revoked ${name}\n` });
  return 0;
}

async function exportAll({ values, output, environment, signal }: Context, call: StoreCall): Promise<number> {
  const folder = values.argument("name");
  if (folder === undefined)
    throw new Failed({
      code: "usage",
      message: "export: where to?",
      next: "name a folder: cra store export FOLDER --at …",
    });
  const { withStore, exportStore } = await load();
  const { makeFolder } = await import("../../source/files/make-folder.ts");
  const written = await withStore(call, signal, async (store) => {
    makeFolder(resolve(environment.cwd, folder), "name another folder");
    const files: {
      readonly repository: string;
      readonly file: string;
      readonly entries: number;
      readonly bytes: number;
    }[] = [];
    for await (const { name, bytes, entries } of exportStore(store, signal)) {
      const file = resolve(environment.cwd, folder, `${name.replaceAll("/", "+")}.cra-export`);
      writeWhole(file, bytes, { force: true });
      files.push({ repository: name, file, entries, bytes: bytes.length });
    }
    return files;
  });
  await output.result({
    json: () => ({ schema_version: 1, written }),
    text: () =>
      table(
        ["repository", "contents", "size", "file"],
        written.map(({ repository, entries, bytes, file }) => [repository, entries, bytesText(bytes), file]),
      ),
  });
  return 0;
}
