/** One question to several repositories. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openApp } from "../../src/app/app.ts";
import { flagLayer } from "../../src/config/settings.ts";
import { PackageAnswer } from "../../src/present/answers.ts";
import { environmentIn } from "../support/environment.ts";
import { tempFolder } from "../support/folder.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import type { Files } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const API: Files = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "package.json": '{"name":"@x/api","main":"src/login.ts"}',
  "src/login.ts": "export function login(user: string) {\n  return issueToken(user);\n}\n",
  "src/token.ts": "export function issueToken(user: string) {\n  return user;\n}\n",
};
const WEB: Files = {
  ".git/HEAD": "ref: refs/heads/main\n",
  "package.json": '{"name":"web","dependencies":{"@x/api":"1"}}',
  "src/form.ts": 'import { login } from "@x/api";\nexport function submitForm() {\n  return login("me");\n}\n',
};

/** A folder with repositories in it. */
function folderOf(repositories: Readonly<Record<string, Files>>) {
  const place = tempFolder();
  for (const [name, files] of Object.entries(repositories))
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(place.path, name, path)), { recursive: true });
      writeFileSync(join(place.path, name, path), content);
    }
  return place;
}

const place = shared(folderOf({ api: API, web: WEB, home: { "notes.md": "# Notes\n" } }));
const cra = (...args: readonly string[]) => runHere(args, { cwd: join(place.path, "home") });
const REPOS = ["--repos", "../api,../web"];

const pack = async (...args: readonly string[]) => {
  const { exitCode, stdout, stderr } = await cra(...args, "--format", "json");
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout);
};
const pathsOf = (pkg: { readonly files: readonly { readonly path: string }[] }) => pkg.files.map(({ path }) => path);

test("files of all of them are in one package, and imports between them are followed", async () => {
  const first = await pack("retrieve", "submitForm fails", ...REPOS, "--no-quick", "--coverage", "1");
  expect(pathsOf(first)).toEqual(["web/src/form.ts", "api/src/login.ts"]);
  expect(JSON.stringify(first)).toContain("imported by web/src/form.ts");
  expect(existsSync(join(place.path, "home/.cra/curated.sqlite"))).toBe(false);
  for (const name of ["api", "web"]) expect(existsSync(join(place.path, name, ".cra/curated.sqlite"))).toBe(true);
  expect(await pack("retrieve", "submitForm fails", ...REPOS, "--coverage", "1")).toEqual(first);
  expect((await pack("retrieve", "submitForm fails", "--repos", "../web", "--coverage", "1")).files).toMatchObject([
    { path: "web/src/form.ts" },
  ]);
});

test("a task is refined, explained and kept in one line in the same repositories", async () => {
  const { task_id } = await pack("retrieve", "submitForm fails", ...REPOS);
  const run = await cra("refine", task_id, "--missing-file", "api/src/token.ts");
  expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining("export function issueToken")]);
  expect(run.stderr).toContain("cra retrieve --repos ../api,../web ");
  expect((await cra("explain", task_id, "web/src/form.ts")).stdout).toContain("web/src/form.ts");
  expect((await cra("explain", task_id, "web/package.json")).stdout).toContain("web/package.json");
});

test("the one line names the repositories as they are typed in the current folder", async () => {
  const above = (...args: readonly string[]) => runHere(args, { cwd: place.path });
  const { task_id } = await pack("retrieve", "submitForm breaks", ...REPOS);
  const { stdout, stderr } = await above("refine", task_id, "--repo", "home", "--missing-file", "api/src/token.ts");
  const words = /cra (retrieve --repo home --repos api,web .*) '/.exec(stderr)?.[1]?.split(" ") ?? [];
  expect(await above(...words, "submitForm breaks")).toMatchObject({ exitCode: 0, stdout });
});

test("search finds in all of them", async () => {
  const { stdout } = await cra("search", "login", ...REPOS, "--json");
  const hits: readonly { readonly path: string }[] = JSON.parse(stdout).hits;
  expect(new Set(hits.map(({ path }) => path.split("/")[0]))).toEqual(new Set(["api", "web"]));
});

test("a first answer says which of them have no index", async () => {
  using other = folderOf({ api: API, web: WEB, home: { "notes.md": "# Notes\n" } });
  const here = (folder: string, ...args: readonly string[]) => runHere(args, { cwd: join(other.path, folder) });
  const ask = async () => (await here("home", "retrieve", "submitForm fails", ...REPOS)).stderr;
  expect(await ask()).toContain("; an index of api, web keeps what was found; run cra index there\n");
  const searched = await here("home", "search", "submitForm", ...REPOS);
  expect(searched.stderr).toContain("; an index of api, web keeps what was found; run cra index there\n");
  await here("web", "index");
  expect(await ask()).toContain("; an index of api keeps what was found");
  await here("api", "index");
  expect(await ask()).not.toContain("first answer");
});

test("a question is bounded by paths as the package names them, and as they are on this machine", async () => {
  const bounded = async (only: string) => pathsOf(await pack("retrieve", "login token", ...REPOS, "--only", only));
  const inside = await bounded("api/src");
  expect(inside.toSorted()).toEqual(["api/src/login.ts", "api/src/token.ts"]);
  for (const only of ["../api/src", join(place.path, "api/src")]) expect(await bounded(only)).toEqual(inside);
  expect(await bounded("web")).toEqual(["web/src/form.ts"]);
  const { stderr } = await cra("retrieve", "login token", ...REPOS, "--only", "notes.md");
  expect(stderr).toContain("--only: notes.md is not a folder or file of the repository");
  await using mcp = await openMcp({ cwd: join(place.path, "home"), args: ["--structured", ...REPOS] });
  const call = async (tool: string, args: Readonly<Record<string, unknown>>) =>
    PackageAnswer.parse((await callTool(mcp, tool, args)).structured);
  for (const only of ["api/src", join(place.path, "api/src")])
    expect(pathsOf(await call("retrieve", { task: "login token", only: [only] }))).toEqual(inside);
  const outside = await callTool(mcp, "retrieve", { task: "login token", only: ["../home"] });
  expect(outside.text).toMatch(/^only: \.\.\/home: it is in none of the repositories that this server serves; /);
  const what = join(place.path, "api/src/token.ts:issueToken");
  expect((await callTool(mcp, "read", { what })).structured).toMatchObject({ path: "api/src/token.ts" });
  const { task_id } = await call("retrieve", { task: "submitForm is slow", budget: 900 });
  const { files } = await call("refine", { task_id, missing_files: [join(place.path, "api/src/token.ts")] });
  expect(pathsOf({ files })).toContain("api/src/token.ts");
});

test("paths on this machine name files of each where those of the package do", async () => {
  const [relative, absolute] = ["../api/src/token.ts", join(place.path, "api/src/token.ts")];
  const asked = ["retrieve", "submitForm is slow", ...REPOS] as const;
  for (const flag of ["--accept", "--reject", "--missing-file", "--hint-path", "--changed"]) {
    const named = await pack(...asked, flag, "api/src/token.ts");
    for (const path of [relative, absolute]) expect([path, await pack(...asked, flag, path)]).toEqual([path, named]);
  }
  const body = await pack(...asked, "--body", "api/src/token.ts:issueToken");
  expect(await pack(...asked, "--body", `${relative}:issueToken`)).toEqual(body);
  const { task_id } = await pack("retrieve", "submitForm is late", ...REPOS);
  for (const path of [relative, absolute]) {
    const { files } = await pack("refine", task_id, "--missing-file", path);
    expect(pathsOf({ files })).toContain("api/src/token.ts");
    expect((await cra("explain", task_id, path)).stdout).toStartWith("api/src/token.ts\n");
    expect((await cra("explain", task_id, `${path}:issueToken`)).stdout).toContain("issueToken");
  }
  const inside = await runHere(["retrieve", "submitForm is slow", "--repos", ".,../web", "--accept", "src/token.ts"], {
    cwd: join(place.path, "api"),
  });
  expect([inside.stderr.includes("not in the index"), inside.stdout]).toEqual([
    false,
    expect.stringContaining("### api/src/token.ts"),
  ]);
  await using mcp = await openMcp({ cwd: join(place.path, "home"), args: ["--structured"] });
  const { structured } = await callTool(mcp, "refine", { task_id, missing_files: [relative] });
  expect(pathsOf(PackageAnswer.parse(structured))).toContain("api/src/token.ts");
});

test("a workspace file lists them, and cra index indexes each", async () => {
  using folder = folderOf({ api: API, web: WEB });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["api", "web"]\n');
  const here = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  expect(JSON.parse((await here("status", "--json")).stdout)).toMatchObject({ indexed: false });
  expect(JSON.parse((await here("index", "--json")).stdout)).toMatchObject({ changes: { added: 5 }, parsed: 5 });
  const { stdout } = await here("retrieve", "submitForm fails", "--coverage", "1", "--format", "json", "-q");
  expect(pathsOf(JSON.parse(stdout))).toEqual(["web/src/form.ts", "api/src/login.ts"]);
  expect(JSON.parse((await here("status", "--json")).stdout)).toMatchObject({
    indexed: true,
    index: null,
    repositories: [
      { name: "api", repository: join(folder.path, "api"), stale: null, index: { counts: { files: 3 } } },
      { name: "web", stale: null, index: { counts: { files: 2 } } },
    ],
  });
  const status = (await here("status")).stdout;
  expect(status).toMatch(/^api +.*\/api\ndata +.*\nindex +up to date\n.*\n\nweb +.*\/web\n.*\n\nasked from +/s);
  expect(status).not.toContain("none; run: cra index");
  await using mcp = await openMcp({ cwd: folder.path, args: ["--structured"] });
  const { structured } = await callTool(mcp, "retrieve", { task: "submitForm fails", budget: 900 });
  expect(pathsOf(PackageAnswer.parse(structured))).toEqual(["web/src/form.ts", "api/src/login.ts"]);
  writeFileSync(
    join(folder.path, "api/src/token.ts"),
    "// Moved.\nexport function issueToken(user: string) {\n  return user;\n}\n",
  );
  const read = await callTool(mcp, "read", { what: "issueToken" });
  expect(JSON.stringify(read.structured)).toContain('"api/src/token.ts"');
  expect(JSON.stringify(read.structured)).toContain('"from":2,"to":4');
});

test("cra doctor checks each of them, and the command that repairs one names it", async () => {
  using folder = folderOf({ api: API, web: WEB });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["api", "web"]\n');
  const here = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  const missing = await here("doctor");
  expect([missing.exitCode, missing.stdout]).toEqual([10, expect.stringContaining("index  none; run: cra index\n")]);
  await here("index");
  await here("retrieve", "submitForm fails");
  const whole = await here("doctor");
  expect([whole.exitCode, whole.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^api +.*\/api\ndata +.*\n\nweb +.*\/web\ndata +.*\n\nasked from +.*\ndata +.*\nverdict +nothing is wrong\n$/,
    ),
  ]);
  const damaged = join(folder.path, "web/.cra/curated.sqlite");
  writeFileSync(damaged, "no database");
  const mend = `cra index --rebuild --repo ${join(folder.path, "web")}`;
  const { exitCode, stdout } = await here("doctor", "--json");
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      ok: false,
      findings: [],
      repositories: [
        { name: "api", ok: true, findings: [] },
        { name: "web", ok: false, findings: [{ path: damaged, mend }] },
      ],
    },
  ]);
  expect((await here(...mend.split(" ").slice(1))).exitCode).toBe(0);
  expect(await here("doctor", "-q")).toMatchObject({ exitCode: 0 });
});

test("cra recall finds code and commits of each, in words and by meaning, and says which of them is not indexed", async () => {
  using folder = folderOf({ api: API, web: WEB });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["api", "web"]\n');
  const here = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  const found = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await here("recall", ...args, "--types", "code,commits", "--json");
    const items: readonly { readonly metadata: { readonly file_path: string } }[] = JSON.parse(stdout).items;
    return items.map(({ metadata }) => metadata.file_path).sort();
  };
  await here("index", "--repo", "api");
  expect((await here("recall", "login")).stderr).toContain(
    `cra: note: code and commits left out: ${join(folder.path, "web")} is not indexed; run: cra index\n`,
  );
  await here("index");
  expect(await found("submit form login")).toEqual(["api/src/login.ts", "web/src/form.ts"]);
  writeFileSync(join(folder.path, "web/src/field.ts"), "export function submitField(): void {}\n");
  expect(await found("submit field")).toContain("web/src/field.ts");
  expect(existsSync(join(folder.path, ".cra"))).toBe(false);
  await using server = await startOllama({ reply: () => "{}" });
  const model = ["--embedding-model", STAND_IN_MODEL, "--base-url", server.url];
  const made = await here("recall", "--embed-all", "--json", ...model);
  expect(JSON.parse(made.stdout)).toMatchObject({ definitions: 4, commits: 0 });
  expect(await found("signin", ...model)).toContain("api/src/login.ts");
});

test("a hook gives a package of all of them, once each is indexed", async () => {
  using folder = folderOf({ api: API, web: WEB });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["api", "web"]\n');
  const event = { hook_event_name: "UserPromptSubmit", prompt: "fix submitForm, it fails", cwd: folder.path };
  const hook = () => runHere(["hook"], { cwd: folder.path, stdin: JSON.stringify(event) });
  await runHere(["index", "--repo", "api"], { cwd: folder.path });
  expect(await hook()).toMatchObject({ stdout: "", stderr: expect.stringContaining("not indexed; run: cra index") });
  await runHere(["index"], { cwd: folder.path });
  expect((await hook()).stdout).toContain("### web/src/form.ts");
  const inSession = (event: object) =>
    runHere(["hook"], { cwd: folder.path, stdin: JSON.stringify({ ...event, session_id: "one" }) });
  await inSession({ hook_event_name: "SessionStart", source: "startup" });
  expect((await inSession(event)).stdout).toContain("### web/src/form.ts");
  expect((await inSession(event)).stdout).not.toContain("### web/src/form.ts");
});

test("cra enrich asks about the files of each, and no more of all than its limit", async () => {
  using folder = folderOf({ api: API, web: WEB });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["api", "web"]\n');
  const here = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  const answer = {
    purpose: "Books.",
    module: "m",
    domain: "d",
    concepts: [],
    public_api_surface: [],
    complexity_notes: "",
  };
  await using server = await startOllama({
    reply: ({ prompt }) => {
      const paths = [...prompt.matchAll(/^path: (.*)$/gm)].map(([, path]) => path ?? "");
      return JSON.stringify(paths.length < 2 ? answer : { files: paths.map((path) => ({ path, ...answer })) });
    },
  });
  const enrich = ["enrich", "--model", STAND_IN_MODEL, "--base-url", server.url, "--json"];
  expect(await here(...enrich)).toMatchObject({ exitCode: 10, stderr: expect.stringContaining("/api is not indexed") });
  await here("index");
  const limited = JSON.parse((await here(...enrich, "--limit", "1")).stdout);
  expect(limited).toMatchObject({ files: 3, answered: 1, left: 2, promoted: null });
  const { exitCode, stdout } = await here(...enrich, "--promote");
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { answered_before: 1, answered: 2, left: 0, promoted: { files: 3 } },
  ]);
  for (const name of ["api", "web"])
    expect(JSON.parse((await here("status", "--repo", name, "--json")).stdout).enrichment.promoted).toBeGreaterThan(0);
  expect(existsSync(join(folder.path, ".cra"))).toBe(false);
});

test("what is done with one index is refused before anything is done", async () => {
  using folder = folderOf({ api: API, web: WEB });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["api", "web"]\n');
  for (const words of [["--export", "out.cra-export"], ["--watch"]]) {
    const run = await runHere(["index", ...words], { cwd: folder.path });
    expect([run.exitCode, run.stderr]).toEqual([2, `cra: ${words[0]} takes one repository; run it in each of them\n`]);
  }
  expect(readdirSync(folder.path).sort()).toEqual([".cra.toml", "api", "web"]);
});

test("cases are asked of other repositories too, and only files of the right one count", async () => {
  using folder = folderOf({ api: API, web: WEB });
  const one = { id: "one", repo: "acme/api", task: "submitForm calls login", expected_files: ["src/login.ts"] };
  writeFileSync(join(folder.path, "cases.json"), JSON.stringify(one));
  const ranks = async (...args: readonly string[]) => {
    const options = ["--cases", "cases.json", "--repo", "api", "--work", "work", "--events", "jsonl"];
    const { stdout, stderr } = await runHere(["evaluate", ...options, ...args], { cwd: folder.path });
    expect(stderr).not.toContain("expected files are not in the index");
    return JSON.parse(stdout).result.file_ranks;
  };
  expect(await ranks()).toEqual([1]);
  expect(await ranks("--among", "web,api")).toEqual([2]);
  expect(existsSync(join(folder.path, "web/.cra"))).toBe(false);
});

test("files of several repositories are found where each lies, for the editor", async () => {
  using home = tempFolder();
  const app = await openApp({
    environment: { ...environmentIn(home.path), cwd: join(place.path, "home") },
    repo: null,
    flags: [flagLayer(new Map([["workspace.repos", { flag: "--repos", typed: "../api,../web" }]]))],
  });
  expect(app.sourcePath("api/src/login.ts")).toBe(join(place.path, "api/src/login.ts"));
  for (const path of ["api/../../x", "nowhere/x.ts", "src/login.ts"]) expect(app.sourcePath(path)).toBe(null);
  app.close();
});

test("a repository cannot name folders outside of it", async () => {
  for (const path of ["../api", "/etc", "a/../../api"]) {
    using folder = folderOf({ api: API, evil: { ".cra.toml": `[workspace]\nrepos = [${JSON.stringify(path)}]\n` } });
    expect(await runHere(["retrieve", "login"], { cwd: join(folder.path, "evil") })).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("which is outside of this folder"),
    });
  }
});

test("a symbolic link of a repository does not lead out of it", async () => {
  using folder = folderOf({
    api: API,
    evil: { ".cra.toml": '[workspace]\nrepos = ["vendor", "inner"]\n', "own/a.py": "" },
  });
  symlinkSync("own", join(folder.path, "evil/inner"));
  for (const [target, exitCode] of [
    ["../api", 2],
    [join(folder.path, "api"), 2],
    ["own", 0],
  ] as const) {
    const link = join(folder.path, "evil/vendor");
    rmSync(link, { force: true });
    symlinkSync(target, link);
    const run = await runHere(["retrieve", "login"], { cwd: join(folder.path, "evil") });
    expect([target, run.exitCode]).toEqual([target, exitCode]);
    if (exitCode === 2) expect(run.stderr).toContain('"workspace.repos" names vendor, which is outside of this folder');
    expect(existsSync(join(folder.path, "api/.cra"))).toBe(false);
  }
});

test("what concerns one repository, and what is no repository, is refused", async () => {
  expect(await cra("retrieve", "login", ...REPOS, "--diff")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("asked of several"),
  });
  expect(await cra("retrieve", "login", "--repos", "../nowhere")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("there is no such folder"),
  });
});

test("a folder of the home folder is found wherever it stands in a list, which no shell does", async () => {
  const home = (words: readonly string[], variables = {}) =>
    runHere(words, { cwd: join(place.path, "home"), env: { HOME: place.path, ...variables } });
  const search = ["search", "login", "--json"];
  const { stdout } = await home([...search, ...REPOS]);
  for (const found of [
    await home([...search, "--repos", "../api,~/web"]),
    await home(search, { CRA_WORKSPACE_REPOS: "~/api,~/web" }),
  ])
    expect(found).toMatchObject({ exitCode: 0, stdout });
  using folder = folderOf({ api: API });
  writeFileSync(join(folder.path, ".cra.toml"), '[workspace]\nrepos = ["~/web"]\n');
  const refused = await runHere(search, { cwd: folder.path, env: { HOME: place.path } });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("outside of this folder")]);
});

test("repositories of the same name are told apart by their folders", async () => {
  using folder = folderOf({ "a/api": API, "b/api": API, home: { "x.md": "" } });
  const { stdout } = await runHere(["search", "issueToken", "--repos", "../a/api,../b/api", "--json"], {
    cwd: join(folder.path, "home"),
  });
  const hits: readonly { readonly path: string }[] = JSON.parse(stdout).hits;
  expect(new Set(hits.map(({ path }) => path.split("/").slice(0, 2).join("/")))).toEqual(new Set(["a/api", "b/api"]));
});

/** By language: what a manifest is called, a repository, another one whose manifest names its package, and an import between them. */
const LINKED: Readonly<
  Record<string, { manifest: string; lib: Files; app: Files; imports: readonly [string, string] }>
> = {
  npm: {
    manifest: "package.json",
    lib: { "package.json": '{"name":"@x/sums","main":"sums.ts"}', "sums.ts": "export const add = (a: number) => a;\n" },
    app: {
      "package.json": '{"name":"app","dependencies":{"@x/sums":"1"}}',
      "run.ts": 'import { add } from "@x/sums";\nexport const runApp = () => add(1);\n',
    },
    imports: ["run.ts", "sums.ts"],
  },
  go: {
    manifest: "go.mod",
    lib: { "go.mod": "module x.org/lib\n", "pkg/sum.go": "package pkg\n\nfunc Sum(a int) int { return a }\n" },
    app: {
      "go.mod": "module x.org/app\n\nrequire x.org/lib v1.0.0\n",
      "main.go": 'package main\n\nimport "x.org/lib/pkg"\n\nfunc runApp() int { return pkg.Sum(1) }\n',
    },
    imports: ["main.go", "pkg/sum.go"],
  },
  python: {
    manifest: "pyproject.toml",
    lib: {
      "pyproject.toml": '[project]\nname = "my-lib"\n',
      "src/my_lib/__init__.py": "",
      "src/my_lib/sums.py": "def add(a):\n    return a\n",
    },
    app: {
      "pyproject.toml": '[project]\nname = "app"\ndependencies = ["my-lib"]\n',
      "main.py": "from my_lib.sums import add\n\n\ndef run_app():\n    return add(1)\n",
    },
    imports: ["main.py", "src/my_lib/sums.py"],
  },
  cargo: {
    manifest: "Cargo.toml",
    lib: {
      "Cargo.toml": '[package]\nname = "sum-lib"\nversion = "1.0.0"\n',
      "src/lib.rs": "pub mod sums;\n",
      "src/sums.rs": "pub fn add(a: i32) -> i32 {\n    a\n}\n",
    },
    app: {
      "Cargo.toml": '[package]\nname = "app"\n\n[dependencies]\nsum-lib = "1"\n',
      "src/main.rs": "use sum_lib::sums::add;\n\nfn run_app() -> i32 {\n    add(1)\n}\n",
    },
    imports: ["src/main.rs", "src/sums.rs"],
  },
  maven: {
    manifest: "pom.xml",
    lib: {
      "pom.xml": "<project><groupId>org.x</groupId><artifactId>sums</artifactId></project>\n",
      "src/main/java/org/x/lib/Sums.java":
        "package org.x.lib;\n\npublic class Sums {\n  public static int add(int a) {\n    return a;\n  }\n}\n",
    },
    app: {
      "pom.xml":
        "<project><artifactId>app</artifactId><dependencies><dependency><artifactId>sums</artifactId></dependency></dependencies></project>\n",
      "src/main/java/org/x/app/Main.java":
        "package org.x.app;\n\nimport org.x.lib.Sums;\n\nclass Main {\n  int runApp() {\n    return Sums.add(1);\n  }\n}\n",
    },
    imports: ["src/main/java/org/x/app/Main.java", "src/main/java/org/x/lib/Sums.java"],
  },
};

test("imports between ten repositories in five languages, where a manifest names the other's package", async () => {
  const pairs = Object.entries(LINKED);
  using folder = folderOf({
    ...Object.fromEntries(
      pairs.flatMap(([kind, { lib, app }]) => [
        [`${kind}-lib`, lib],
        [`${kind}-app`, app],
      ]),
    ),
    home: { "x.md": "" },
  });
  const repos = pairs.flatMap(([kind]) => [`../${kind}-lib`, `../${kind}-app`]).join(",");
  const edges = async (): Promise<readonly (readonly [string, string])[]> => {
    const options = ["--repos", repos, "--no-quick", "--coverage", "1", "--format", "json"];
    const { stdout } = await runHere(["retrieve", "fix run_app runApp", ...options], {
      cwd: join(folder.path, "home"),
    });
    return JSON.parse(stdout).dependency_edges;
  };
  expect(await edges()).toEqual(
    expect.arrayContaining(
      pairs.map(
        ([
          kind,
          {
            imports: [from, to],
          },
        ]) => [`${kind}-app/${from}`, `${kind}-lib/${to}`],
      ),
    ),
  );
  for (const [kind, { manifest }] of pairs) writeFileSync(join(folder.path, `${kind}-app`, manifest), "\n");
  expect((await edges()).filter(([from]) => from.includes("-app/"))).toEqual([]);
});
