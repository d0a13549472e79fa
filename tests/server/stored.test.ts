/** A server without a checkout: it answers from what was pushed to a store, for holders of its tokens. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLOCK } from "../../src/app/serving/clock-and-ids.ts";
import { openStoredRepositories } from "../../src/app/serving/stored-repositories.ts";
import { Failed } from "../../src/failure.ts";
import { accessThrough } from "../../src/server/access.ts";
import { environmentIn } from "../support/environment.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { bearer, type HttpServer, post, startServer, startServerProcess } from "../support/http-server.ts";
import { postgresProblem, sharedPostgres } from "../support/postgres.ts";
import type { TempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
/** The store as its owner opens it, and as a role that may only do what a server needs. */
let address = "";
let served = "";
let home: TempFolder;
let shop: TempRepo;
/** What the servers of these tests end with. */
const servers: HttpServer[] = [];

const cra = async (...args: readonly string[]): Promise<string> => {
  const run = await runHere(args, { cwd: shop.path, home: home.path });
  if (run.exitCode !== 0) throw new Error(run.stderr);
  return run.stdout;
};
const push = (name: string, ...more: readonly string[]) => cra("push", "--to", address, "--name", name, ...more);
const grant = async (name: string, repository: string): Promise<string> =>
  /cra_[\w-]{43}/.exec(await cra("store", "grant", name, "--repository", repository, "--at", address))?.[0] ?? "";

const openStored = (data: Pick<TempFolder, "path">, freshMs: number) =>
  openStoredRepositories({
    environment: environmentIn(data.path),
    store: { address: served, flag: "--from" },
    dataDir: join(data.path, "data"),
    branches: ["main"],
    freshMs,
    report: () => {},
  });

/** A server of the store with an empty data folder, as another replica is, or with that of an earlier one. */
async function replica(data: Pick<TempFolder, "path"> = tempFolder(), freshMs = 0): Promise<HttpServer> {
  const { repositories, grantOf } = await openStored(data, freshMs);
  const server = startServer({ repositories, access: accessThrough(grantOf, CLOCK.nowMs) });
  servers.push(server);
  return server;
}

beforeAll(async () => {
  if (postgresProblem !== null) return;
  postgres = await sharedPostgres();
  address = await postgres.createDatabase();
  home = tempFolder();
  shop = shopRepo();
  shop.write({ ".cra.toml": "budget = 900\n" });
  shop.commit("Say how large a package is");
  await postgres.query(address, "create role server login");
  await cra("store", "init", "--server", "server", "--at", address);
  served = address.replace("owner@", "server@");
});
afterAll(async () => {
  if (postgresProblem !== null) return;
  for (const server of servers) {
    await server[Symbol.asyncDispose]();
    expect(server.bugs.filter((bug) => !(bug instanceof Failed))).toEqual([]);
  }
  shop[Symbol.dispose]();
  home[Symbol.dispose]();
});

const stored = test.skipIf(postgresProblem !== null);

stored("packages, hits and explanations are those of the checkout, from every replica", async () => {
  await push("acme/shop", "--with-text");
  const token = bearer(await grant("ada", "acme/*"));
  const expected = await cra("retrieve", SHOP_TASK, "--json");
  const hits = await cra("search", "discount", "--json");
  for (const server of [await replica(), await replica()]) {
    const ask = async (path: string, body: object) => await (await post(server, path, body, token)).text();
    expect(await ask("/v1/retrieve", { task: SHOP_TASK })).toBe(expected);
    expect(await ask("/v1/search", { query: "discount", repository: "acme/shop" })).toBe(hits);
    expect(await ask("/v1/explain", { task: SHOP_TASK, what: "shop/cart.py" })).toContain("shop/cart.py");
    const read = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "read", arguments: { what: "Cart.sum" } },
    };
    const accept = { ...token, accept: "application/json, text/event-stream" };
    expect(await (await post(server, "/mcp", read, accept)).text()).toContain("return total(self.items)");
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: "ready" });
  }
  expect(expected).toContain('"budget": 900');
});

stored("a grant of the store decides, an end of it too, and a repository without texts is not served", async () => {
  await push("other/shop", "--with-text");
  await push("acme/bare");
  const own = await grant("bob", "other/shop");
  const [server, status] = [
    await replica(),
    async (of: HttpServer, token: string, body: object) =>
      (await post(of, "/v1/search", { query: "cart", ...body }, token === "" ? {} : bearer(token))).status,
  ];
  expect(await status(server, own, {})).toBe(200);
  expect(await status(server, own, { repository: "acme/shop" })).toBe(404);
  expect(await status(server, own, { repository: "nowhere" })).toBe(404);
  expect(await status(server, "", {})).toBe(401);
  expect(await status(server, `cra_${"a".repeat(43)}`, {})).toBe(401);
  const bare = { query: "cart", repository: "acme/bare" };
  const refused = await post(server, "/v1/search", bare, bearer(await grant("eve", "*")));
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await refused.json()).toMatchObject({
    ...{ status: 503, code: "not-indexed" },
    detail: "it cannot be served as it was pushed; push it with this version of cra: cra push --with-text",
  });
  await cra("store", "revoke", "bob", "--at", address);
  expect(await status(await replica(), own, {})).toBe(401);
});

stored("what is pushed next is served next, and a store that went away is used again when it is back", async () => {
  const token = bearer(await grant("carl", "acme/shop"));
  const server = await replica();
  const hits = async () => (await post(server, "/v1/search", { query: "refund" }, token)).text();
  expect(await hits()).not.toContain("shop/refund.py");
  shop.write({ "shop/refund.py": "def refund(order):\n    return -order.cents\n" });
  shop.commit("Add refunds");
  await push("acme/shop", "--with-text");
  expect(await hits()).toContain("shop/refund.py");
  await postgres.crash();
  for (let tries = 0; tries < 5; tries += 1) {
    const response = await post(server, "/v1/search", { query: "refund" }, token);
    expect([200, 503]).toContain(response.status);
    if (response.status === 200) break;
  }
  expect(await hits()).toContain("shop/refund.py");
});

stored("a store that is of another version for a while is used again afterwards", async () => {
  using data = tempFolder();
  const { repositories, grantOf } = await openStored(data, 0);
  const nobody = `cra_${"n".repeat(43)}`;
  // Lost first, so that it is opened again.
  await postgres.query(address, "alter schema cra rename to away");
  await expect(grantOf(nobody)).rejects.toMatchObject({ failure: { code: "store-unavailable" } });
  await postgres.query(address, "alter schema away rename to cra; update cra.store set version = version + 1");
  await expect(grantOf(nobody)).rejects.toMatchObject({ failure: { code: "store-refused" } });
  await postgres.query(address, "update cra.store set version = version - 1");
  expect(await grantOf(nobody)).toBe(null);
  await repositories.close();
});

stored("a commit that is not trusted is left out, and the one before goes on answering", async () => {
  const token = bearer(await grant("erin", "acme/shop"));
  const server = await replica();
  const found = async (of: HttpServer) => await post(of, "/v1/search", { query: "discount" }, token);
  expect((await found(server)).status).toBe(200);
  shop.write({ "shop/forged.py": "def forged_discount():\n    pass\n" });
  const commit = shop.commit("Add what will be forged");
  await push("acme/shop", "--with-text");
  await postgres.query(
    address,
    `update cra.snapshots set index_hash = repeat('0', 64) where commit_hash = '${commit}'`,
  );
  const after = await found(server);
  expect(after.status).toBe(200);
  expect(await after.text()).not.toContain("forged");
  const refused = await found(await replica());
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: "store-refused" });
  await postgres.query(address, `delete from cra.snapshots where commit_hash = '${commit}'`);
  shop.git("reset", "--quiet", "--hard", "HEAD~1");
  expect((await found(server)).status).toBe(200);
});

/** The only index below a folder of the system's temporary ones. */
const indexBelow = (folder: string): string =>
  join(
    folder,
    readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("curated.sqlite")) ?? "",
  );

const PAGE_BYTES = 4_096;

stored("a damaged index is fetched again", async () => {
  await push("acme/shop", "--with-text");
  const token = bearer(await grant("fay", "acme/shop"));
  using data = tempFolder();
  const ask = async (of: HttpServer) => await post(of, "/v1/search", { query: "discount" }, token);
  let server = await replica(data);
  const expected = await (await ask(server)).text();
  const path = indexBelow(data.path);
  const middle = (bytes: Buffer): Buffer => bytes.fill("x", Math.floor(bytes.length / 8));
  for (const damaged of [() => "x".repeat(100_000), () => "", middle])
    for (const isNew of [false, true]) {
      writeFileSync(path, damaged(readFileSync(path)));
      if (isNew) server = await replica(data);
      expect(await (await ask(server)).text()).toBe(expected);
    }
  // Only an answer meets bytes that a disk gives wrongly.
  const statuses: number[] = [];
  const { mtimeMs, size } = statSync(path);
  for (let page = 1; page < size / PAGE_BYTES; page += 1) {
    writeFileSync(path, readFileSync(path).fill("x", page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
    utimesSync(path, mtimeMs / 1_000, mtimeMs / 1_000 - 1);
    const first = await ask(server);
    if (first.status !== 200) {
      expect(first.headers.get("retry-after")).toBe("5");
      expect(await first.json()).toMatchObject({ status: 503, code: "index-damaged" });
    }
    statuses.push(first.status);
    expect(await (await ask(server)).text()).toBe(expected);
  }
  expect(statuses).toContain(503);
});

stored("the binary serves a store, and ends with 0", async () => {
  const token = bearer(await grant("dora", "acme/*"));
  const refused = await runHere(["serve", "--from", address, "--repo", shop.path], { cwd: shop.path, home: home.path });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("start a server for each") });
  await using server = await startServerProcess(["--from", served]);
  const expected = await cra("retrieve", "refund an order", "--json");
  const answer = await post(server, "/v1/retrieve", { task: "refund an order", repository: "acme/shop" }, token);
  expect(await answer.text()).toBe(expected);
  expect((await post(server, "/v1/search", { query: "x" })).status).toBe(401);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(JSON.stringify(server.lines())).not.toContain("cra_");
});
