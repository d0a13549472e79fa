/** `cra serve` as a process: official MCP clients, bytes of the command line, raw connections, signals. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { tokenHash } from "../../src/store/grants.ts";
import { listing, type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { bearer, post, type ServerProcess, startServerProcess } from "../support/http-server.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

let shop: TempRepo;
let other: TempRepo;
let home: TempFolder;
let server: ServerProcess;
let before: readonly string[];
beforeAll(async () => {
  shop = shopRepo();
  other = tempRepo({ "web.ts": "export const login = () => 1;\n" }, { git: true });
  home = tempFolder();
  before = listing(shop.path);
  server = await startServerProcess(["--repo", shop.path]);
});
afterAll(async () => {
  expect(server.lines().filter(({ event }) => event === "bug")).toEqual([]);
  await server[Symbol.asyncDispose]();
  shop[Symbol.dispose]();
  other[Symbol.dispose]();
  home[Symbol.dispose]();
});

for (const mode of ["legacy", "auto"] as const) {
  test(`the official client finds and calls the tools (${mode})`, async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["retrieve", true],
      ["read", true],
      ["search", true],
      ["explain", true],
    ]);
    const told: string[] = [];
    const onprogress = ({ message }: { readonly message?: string | undefined }) => void told.push(message ?? "");
    const call = async (name: string, args: Record<string, unknown>, options = {}) =>
      await client.callTool({ name, arguments: args }, options);
    const found = await call("retrieve", { task: SHOP_TASK }, { onprogress });
    expect(JSON.stringify(found.content)).toContain("class Cart");
    expect(told).toContain("precision");
    const read = await call("read", { what: "Cart.sum" });
    expect(JSON.stringify(read.content)).toContain("return total(self.items)");
    const hits = await call("search", { query: "discount" });
    expect(JSON.stringify(hits.content)).toContain("shop/price.py");
    const why = await call("explain", { task: SHOP_TASK, what: "shop/cart.py" });
    expect(JSON.stringify(why.content)).toContain("verdict");
    const wrong = await call("read", { what: "../../etc/passwd" });
    expect(wrong.isError).toBe(true);
    const outside = await call("retrieve", { task: "x", only: ["/etc"] });
    expect(outside.isError).toBe(true);
    await expect(call("refine", {})).rejects.toThrow("there is no tool");
    await client.close();
  });
}

test("a package is byte-equal to that of cra retrieve, and the work tree is as it was", async () => {
  expect(listing(shop.path)).toEqual(before);
  const options = { cwd: shop.path, home: home.path };
  for (const [task, run] of [
    [SHOP_TASK, runCra],
    ["add a mail when the cart is empty", runHere],
    ["test_sum fails", runHere],
  ] as const) {
    const { stdout } = await run(
      ["retrieve", task, "--json", "--index", "--data-dir", join(home.path, "data")],
      options,
    );
    expect(await (await post(server, "/v1/retrieve", { task })).text()).toBe(stdout);
  }
});

/** Sends bytes as they are; the answer, once the server closes the connection. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
    socket.write(text);
  });
}

test("broken and hostile connections get an error or are closed, and the server goes on", async () => {
  const ask = (lines: readonly string[]) => raw(server.port, `${lines.join("\r\n")}\r\n\r\n`);
  const close = "Connection: close";
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["\u0016\u0003\u0001garbage"], /^HTTP\/1\.1 400/],
    [["GET / HTTP/1.1", close], /^HTTP\/1\.1 400/],
    [["GET /healthz HTTP/9.9", "Host: localhost"], /^(?:HTTP\/1\.1 [45]|$)/],
    [["GET /v1/repositories HTTP/1.1", "Host: evil.example", close], /^HTTP\/1\.1 403/],
    [["GET http://evil.example/v1/repositories HTTP/1.1", "Host: evil.example", close], /^HTTP\/1\.1 403/],
    [["GET /v1/repositories HTTP/1.1", "Host: localhost", "Host: evil.example", close], /^HTTP\/1\.1 40[03]/],
    [["GET /v1/repositories HTTP/1.1", `Host: localhost`, "Origin: http://evil.example", close], /^HTTP\/1\.1 403/],
    [["GET / HTTP/1.1", "Host: localhost", `A: ${"b".repeat(100_000)}`], /^HTTP\/1\.1 431/],
    [
      ["POST /v1/search HTTP/1.1", "Host: localhost", "Content-Length: 99999999999", "Content-Type: application/json"],
      /^HTTP\/1\.1 413/,
    ],
    [["POST /v1/search HTTP/1.1", "Host: localhost", "Content-Length: -1", close], /^HTTP\/1\.1 400/],
    [
      ["POST /v1/search HTTP/1.1", "Host: localhost", "Content-Length: 3", "Transfer-Encoding: chunked", close],
      /^HTTP\/1\.1 400/,
    ],
    [
      [
        "POST /v1/search HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
        close,
        "",
        "zz",
      ],
      /^HTTP\/1\.1 4/,
    ],
  ];
  for (const [lines, expected] of cases) {
    const answer = await ask(lines);
    expect(answer).toMatch(expected);
    expect(answer).not.toContain(shop.path);
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test("several repositories need tokens, and standard error is JSON without tasks and tokens", async () => {
  const token = "a-long-random-token";
  const start = ["serve", shop.path, other.path, "--listen", "127.0.0.1:0"];
  const refused = await runCra(start, { cwd: home.path });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("tokens only") });
  const open = await runHere(["serve", "--repo", shop.path, "--listen", "0.0.0.0:0"], { cwd: home.path });
  expect(open).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("tokens only") });
  const inside = await runHere(["serve", "--repo", shop.path, "--data-dir", join(shop.path, "x")], { cwd: home.path });
  expect(inside).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("never writes to") });
  const name = other.path.split("/").at(-1) ?? "";
  const grants = { CRA_SERVE_TOKENS: `${tokenHash(token)} ada ${name}` };
  await using team = await startServerProcess([shop.path, other.path], grants);
  const list = await fetch(`${team.url}/v1/repositories`, { headers: bearer(token) });
  expect(await list.json()).toEqual({ schema_version: 1, repositories: [name] });
  const found = await post(team, "/v1/search", { query: "login" }, bearer(token));
  expect(await found.text()).toContain("web.ts");
  const missing = await post(
    team,
    "/v1/search",
    { query: "cart", repository: shop.path.split("/").at(-1) },
    bearer(token),
  );
  expect(missing.status).toBe(404);
  team.kill("SIGTERM");
  expect(await team.exited).toBe(0);
  const log = JSON.stringify(team.lines());
  expect(log).not.toContain(token);
  expect(log).not.toContain("login");
  expect(team.lines().at(-1)).toMatchObject({ event: "ended" });
});

test("after a signal open requests are answered, then the process ends with 0; a second signal ends it at once", async () => {
  {
    // SIGTERM is below, and ends the server of several repositories.
    await using own = await startServerProcess(["--repo", shop.path]);
    const open = post(own, "/v1/retrieve", { task: SHOP_TASK });
    await Bun.sleep(5);
    own.kill("SIGINT");
    const response = await open.catch(() => null);
    // A request that had not been taken yet is refused by the system.
    if (response !== null) expect([200, 503]).toContain(response.status);
    expect(await own.exited).toBe(0);
  }
  await using held = await startServerProcess(["--repo", shop.path, "--drain", "600"]);
  const isAlive = (): Promise<boolean> =>
    fetch(`${held.url}/healthz`, { headers: { connection: "close" } }).then(
      ({ ok }) => ok,
      () => false,
    );
  const socket = connect(held.port, "127.0.0.1");
  socket.on("error", () => {});
  const head =
    "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
  await new Promise<void>((written) => socket.write(head, () => written()));
  // Connections are taken in their order: after two more the server has that of the socket and its bytes.
  for (let answers = 0; answers < 2; answers += 1) expect(await isAlive()).toBe(true);
  held.kill("SIGTERM");
  while (await isAlive()) await Bun.sleep(10);
  held.kill("SIGTERM");
  expect(await held.exited).toBe(143);
});
