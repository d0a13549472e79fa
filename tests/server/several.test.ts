/** A request to several repositories of a server: only what is granted is opened, and what is not looks like what does not exist. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { openLocalRepositories } from "../../src/app/serving/local-repositories.ts";
import type { Repositories } from "../../src/app/serving/repositories.ts";
import { accessOf, type Grant } from "../../src/server/access.ts";
import { tokenHash } from "../../src/store/grants.ts";
import { environmentIn } from "../support/environment.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { bearer, type HttpServer, post, startServer } from "../support/http-server.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

setDefaultTimeout(HANG_MS);

const MARKS = ["alpha", "beta", "gamma"] as const;
/** Tokens by the repositories that they may read. */
const GRANTS: Readonly<Record<string, readonly number[]>> = { none: [], first: [0], two: [0, 1], all: [0, 1, 2] };

let data: TempFolder;
let repos: readonly TempRepo[];
let server: HttpServer;
const opened: string[] = [];
const nameOf = (at: number): string => repos[at]?.path.split("/").at(-1) ?? "";

const grants = (): readonly Grant[] =>
  Object.entries(GRANTS).map(([name, granted]) => ({
    ...{ name, tokenHash: tokenHash(name) },
    repositories: granted.map(nameOf),
  }));

beforeAll(() => {
  data = tempFolder();
  repos = MARKS.map((mark) =>
    tempRepo({ "code.py": `def find_${mark}(cart):\n    return "${mark}"\n` }, { git: true }),
  );
  const local = openLocalRepositories({
    environment: environmentIn(data.path),
    folders: repos.map(({ path }) => path),
    dataDir: data.path,
    freshMs: 60_000,
    report: () => {},
  });
  const repositories: Repositories = {
    ...local,
    open(name, signal) {
      opened.push(name);
      return local.open(name, signal);
    },
  };
  server = startServer({ repositories, access: accessOf(grants()) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const one of [data, ...repos]) one[Symbol.dispose]();
  expect(server.bugs).toEqual([]);
});

const ask = async (path: string, token: string, body: object) => {
  const response = await post(server, path, body, bearer(token));
  return { status: response.status, text: await response.text() };
};

test("one package from several is that of the command line", async () => {
  const body = { task: "find cart", repositories: [nameOf(0), nameOf(1)] };
  const { status, text } = await ask("/v1/retrieve", "two", body);
  expect(status).toBe(200);
  for (const at of [0, 1]) expect(text).toContain(`"${nameOf(at)}/code.py"`);
  using home = tempFolder();
  const folders = [0, 1].map((at) => repos[at]?.path ?? "").join(",");
  const args = ["retrieve", "find cart", "--repos", folders, "--no-quick", "--json"];
  const { stdout } = await runHere(args, { cwd: repos[2]?.path ?? "", home: home.path });
  // The id of a task follows from how its repositories were named too.
  const withoutTaskId = (json: string) => ({ ...JSON.parse(json), task_id: "", document: null });
  expect(withoutTaskId(stdout)).toEqual(withoutTaskId(text));
  const explained = await ask("/v1/explain", "two", { ...body, what: `${nameOf(1)}/code.py` });
  expect(explained).toMatchObject({ status: 200, text: expect.stringContaining("find_beta") });
});

test("agents name several for each call", async () => {
  const call = async (name: string, args: object, token = "all") => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
    const accept = { ...bearer(token), accept: "application/json, text/event-stream" };
    return await (await post(server, "/mcp", message, accept)).text();
  };
  const repositories = [nameOf(1), nameOf(2)];
  expect(await call("retrieve", { task: "find cart", repositories })).toContain("find_gamma");
  expect(await call("read", { what: "find_beta", repositories })).toContain(`${nameOf(1)}/code.py`);
  const refused = await call("search", { query: "find", repositories: [nameOf(2)] }, "two");
  expect(refused).not.toContain("gamma");
  expect(await call("search", { query: "find", repositories: ["nowhere"] }, "two")).toBe(refused);
});

test("no list of names and globs opens or shows what is not granted, or tells whether it exists", async () => {
  const names = fc.constantFrom(...[0, 1, 2].map(nameOf), "nowhere", "*", "*o*", `${nameOf(2).slice(0, -1)}*`, "");
  const lists = fc.array(names, { minLength: 1, maxLength: 3 });
  const absent = await ask("/v1/search", "none", { query: "find", repositories: ["nowhere"] });
  expect(absent.status).toBe(404);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(GRANTS)), lists, async (token, repositories) => {
      opened.length = 0;
      const granted = (GRANTS[token] ?? []).map(nameOf);
      const { status, text } = await ask("/v1/search", token, { query: "find", repositories });
      for (const name of opened) expect(granted).toContain(name);
      for (const [at, mark] of MARKS.entries()) if (!granted.includes(nameOf(at))) expect(text).not.toContain(mark);
      if (repositories.includes("")) expect(status).toBe(400);
      else if (repositories.some((name) => !name.includes("*") && !granted.includes(name))) expect(status).toBe(404);
      if (status === 404) expect(withoutId(text)).toBe(withoutId(absent.text));
    }),
    { numRuns: 30 },
  );
});

/** Every answer has the id of its request. */
const withoutId = (problem: string): string => problem.replace(/urn:uuid:[\w-]+/, "");

test("a repository that cannot be read is left out of what only a glob names, and the answer says so", async () => {
  using home = tempFolder();
  using broken = tempRepo({ "code.py": "def find_broken(cart):\n    pass\n", ".cra.toml": "x = [" }, { git: true });
  const folders = [broken.path, repos[0]?.path ?? ""];
  const place = { environment: environmentIn(home.path), dataDir: home.path, freshMs: 0, report: () => {} };
  const access = accessOf([{ name: "ada", tokenHash: tokenHash("ada"), repositories: ["*"] }]);
  await using own = startServer({ repositories: openLocalRepositories({ ...place, folders }), access });
  const asked = async (path: string, body: object) => {
    const response = await post(own, path, body, bearer("ada"));
    return { status: response.status, body: await response.json() };
  };
  const name = broken.path.split("/").at(-1) ?? "";
  const why = `${name} is left out: this repository cannot be read now; the server's log says why`;
  const all = { repositories: ["*"] };
  expect(await asked("/v1/search", { query: "find", ...all })).toMatchObject({
    status: 200,
    body: { note: why, hits: expect.arrayContaining([expect.objectContaining({ name: "find_alpha" })]) },
  });
  expect(await asked("/v1/retrieve", { task: "find cart", ...all })).toMatchObject({
    status: 200,
    body: { warnings: expect.arrayContaining([why]), files: [{ path: `${nameOf(0)}/code.py` }] },
  });
  const read = async (what: string) => {
    const params = { name: "read", arguments: { what, ...all } };
    const accept = { ...bearer("ada"), accept: "application/json, text/event-stream" };
    return await (await post(own, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, accept)).text();
  };
  expect(await read("find_alpha")).toContain(`Note: ${why}`);
  expect(await read("find_broken")).toMatch(new RegExp(`nothing is called .*find_broken.*; ${why}; look for it with`));
  expect(JSON.stringify(await asked("/v1/explain", { task: "find cart", ...all }))).toContain(why);
  expect(own.bugs.map(String).join()).toContain(".cra.toml");
  for (const repositories of [[name, "*"], [`${name}*`]])
    expect(await asked("/v1/search", { query: "find", repositories })).toMatchObject({
      status: 503,
      body: { code: "config" },
    });
});

test("the log names every call of a batch", async () => {
  const call = (id: number, name: string, args: object) => ({
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: { name, arguments: args },
  });
  const [one, other] = [nameOf(0), nameOf(1)];
  const batch = [
    call(1, "search", { query: "find cart", repository: one }),
    call(2, "read", { what: "code.py", repository: other }),
    call(3, "read", { what: "code.py", repository: one }),
  ];
  const accept = { ...bearer("all"), accept: "application/json, text/event-stream" };
  await using own = startServer({
    folders: repos.map(({ path }) => path),
    access: accessOf(grants()),
    logsTasks: true,
  });
  await (await post(own, "/mcp", batch, accept)).text();
  expect(own.log.at(-1)).toMatchObject({
    tool: "search,read,read",
    repository: `${one},${other}`,
    arguments: '{"query":"find cart"}\n{"what":"code.py"}\n{"what":"code.py"}',
  });
});

test("one and several exclude each other", async () => {
  const both = { query: "find", repository: nameOf(0), repositories: [nameOf(0)] };
  expect(await ask("/v1/search", "all", both)).toMatchObject({
    status: 400,
    text: expect.stringContaining("exclude each other"),
  });
});

test("an agent is told what is wrong with the repositories that it names, and where their names are", async () => {
  const told = async (args: object) => {
    const params = { name: "search", arguments: { query: "find", ...args } };
    const accept = { ...bearer("all"), accept: "application/json, text/event-stream" };
    return await (await post(server, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, accept)).text();
  };
  expect(await told({ repository: nameOf(0), repositories: [nameOf(0)] })).toContain("exclude each other");
  expect(await told({ repositories: 7 })).toContain("repositories: Invalid input: expected array");
  // One name is a list of one.
  expect(await told({ repositories: nameOf(0) })).toContain("code.py");
  expect(await told({ repositories: [] })).toContain("repositories: Too small");
  expect(await told({ repository: 7 })).toContain("repository: Invalid input: expected string");
  const unknown = await told({ repository: "nowhere" });
  expect(unknown).toContain("there is no such repository");
  expect(unknown).not.toContain("GET");
});
