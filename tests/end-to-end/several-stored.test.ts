/** One question to repositories of a store, without a checkout of them, and together with repositories of this machine. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApp } from "../../src/app/app.ts";
import { openStoredRepositories } from "../../src/app/serving/stored-repositories.ts";
import { PackageAnswer } from "../../src/present/answers.ts";
import { accessOf } from "../../src/server/access.ts";
import { tokenHash } from "../../src/store/grants.ts";
import { openHandlers } from "../../src/tui/worker/handlers.ts";
import { environmentIn } from "../support/environment.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { bearer, post, startServer } from "../support/http-server.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { postgresProblem, sharedPostgres } from "../support/postgres.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

setDefaultTimeout(HANG_MS);

let address = "";
let home: TempFolder;
/** Where the questions are asked: a repository with one file. */
let desk: TempFolder;
const pushed: TempRepo[] = [];

const stored = test.skipIf(postgresProblem !== null);
const ask = (...args: readonly string[]) => runHere(args, { cwd: desk.path, home: home.path });
const ofStore = (names: string) => ["--from", address, "--repos", names];
const pack = async (...args: readonly string[]) => {
  const { exitCode, stdout, stderr } = await ask("retrieve", ...args, "--coverage", "1", "--json");
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
};
const pathsOf = (pkg: { readonly files: readonly { readonly path: string }[] }) => pkg.files.map(({ path }) => path);

async function pushOne(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const repo = tempRepo(files, { git: true });
  pushed.push(repo);
  const run = await runHere(["push", "--to", address, "--name", name, "--with-text"], {
    cwd: repo.path,
    home: home.path,
  });
  expect(run).toMatchObject({ exitCode: 0 });
}

beforeAll(async () => {
  if (postgresProblem !== null) return;
  const postgres = await sharedPostgres();
  address = await postgres.createDatabase();
  home = tempFolder();
  desk = tempFolder();
  mkdirSync(join(desk.path, ".git"));
  writeFileSync(join(desk.path, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(desk.path, "login.py"), "def login_locally(user):\n    return user\n");
  expect(await ask("store", "init", "--at", address)).toMatchObject({ exitCode: 0 });
  await pushOne("team/api", { "src/login.py": "def issue_login_token(user):\n    return user\n" });
  await pushOne("team/web", { "src/form.ts": "export function submitLoginForm() {\n  return 1;\n}\n" });
  await pushOne("linked/sums", {
    "package.json": '{"name":"@x/sums","main":"sums.ts"}',
    "sums.ts": "export const addUp = (a: number) => a;\n",
  });
  await pushOne("linked/app", {
    "package.json": '{"name":"app","dependencies":{"@x/sums":"1"}}',
    "run.ts": 'import { addUp } from "@x/sums";\nexport const runApp = () => addUp(1);\n',
  });
  await pushOne("other/api", { "src/login.py": "def foreign_login(user):\n    return user\n" });
});
afterAll(() => {
  for (const one of [...pushed, home, desk]) one?.[Symbol.dispose]();
});

stored("a question is bounded by paths of repositories of the store", async () => {
  const bounded = async (only: string) => pathsOf(await pack("login", ...ofStore("team/*,other/api"), "--only", only));
  for (const only of ["team/api", "team/api/src/", "./team/api/src/login.py"])
    expect([only, await bounded(only)]).toEqual([only, ["team/api/src/login.py"]]);
  expect(await bounded("other/api/src/login.py")).toEqual(["other/api/src/login.py"]);
  // What lies where the question is asked is not asked.
  for (const only of ["login.py", "team/../login.py", "elsewhere/api/src"])
    expect(await ask("retrieve", "login", ...ofStore("team/*"), "--only", only)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`--only: ${only} is not a folder or file of the repository`),
    });
  await using mcp = await openMcp({ cwd: desk.path, home: home.path, args: ["--structured", ...ofStore("team/*")] });
  const retrieve = (only: string) => callTool(mcp, "retrieve", { task: "login", budget: 900, only: [only] });
  expect(pathsOf(PackageAnswer.parse((await retrieve("team/web/src")).structured))).toEqual(["team/web/src/form.ts"]);
  expect((await retrieve("login.py")).text).toContain("begin the path with team/*");
});

stored("a glob names repositories of the store, which answer without a checkout", async () => {
  const pkg = await pack("login", ...ofStore("team/*"));
  expect(pathsOf(pkg).toSorted()).toEqual(["team/api/src/login.py", "team/web/src/form.ts"]);
  const { stdout } = await ask("search", "login", ...ofStore("team/*"), "--json");
  const hits: readonly { readonly path: string }[] = JSON.parse(stdout).hits;
  expect(new Set(hits.map(({ path }) => path.split("/").slice(0, 2).join("/")))).toEqual(
    new Set(["team/api", "team/web"]),
  );
});

stored("repositories of the store and of this machine answer together, and further rounds ask the same", async () => {
  const pkg = await pack("login", ...ofStore("team/api,."));
  const name = desk.path.slice(desk.path.lastIndexOf("/") + 1);
  expect(pathsOf(pkg).toSorted()).toEqual([`${name}/login.py`, "team/api/src/login.py"].toSorted());
  const again = await ask("refine", pkg.task_id, "--reject", `${name}/login.py`);
  expect(again.stdout).not.toContain("login_locally");
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("issue_login_token") });
});

stored("imports between repositories of the store are followed, by a server too", async () => {
  const found = { dependency_edges: [["linked/app/run.ts", "linked/sums/sums.ts"]] };
  const task = "fix runApp";
  expect(await pack(task, ...ofStore("linked/*"))).toMatchObject(found);
  const { repositories } = await openStoredRepositories({
    environment: environmentIn(home.path),
    store: { address, flag: "--from" },
    dataDir: join(home.path, "served"),
    branches: ["main"],
    freshMs: 60_000,
    report: () => {},
  });
  const access = accessOf([{ name: "ada", tokenHash: tokenHash("ada"), repositories: ["linked/*"] }]);
  await using server = startServer({ repositories, access });
  const body = { task, repositories: ["linked/*"], coverage: 1 };
  const answer = await (await post(server, "/v1/retrieve", body, bearer("ada"))).json();
  expect(answer).toMatchObject(found);
});

stored("what was pushed without texts is left out of a glob, and its own name says what to do", async () => {
  const bare = tempRepo({ "src/pay.py": "def pay_bill(user):\n    return user\n" }, { git: true });
  pushed.push(bare);
  const push = ["push", "--to", address, "--name", "mixed/bare"];
  expect(await runHere(push, { cwd: bare.path, home: home.path })).toMatchObject({ exitCode: 0 });
  await pushOne("mixed/whole", { "src/bill.py": "def send_bill(user):\n    return user\n" });
  const why = (options: string): string =>
    `mixed/bare is left out: mixed/bare is not indexed; push it with this version of cra: cra push${options} --with-text`;
  const found = await pack("bill", ...ofStore("mixed/*"));
  expect(pathsOf(found)).toEqual(["mixed/whole/src/bill.py"]);
  expect(found.warnings).toContain(why(""));
  const searched = await ask("search", "bill", ...ofStore("mixed/*"));
  expect(searched).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(why(` --to ${address}`)) });
  for (const names of ["mixed/bare", "mixed/b*", "mixed/*,mixed/bare"])
    expect(await ask("search", "bill", ...ofStore(names))).toMatchObject({
      exitCode: 10,
      stderr: expect.stringContaining("mixed/bare is not indexed; push it with this version of cra"),
    });
});

stored("what is of a store is not indexed here, and the interface says what it asks", async () => {
  const env = { CRA_WORKSPACE_REPOS: `${address}#team/*` };
  expect(await runHere(["index"], { cwd: desk.path, home: home.path, env })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("all repositories of the question are of a store"),
  });
  const setup = {
    request: { environment: environmentIn(desk.path, { HOME: home.path, ...env }), repo: null, flags: [] },
    locationFlags: [],
    taskOptions: { template: null, refresh: true },
  };
  const { handlers, close } = openHandlers(setup, openApp, null);
  expect(await handlers.knownIndex(null, () => undefined, new AbortController().signal)).toEqual({
    status: "unknown",
    files: null,
    headline: "of team/*; each run brings them up to date",
  });
  await close();
});

stored("agents retrieve from them, and read what is in the package", async () => {
  await using mcp = await openMcp({ cwd: desk.path, home: home.path, args: ["--structured", ...ofStore("team/*")] });
  const { structured } = await callTool(mcp, "retrieve", { task: "issue_login_token fails", budget: 900 });
  expect(pathsOf(PackageAnswer.parse(structured))).toContain("team/api/src/login.py");
  const read = await callTool(mcp, "read", { what: "issue_login_token" });
  expect(JSON.stringify(read.structured)).toContain("def issue_login_token(user)");
});

stored(
  "a name that the store does not have, a password, and a store in a repository's own file are refused",
  async () => {
    const refused = (stderr: string) => ({ exitCode: 2, stdout: "", stderr: expect.stringContaining(stderr) });
    expect(await ask("search", "x", ...ofStore("team/nothing"))).toMatchObject(
      refused("has no repository team/nothing"),
    );
    expect(await ask("search", "x", ...ofStore("../a#b"))).toMatchObject(refused("no such folder"));
    const secret = await ask("search", "x", "--from", "postgres://me:secret@db/cra", "--repos", "a");
    expect(secret.stderr).not.toContain("secret@");
    expect(secret).toMatchObject(refused("contains a password"));
    expect(await ask("search", "x", "--from", "http://db/cra", "--repos", "a")).toMatchObject(
      refused("the address of a store does not begin with postgres://"),
    );
    expect(await ask("search", "x", "--from", address)).toMatchObject(refused("--repos"));
    writeFileSync(join(desk.path, ".cra.toml"), `[workspace]\nrepos = ["${address}#team/api"]\n`);
    expect(await ask("search", "x")).toMatchObject(refused("which is outside of this folder"));
  },
);
