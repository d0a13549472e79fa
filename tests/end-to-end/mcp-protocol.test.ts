/** `cra mcp` with malformed input: it answers, keeps running, prints only protocol messages, and ends properly. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { HANG_MS } from "../support/hang.ts";
import { HOSTILE } from "../support/hostile-text.ts";
import { indexIn } from "../support/index-in.ts";
import { runCra, runShell, startCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

const HELLO = line({
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const PING = line({ id: "ping", method: "ping" });

/** A message of JSON-RPC as the server writes it. */
const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  result: z.unknown().optional(),
});
type Message = z.infer<typeof Message>;

const repo = shared(shopRepo());
await indexIn(repo);

function line(message: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

const callLine = (id: unknown, name: string, args: unknown): string =>
  line({ id, method: "tools/call", params: { name, arguments: args } });

/** Sends all of it, ends the input, and reads what came back: messages alone, each on a line. */
async function talk(...lines: readonly (string | Uint8Array)[]): Promise<readonly Message[]> {
  const stdin = Buffer.concat(lines.map((part) => Buffer.from(part)));
  const run = await runCra(["mcp"], { cwd: repo.path, stdin });
  expect(run).toMatchObject({ exitCode: 0, signal: null, stderr: "" });
  expect(run.stdout === "" || run.stdout.endsWith("\n")).toBe(true);
  return run.stdout
    .split("\n")
    .slice(0, -1)
    .map((text) => Message.parse(JSON.parse(text)));
}

const errorsIn = (messages: readonly Message[]) =>
  messages.flatMap(({ id, error }) => (error === undefined ? [] : [[id, error.code]]));
const answered = (messages: readonly Message[]) =>
  messages.filter(({ result }) => result !== undefined).map(({ id }) => id);

test("exits with code 0 when its input ends, also without any message", async () => {
  expect(await talk()).toEqual([]);
  expect(answered(await talk(HELLO, PING.trimEnd()))).toEqual([0, "ping"]);
});

test("each invalid message gets a protocol error, notifications get no reply, and the next message works", async () => {
  const garbage: readonly (readonly [string | Uint8Array, string | number | null, number])[] = [
    ["nonsense\n", null, -32700],
    ["{\n", null, -32700],
    [Uint8Array.of(0x7b, 0xff, 0xfe, 0x0a), null, -32700],
    ["\u0000\n", null, -32700],
    ["\ufeff{}\n", null, -32700],
    ["null\n", null, -32600],
    ["[]\n", null, -32600],
    [`[${PING.trimEnd()}]\n`, null, -32600],
    ['{"jsonrpc":"1.0","id":5,"method":"ping"}\n', 5, -32600],
    ['{"jsonrpc":"2.0","id":"x","method":7}\n', "x", -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', null, -32600],
    ['{"jsonrpc":"2.0","id":6,"method":"ping","params":3}\n', 6, -32600],
    [
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}\n`,
      null,
      -32600,
    ],
    [line({ id: 8, method: "no/such" }), 8, -32601],
    [line({ id: 9, method: "tools/call" }), 9, -32602],
    [line({ id: 10, method: "tools/call", params: { name: "__proto__" } }), 10, -32602],
    [line({ id: 11, method: "tools/call", params: { name: 3 } }), 11, -32602],
    [line({ id: 12, method: "tools/call", params: { name: "status", arguments: [] } }), 12, -32602],
    [line({ id: 13, method: "initialize", params: {} }), 13, -32603],
  ];
  const silent = [
    "\n",
    "\r\n",
    line({ method: "notifications/none" }),
    line({ method: "notifications/cancelled", params: { requestId: 99 } }),
    line({ method: "notifications/cancelled", params: {} }),
    line({ id: 77, result: {} }),
    line({ id: 78, error: { code: 1, message: "x" } }),
    line({ id: null, result: 3 }),
  ];
  const messages = await talk(HELLO, ...garbage.flatMap(([bytes]) => [bytes, PING]), ...silent, PING);
  expect(messages).toHaveLength(1 + 2 * garbage.length + 1);
  const order = ([a]: readonly unknown[], [b]: readonly unknown[]) => String(a).localeCompare(String(b));
  expect(errorsIn(messages).toSorted(order)).toEqual(garbage.map(([, id, code]) => [id, code]).toSorted(order));
  expect(answered(messages).filter((id) => id === "ping")).toHaveLength(garbage.length + 1);
});

test("a client that would take a task gets the answer itself, by the old protocol and the new", async () => {
  const ask = { name: "search", arguments: { query: "cart" } };
  const old = await talk(
    line({
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: { tasks: { cancel: {} } },
        clientInfo: { name: "t", version: "1" },
      },
    }),
    line({ id: 1, method: "tools/call", params: { ...ask, task: { ttl: 60_000 } } }),
    line({ id: 2, method: "tasks/get", params: { taskId: "1" } }),
  );
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  const present = await talk(
    line({ id: 0, method: "server/discover", params: { _meta } }),
    line({ id: 1, method: "tools/call", params: { ...ask, _meta } }),
    line({ id: 2, method: "tasks/get", params: { taskId: "1", _meta } }),
  );
  for (const messages of [old, present]) {
    const resultOf = (wanted: number): unknown => messages.find(({ id }) => id === wanted)?.result;
    expect(JSON.stringify(resultOf(0))).not.toContain("tasks");
    expect(resultOf(1)).toMatchObject({ content: [{ type: "text", text: expect.stringContaining("cart") }] });
    expect(errorsIn(messages)).toEqual([[2, -32601]]);
  }
});

test("hostile arguments are reported in one line without terminal escape sequences", async () => {
  const ids = HOSTILE.map((_, at) => at + 1);
  const messages = await talk(
    HELLO,
    ...HOSTILE.map((text, at) =>
      callLine(at + 1, at % 2 === 0 ? "explain" : "search", { [text]: text, task_id: text, query: text }),
    ),
    callLine(50, "search", JSON.parse('{"query":"x","__proto__":{"limit":1}}')),
    callLine("\u001b[2J", "status", {}),
  );
  const failed = messages.filter(({ result }) => JSON.stringify(result ?? "").includes('"isError":true'));
  expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  expect(answered(messages)).toEqual(expect.arrayContaining([50, "\u001b[2J"]));
  for (const { result } of failed) expect(JSON.stringify(result)).not.toMatch(/\\u001b|\\u0007|\u009b|\u202e/);
});

test("ids can repeat, and every message of a flood is answered", async () => {
  const twice = [
    callLine("again", "status", {}),
    callLine("again", "search", { query: "cart" }),
    callLine("again", "none", {}),
  ];
  const flood = Array.from({ length: 260 }, (_, at) => callLine(at + 1, "search", { query: "cart" }));
  const messages = await talk(HELLO, ...twice, ...flood, PING);
  expect(messages).toHaveLength(1 + twice.length + flood.length + 1);
  const flooded = messages.filter(({ id }) => id !== "again");
  expect(messages.length - flooded.length).toBe(3);
  expect(new Set(errorsIn(flooded).map(([, code]) => code))).toEqual(new Set([-32000]));
});

test("a line of 20 MB is refused without being buffered, and the next line is answered", async () => {
  const sent = `{ printf '%s' '${HELLO.trimEnd()}'; echo; head -c 20000000 /dev/zero | tr '\\0' x; echo; printf '%s' '${PING.trimEnd()}'; echo; }`;
  const { stdout, exitCode } = await runShell(`${sent} | "$CRA" mcp`, { cwd: repo.path });
  const messages = stdout
    .trimEnd()
    .split("\n")
    .map((text) => Message.parse(JSON.parse(text)));
  expect([exitCode, errorsIn(messages), answered(messages)]).toEqual([0, [[null, -32600]], [0, "ping"]]);
});

test("a signal ends it like other commands; a closed output ends it with code 0", async () => {
  for (const [signal, exitCode] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    await using server = await startCra(["mcp"], { cwd: repo.path });
    await server.send(HELLO);
    expect(await server.next()).toContain('"serverInfo"');
    server.kill(signal);
    expect(await server.ended).toEqual({ exitCode, signal: null });
    expect(await server.stderr).toMatch(/^cra: /);
  }
  const sent = `{ printf '%s\\n' '${HELLO.trimEnd()}'; sleep 0.3; for i in $(seq 50); do printf '%s\\n' '${PING.trimEnd()}'; done; }`;
  expect(await runShell(`${sent} | { "$CRA" mcp; echo $? >&2; } | head -n 1`, { cwd: repo.path })).toMatchObject({
    stderr: "0\n",
  });
});

test("invalid settings are reported to the client, and standard output carries only the protocol", async () => {
  repo.write({ ".cra.toml": "budget = 'x'\n", "cra.toml": "budget = 'x'\n" });
  const run = await runCra(["mcp", "-v"], {
    cwd: repo.path,
    env: { CRA_BUDGET: "many" },
    stdin: `${HELLO}${callLine(1, "status", {})}`,
  });
  expect(run.exitCode).toBe(0);
  const [, answer] = run.stdout
    .trimEnd()
    .split("\n")
    .map((text) => Message.parse(JSON.parse(text)));
  expect(JSON.stringify(answer?.result)).toMatch(/CRA_BUDGET|budget/);
  expect(answer?.result).toMatchObject({ isError: true });
});
