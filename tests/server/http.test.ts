/** The server over real HTTP, in this process: what it answers, refuses, logs, and leaves alone. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { z } from "zod";
import { CLOCK } from "../../src/app/serving/clock-and-ids.ts";
import type { Repositories } from "../../src/app/serving/repositories.ts";
import { DEFAULT_SETTINGS } from "../../src/config/keys.ts";
import { ExplainAnswer, SearchAnswer } from "../../src/present/answers.ts";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { FORMAT_NAMES, FORMATS } from "../../src/retrieval/render/formats.ts";
import { accessOf, type Grant } from "../../src/server/access.ts";
import { BODY_BYTES_MAX } from "../../src/server/body.ts";
import { Problem } from "../../src/server/problem.ts";
import { listen } from "../../src/server/server.ts";
import { tokenHash } from "../../src/store/grants.ts";
import { listing } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { bearer, type HttpServer, post, startServer } from "../support/http-server.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

/** Repositories of one function each, whose text names them. */
const MARKS = ["alpha", "beta", "gamma"] as const;
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  "t-alpha": ["0"],
  "t-both": ["0", "1"],
  "t-all": ["*"],
  "t-none": [],
};

let shop: TempRepo;
let marked: readonly TempRepo[];
let server: HttpServer;
let team: HttpServer;
/** The name of a repository is that of its folder. */
const nameOf = ({ path }: TempRepo): string => path.split("/").at(-1) ?? "";

beforeAll(() => {
  shop = shopRepo();
  marked = MARKS.map((mark) =>
    tempRepo({ "code.py": `def find_${mark}():\n    return "${mark} find cart"\n` }, { git: true }),
  );
  const grants = Object.entries(TOKENS).map(
    ([token, granted]): Grant => ({
      name: token,
      tokenHash: tokenHash(token),
      repositories: granted.map((at) => (at === "*" ? "*" : nameOf(marked[Number(at)] ?? shop))),
    }),
  );
  server = startServer({ folders: [shop.path] });
  team = startServer({ folders: marked.map(({ path }) => path), access: accessOf(grants), freshMs: 60_000 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await team[Symbol.asyncDispose]();
  for (const repo of [shop, ...marked]) repo[Symbol.dispose]();
  expect([...server.bugs, ...team.bugs]).toEqual([]);
});

const problemOf = async (response: Response): Promise<z.infer<typeof Problem>> => {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  expect(problem.instance).toBe(`urn:uuid:${response.headers.get("x-request-id")}`);
  return problem;
};

test("answers are the bytes of the command line", async () => {
  const home = { home: server.dataDir, cwd: shop.path };
  const cli = async (...args: readonly string[]) => (await runHere(args, home)).stdout;
  await cli("index");
  for (const format of FORMAT_NAMES) {
    const response = await post(server, "/v1/retrieve", { task: SHOP_TASK, format });
    expect(response.headers.get("content-type")).toBe(FORMATS[format].mediaType);
    expect(await response.text()).toBe(await cli("retrieve", SHOP_TASK, "--format", format));
  }
  const narrowed = {
    task: "prices",
    budget: 700,
    only: ["shop"],
    rejected_files: ["shop/mail.py"],
    for: "fix",
    coverage: 1,
  };
  const typed = ["--budget", "700", "--only", "shop", "--reject", "shop/mail.py", "--for", "fix", "--coverage", "1"];
  const response = await post(server, "/v1/retrieve", narrowed);
  expect(await response.text()).toBe(await cli("retrieve", "prices", ...typed, "--json"));
  const found = await (await post(server, "/v1/search", { query: "total", limit: 3 })).text();
  expect(found).toBe(await cli("search", "total", "--limit", "3", "--json"));
  SearchAnswer.parse(JSON.parse(found));
});

test("an explanation is that of the recorded run", async () => {
  const timeless = (text: string) => ({ ...ExplainAnswer.parse(JSON.parse(text)), started_at: "", round: 1 });
  const asked = { task: SHOP_TASK, what: "shop/mail.py" };
  const told = await (await post(server, "/v1/explain", asked)).text();
  const home = { home: server.dataDir, cwd: shop.path };
  const { stdout } = await runHere(["retrieve", SHOP_TASK, "--json", "--drop-constraints"], home);
  const { task_id } = ContextPackage.parse(JSON.parse(stdout));
  const said = (await runHere(["explain", task_id, "shop/mail.py", "--json"], home)).stdout;
  expect(timeless(told)).toEqual(timeless(said));
  expect((await problemOf(await post(server, "/v1/explain", { task: SHOP_TASK, what: "nowhere.py" }))).status).toBe(
    404,
  );
});

test("what happens on the way comes as events, and the last one is the answer", async () => {
  const plain = await (await post(server, "/v1/retrieve", { task: SHOP_TASK })).text();
  const response = await post(server, "/v1/retrieve", { task: SHOP_TASK }, { accept: "text/event-stream" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = (await response.text()).split("\n\n").filter(Boolean).map(eventOf);
  const names = events.map(({ name }) => name);
  expect(names[0]).toBe("run_started");
  // Packing is one more.
  expect(names.filter((name) => name === "stage_finished")).toHaveLength(DEFAULT_SETTINGS.stages.length + 1);
  expect(names.filter((name) => name === "answer" || name === "package")).toEqual(["answer"]);
  expect(events.at(-1)).toEqual({ name: "answer", data: plain });
  const wrong = await post(server, "/v1/retrieve", { task: SHOP_TASK, budget: 1 }, { accept: "text/event-stream" });
  const last = (await wrong.text()).split("\n\n").filter(Boolean).map(eventOf).at(-1);
  expect(last?.name).toBe("problem");
  expect(Problem.parse(JSON.parse(last?.data ?? "")).code).toBe("budget-below-floor");
});

function eventOf(text: string): { readonly name: string; readonly data: string } {
  const [first = "", ...rest] = text.split("\n");
  return { name: first.replace("event: ", ""), data: rest.map((line) => line.replace("data: ", "")).join("\n") };
}

test("a changed file is found in the next answer, and nothing is written into the work tree", async () => {
  using repo = tempRepo({ "a.py": "def first():\n    pass\n" }, { git: true });
  await using own = startServer({ folders: [repo.path] });
  const hits = async (query: string) =>
    SearchAnswer.parse(await (await post(own, "/v1/search", { query })).json()).hits.map(({ path }) => path);
  expect(await hits("second")).toEqual([]);
  repo.write({ "b.py": "def second():\n    pass\n" });
  const before = listing(repo.path);
  expect(await hits("second")).toContain("b.py");
  await post(own, "/v1/retrieve", { task: "change second" });
  expect(listing(repo.path)).toEqual(before);
});

test("no answer crosses a grant, and one that is missing is not told from one that is not granted", async () => {
  const names = marked.map(nameOf);
  const request = fc.record({
    token: fc.constantFrom(...Object.keys(TOKENS), "t-unknown", ""),
    repository: fc.option(fc.constantFrom(...names, "nowhere", "*", "")),
    path: fc.constantFrom("/v1/retrieve", "/v1/search", "/v1/explain", "/v1/repositories", "/mcp"),
    tool: fc.constantFrom("retrieve", "search", "read", "explain"),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ token, repository, path, tool }) => {
      const granted = TOKENS[token]?.flatMap((at) => (at === "*" ? [0, 1, 2] : [Number(at)])) ?? [];
      const text = await (await asked(token, repository, path, tool)).text();
      for (const [at, mark] of MARKS.entries()) {
        const isShown =
          text.includes(`return "${mark}`) || text.includes(`return \\"${mark}`) || text.includes(`find_${mark}`);
        if (!granted.includes(at))
          expect({ isShown, named: text.includes(names[at] ?? "-") }).toEqual({ isShown: false, named: false });
        // Tools read an empty name as one left out.
        else if (isShown && repository !== null && !(path === "/mcp" && repository === ""))
          expect(repository).toBe(names[at] ?? "");
      }
    }),
    { numRuns: 120 },
  );
  const refusals = ["nowhere", names[1] ?? "", names[2] ?? ""].map(async (repository) => {
    const response = await post(team, "/v1/retrieve", { task: "find cart", repository }, bearer("t-alpha"));
    const { instance: _, ...rest } = await problemOf(response);
    const headers = [...response.headers].filter(([name]) => !["x-request-id", "date"].includes(name));
    return JSON.stringify([rest, headers]);
  });
  expect(new Set(await Promise.all(refusals)).size).toBe(1);
});

/** What a client of any kind would send. The words that it looks for are in every repository. */
function asked(token: string, repository: string | null, path: string, tool: string): Promise<Response> {
  const headers = { ...(token === "" ? {} : bearer(token)), accept: "application/json, text/event-stream" };
  const named = repository === null ? {} : { repository };
  if (path === "/v1/repositories") return fetch(`${team.url}${path}`, { headers });
  const words = path === "/v1/search" ? { query: "find cart" } : { task: "find cart" };
  if (path !== "/mcp") return post(team, path, { ...named, ...words }, { ...headers, accept: "application/json" });
  const args = {
    retrieve: { task: "find cart" },
    explain: { task: "find cart" },
    search: { query: "find cart" },
    read: { what: "code.py" },
  };
  const { [tool]: given = {} }: Readonly<Record<string, object>> = args;
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: tool, arguments: { ...named, ...given } },
  };
  return post(team, path, call, headers);
}

test("a wrong request is refused with a document, and with nothing else", async () => {
  const at = "/v1/retrieve";
  const json = (body: unknown, headers = {}) => post(server, at, body, headers);
  const cases: readonly (readonly [Promise<Response>, number, string])[] = [
    [json("{"), 400, "not-json"],
    [json(""), 400, "not-json"],
    [json(`${"[".repeat(200_000)}${"]".repeat(200_000)}`), 400, "not-json"],
    [json([]), 400, "usage"],
    [json("null"), 400, "usage"],
    [json({}), 400, "usage"],
    [json({ task: " " }), 400, "usage"],
    [json({ task: 7 }), 400, "usage"],
    [json({ task: "x", model: "qwen", base_url: "http://169.254.169.254" }), 400, "usage"],
    [json({ task: "x", only: ["../../etc"] }), 400, "usage"],
    [json({ task: "x", accepted_files: ["/etc/passwd"] }), 400, "usage"],
    [json({ task: "x", budget: 10_000_000 }), 400, "usage"],
    [json({ task: "x", budget: 1 }), 422, "budget-below-floor"],
    [json({ task: "x", repository: "nowhere" }), 404, "no-repository"],
    [json({ task: "x" }, { "content-type": "text/plain" }), 415, "not-json"],
    [json(`{"task":"${"a".repeat(BODY_BYTES_MAX)}"}`), 413, "too-large"],
    [post(server, "/mcp", `{"task":"${"a".repeat(BODY_BYTES_MAX)}"}`), 413, "too-large"],
    [json({ task: "x" }, { origin: "https://evil.example" }), 403, "strange-host"],
    [json({ task: "x" }, { origin: "null" }), 403, "strange-host"],
    [json({ task: "x" }, { host: "evil.example" }), 403, "strange-host"],
    [post(server, "/mcp", {}, { host: "evil.example" }), 403, "strange-host"],
    [fetch(`${server.url}${at}`), 405, "no-method"],
    [fetch(`${server.url}/v1/../../etc/passwd`), 404, "no-route"],
    [fetch(`${server.url}/.git/config`), 404, "no-route"],
    [post(team, at, { task: "x" }), 401, "no-token"],
    [post(team, "/mcp", {}, bearer("t-unknown")), 401, "no-token"],
    [fetch(`${team.url}/v1/repositories`), 401, "no-token"],
    [post(team, at, { task: "x" }, bearer("t-both")), 400, "usage"],
    [post(team, at, { task: "x" }, bearer("t-none")), 404, "no-repository"],
  ];
  for (const [sent, status, code] of cases) expect(await problemOf(await sent)).toMatchObject({ status, code });
  const chunked = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
  });
  const headers = { "content-type": "application/json" };
  const endless = await fetch(`${server.url}${at}`, { method: "POST", headers, body: chunked });
  expect(await problemOf(endless)).toMatchObject({ status: 413, code: "too-large" });
  const bytes = await fetch(`${server.url}${at}`, { method: "POST", headers, body: new Uint8Array([34, 255, 34]) });
  expect(await problemOf(bytes)).toMatchObject({ status: 400, code: "not-json" });
  const unknown = await post(team, at, { task: "x" });
  expect(unknown.headers.get("www-authenticate")).toStartWith("Bearer");
});

test("the state of the server is open to all, and says nothing of repositories", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics", "/openapi.json"]) {
    const response = await fetch(`${team.url}${path}`);
    const text = await response.text();
    for (const repo of marked) expect(text).not.toContain(nameOf(repo));
    expect(text).not.toContain("t-alpha");
  }
  const described = z
    .object({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })
    .parse(await (await fetch(`${server.url}/openapi.json`)).json());
  expect(Object.keys(described.paths)).toEqual(["/v1/retrieve", "/v1/search", "/v1/explain", "/v1/repositories"]);
  expect(JSON.stringify(described)).toContain("missing_symbols");
  const evil = await fetch(`${server.url}/metrics`, { headers: { host: "evil.example" } });
  expect(evil.status).toBe(200);
});

test("what can be got can be asked for without its body", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics", "/v1/repositories"]) {
    const response = await fetch(`${server.url}${path}`, { method: "HEAD" });
    expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
  }
  expect((await fetch(`${server.url}/v1/retrieve`, { method: "HEAD" })).status).toBe(405);
});

const PAGE_BYTES = 4_096;

test("a damaged index of the server's own is made anew", async () => {
  using repo = tempRepo({ "a.py": "def find_f(): pass\n" }, { git: true });
  await using own = startServer({ folders: [repo.path], freshMs: 0 });
  const ask = async () => (await post(own, "/v1/search", { query: "find_f" })).status;
  expect(await ask()).toBe(200);
  const [folder = ""] = readdirSync(own.dataDir);
  const path = join(own.dataDir, folder, "curated.sqlite");
  writeFileSync(path, "x".repeat(100_000));
  expect(await ask()).toBe(200);
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200);
  // Comparing the index with the source reads few of its pages, so only an answer meets what is wrong with the others.
  const statuses: number[] = [];
  for (let page = 1; page < readFileSync(path).length / PAGE_BYTES; page += 1) {
    writeFileSync(path, readFileSync(path).fill("x", page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
    const first = await post(own, "/v1/search", { query: "find_f" });
    if (first.status !== 200) expect(await problemOf(first)).toMatchObject({ status: 503, code: "index-damaged" });
    statuses.push(first.status);
    expect([page, await ask()]).toEqual([page, 200]);
  }
  expect(statuses).toContain(503);
});

test("whether the process lives is told whatever host is named, and to requests that name none", async () => {
  expect((await fetch(`${server.url}/healthz`, { headers: { host: "evil.example" } })).status).toBe(200);
  expect(await rawStatus("GET /healthz HTTP/1.0\r\n\r\n")).toBe("HTTP/1.1 200 OK");
  expect(await rawStatus("GET //other/healthz HTTP/1.0\r\n\r\n")).toBe("HTTP/1.1 404 Not Found");
  expect(await rawStatus("GET /v1/repositories HTTP/1.0\r\n\r\n")).toBe("HTTP/1.1 403 Forbidden");
});

test("a request with two Host headers is refused on every route", async () => {
  for (const path of ["/healthz", "/metrics", "/v1/repositories", "/nowhere"])
    for (const other of ["localhost", "evil.example"])
      expect(await rawStatus(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: ${other}\r\n\r\n`)).toBe(
        "HTTP/1.1 400 Bad Request",
      );
});

/** The first line of the answer to what is sent as it is. */
async function rawStatus(request: string): Promise<string> {
  const answer = Promise.withResolvers<string>();
  let text = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port,
    socket: {
      data(_, bytes) {
        text += bytes.toString();
        if (text.includes("\r\n")) answer.resolve(text.split("\r\n")[0] ?? "");
      },
      close: () => answer.resolve(text),
    },
  });
  socket.write(request);
  const line = await answer.promise;
  socket.end();
  return line;
}

test("a repository that cannot be read any more is not ready, and no bug", async () => {
  using repo = tempRepo({ "a.py": "def find_f(): pass\n" }, { git: true });
  await using own = startServer({ folders: [repo.path], freshMs: 0 });
  const ask = () => post(own, "/v1/search", { query: "find_f" });
  expect((await ask()).status).toBe(200);
  repo.write({ ".cra.toml": "x = [" });
  const refused = await ask();
  expect(await problemOf(refused)).toMatchObject({ status: 503, code: "config" });
  expect((await fetch(`${own.url}/readyz`)).status).toBe(503);
  repo.remove(".cra.toml");
  expect((await ask()).status).toBe(200);
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200);
});

/** A repository that nothing is ever known of. */
const never: Repositories = {
  names: async () => ["x"],
  open: (_, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  missing: async () => "the repository is not indexed yet",
  distrust() {},
  prepare: async () => {},
  close: async () => {},
};

test("too many, too long and too slow requests are told when to come again", async () => {
  await using slow = startServer({ repositories: never, limits: { timeLimitMs: 200, bodyMs: 100, atOnce: 1 } });
  const late = await post(slow, "/v1/retrieve", { task: "x" });
  expect(late.headers.get("retry-after")).toBe("5");
  expect(await problemOf(late)).toMatchObject({ status: 503, code: "too-long" });
  expect((await fetch(`${slow.url}/readyz`)).status).toBe(503);
  const headers = { "content-type": "application/json" };
  const dripping = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([32])) });
  const body = await fetch(`${slow.url}/v1/retrieve`, { method: "POST", headers, body: dripping });
  expect(await problemOf(body)).toMatchObject({ status: 408, code: "too-slow" });
  const many = await Promise.all(Array.from({ length: 230 }, () => post(slow, "/v1/retrieve", { task: "x" })));
  const codes = await Promise.all(many.map(async (response) => (await problemOf(response)).code));
  expect(codes.filter((code) => code === "busy").length).toBeGreaterThan(0);
  await using strict = startServer({ repositories: never, limits: { aMinute: 2 } });
  const answers = await Promise.all([1, 2, 3].map(() => fetch(`${strict.url}/v1/repositories`)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("no two servers listen on one port", async () => {
  const times = { timeLimitMs: 1_000, nowMs: CLOCK.nowMs };
  const other = { answer: async () => new Response(), open: () => 0, refuse() {}, stop: async () => {} };
  expect(() => listen(other, { host: "127.0.0.1", port: server.port, ...times })).toThrow("in use");
});

test("each call of a batch counts as a request", async () => {
  await using own = startServer({ folders: [shop.path], limits: { aMinute: 10 } });
  const accept = { accept: "application/json, text/event-stream" };
  const batch = Array.from({ length: 30 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
  const response = await post(own, "/mcp", batch, accept);
  expect((await response.text()).match(/^data: /gm)).toHaveLength(30);
  const next = await post(own, "/mcp", batch.slice(0, 1), accept);
  expect(await problemOf(next)).toMatchObject({ status: 429, code: "too-many" });
  expect(Number(next.headers.get("retry-after"))).toBeGreaterThan(100);
});

test("the work for a client that is gone ends, and the log says so", async () => {
  await using slow = startServer({ repositories: never });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "retrieve", arguments: { task: "x" } } };
  const streams = { accept: "application/json, text/event-stream" };
  const cases = [
    ["/v1/retrieve", { task: "x" }, {}],
    ["/v1/retrieve", { task: "x" }, { accept: "text/event-stream" }],
    ["/mcp", call, streams],
  ] as const;
  for (const [path, body, headers] of cases) {
    const leave = new AbortController();
    const sent = fetch(`${slow.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: leave.signal,
    }).then((response) => response.text());
    while (slow.handler.open() === 0) await Bun.sleep(5);
    await Bun.sleep(50);
    leave.abort();
    await expect(sent).rejects.toThrow();
    while (slow.handler.open() > 0) await Bun.sleep(5);
    expect(slow.log.at(-1)).toMatchObject({ route: path, ended: "client gone" });
  }
  for (const mode of ["legacy", "auto"] as const) {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${slow.url}/mcp`)));
    const leave = new AbortController();
    const args = { name: "retrieve", arguments: { task: "x" } };
    const called = client.callTool(args, { signal: leave.signal });
    while (slow.handler.open() === 0) await Bun.sleep(5);
    await Bun.sleep(50);
    leave.abort();
    await expect(called).rejects.toThrow();
    await client.close();
    while (slow.handler.open() > 0) await Bun.sleep(5);
  }
  expect(slow.bugs).toEqual([]);
});

test("the log has every request, and no task unless it is asked to", async () => {
  const secret = "a task that nobody else may read";
  await using quiet = startServer({ folders: [shop.path] });
  await using open = startServer({ folders: [shop.path], logsTasks: true });
  for (const one of [quiet, open]) {
    await post(one, "/v1/retrieve", { task: secret });
    await post(one, "/v1/search", { query: secret });
    await post(one, "/v1/nowhere", { query: secret });
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "retrieve", arguments: { task: secret } },
    };
    await post(one, "/mcp", call, { accept: "application/json, text/event-stream" });
  }
  expect(quiet.log.map(({ route, status }) => `${route} ${status}`)).toEqual([
    "/v1/retrieve 200",
    "/v1/search 200",
    "none 404",
    "/mcp 200",
  ]);
  expect(JSON.stringify(quiet.log)).not.toContain("nobody else");
  expect(JSON.stringify(open.log).split("nobody else")).toHaveLength(4);
  expect(quiet.log[0]).toMatchObject({ event: "request", method: "POST", caller: "anyone", repository: nameOf(shop) });
});

test("a bug is an error without details, and the server goes on", async () => {
  const broken: Repositories = { ...never, open: () => Promise.reject(new Error("a bug in /srv/data")) };
  await using own = startServer({ repositories: broken });
  const response = await post(own, "/v1/retrieve", { task: "x" });
  expect(await problemOf(response)).toMatchObject({ status: 500, detail: expect.not.stringContaining("srv") });
  expect(own.bugs.map(String)).toEqual(["Error: a bug in /srv/data"]);
  expect((await fetch(`${own.url}/healthz`)).status).toBe(200);
});

test("at its end it answers what is open and takes nothing new", async () => {
  const own = startServer({ folders: [shop.path] });
  const open = post(own, "/v1/retrieve", { task: SHOP_TASK });
  while (own.handler.open() === 0) await Bun.sleep(1);
  const ended = own.end();
  expect((await open).status).toBe(200);
  await ended;
  await expect(fetch(`${own.url}/healthz`)).rejects.toThrow();
  await own[Symbol.asyncDispose]();
  await using slow = startServer({ repositories: never, drainMs: 100 });
  const cut = post(slow, "/v1/retrieve", { task: "x" });
  while (slow.handler.open() === 0) await Bun.sleep(1);
  await slow.end();
  expect(await problemOf(await cut)).toMatchObject({ status: 503, code: "ending" });
});

test("a server that is busy ends no later than it was told to", async () => {
  await using slow = startServer({ repositories: never, drainMs: 400 });
  const cut = post(slow, "/v1/retrieve", { task: "x" });
  while (slow.handler.open() === 0) await Bun.sleep(1);
  const busy = setInterval(() => Bun.sleepSync(200), 1);
  const startedMs = performance.now();
  await slow.end();
  clearInterval(busy);
  // Each look at what is open waits for other work.
  expect(performance.now() - startedMs).toBeLessThan(3_000);
  expect(await problemOf(await cut)).toMatchObject({ status: 503, code: "ending" });
});
