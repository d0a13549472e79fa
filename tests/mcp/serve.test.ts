/** The server on streams of a test, with a real repository: a cancelled call stops its work, and a bug is no end. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { App } from "../../src/app/app.ts";
import { openApp } from "../../src/app/app.ts";
import { Failed } from "../../src/failure.ts";
import { LIMITS } from "../../src/mcp/limits.ts";
import { type McpDeps, serve } from "../../src/mcp/serve.ts";
import { TOOLS } from "../../src/mcp/tools/tools.ts";
import { environmentIn } from "../support/environment.ts";
import type { TempRepo } from "../support/repo.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

let repo: TempRepo;
let app: App;
beforeAll(async () => {
  repo = shopRepo();
  app = await openApp({
    environment: environmentIn(repo.path),
    repo: null,
    flags: [],
  });
});
afterAll(() => {
  app.close();
  repo[Symbol.dispose]();
});

const broken = (): never => {
  throw new Error("a bug");
};

type Served = { readonly sent: readonly string[]; readonly bugs: readonly unknown[] };

/** Serves lines, and those that `answer` has for what is sent, until it has no more and `isLast` was sent. */
async function served(
  lines: readonly object[],
  {
    answer = () => [],
    isLast,
    withApp = (_, __, work) => work(app),
  }: {
    readonly answer?: (sent: string) => readonly object[];
    readonly isLast: (sent: string) => boolean;
    readonly withApp?: McpDeps["withApp"];
  },
): Promise<Served> {
  const [sent, bugs]: [string[], unknown[]] = [[], []];
  const queue = lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`);
  let wake = (): void => {};
  let isOver = false;
  async function* input() {
    for (;;) {
      yield* queue.splice(0);
      if (queue.length > 0) continue;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const world: McpDeps = {
    version: "0",
    limits: LIMITS,
    isStructured: true,
    tools: TOOLS,
    isPlaced: true,
    input: input(),
    async send(value) {
      const text = JSON.stringify(value);
      sent.push(text);
      for (const more of answer(text)) queue.push(`${JSON.stringify({ jsonrpc: "2.0", ...more })}\n`);
      isOver ||= isLast(text);
      wake();
    },
    withApp,
    failureIn: (error) => error,
    onBug: (thrown) => bugs.push(thrown),
  };
  await serve(world, new AbortController().signal);
  return { sent, bugs };
}

const retrieve = (id: number, task: string) => ({
  id,
  method: "tools/call",
  params: { name: "retrieve", arguments: { task }, _meta: { progressToken: id } },
});
const PING = { id: "ping", method: "ping" };
const isPong = (sent: string): boolean => sent.includes('"id":"ping"');
const cancelled = (requestId: number) => ({ method: "notifications/cancelled", params: { requestId } });

test("a call cancelled during indexing leaves no index, and during a stage a cancelled round", async () => {
  const indexing = await served([retrieve(1, SHOP_TASK)], {
    answer: (sent) => (sent.includes('"walk') ? [cancelled(1), PING] : []),
    isLast: isPong,
  });
  expect(indexing.sent.filter((text) => text.includes('"id":1'))).toEqual([]);
  expect(app.isIndexed()).toBe(false);
  await app.index({ failFast: false, rebuild: false, onProgress: () => {} }, new AbortController().signal);
  const staged = await served([retrieve(2, SHOP_TASK)], {
    answer: (sent) => (sent.includes('"message":"scope"') ? [cancelled(2)] : []),
    isLast: (sent) => sent.includes('"message":"scope"'),
  });
  expect(staged.sent.filter((text) => text.includes('"id":2'))).toEqual([]);
  const [session] = await app.sessions();
  const { rounds } = await app.runRecord(session?.taskId ?? "", null);
  expect(rounds.map(({ status }) => status)).toEqual(["cancelled"]);
  expect([...indexing.bugs, ...staged.bugs]).toEqual([]);
});

test("all progress of a call comes before its answer", async () => {
  const { sent } = await served([retrieve(3, SHOP_TASK)], { isLast: (text) => text.includes('"id":3') });
  expect(sent.filter((text) => text.includes('"progressToken":3')).length).toBeGreaterThan(3);
  expect(sent.findIndex((text) => text.includes('"id":3'))).toBe(sent.length - 1);
});

test("a bug is an error result and is reported on standard error, and the server continues", async () => {
  const status = { id: 1, method: "tools/call", params: { name: "status", arguments: {} } };
  const answered = await served([status, PING], {
    isLast: (sent) => sent.includes('"id":1'),
    withApp: (_, __, work) => work({ ...app, status: broken }),
  });
  expect(answered.sent.find((text) => text.includes('"id":1'))).toContain("internal error in cra");
  expect(answered.bugs.map(String)).toEqual(["Error: a bug"]);
  expect(answered.sent.filter(isPong)).toHaveLength(1);
  const refused = await served([status], {
    isLast: (sent) => sent.includes('"id":1'),
    withApp: async () => {
      throw new Failed({ code: "no-repository", path: "/x\x1b[2J", why: "gone" });
    },
  });
  expect(refused.sent.find((text) => text.includes('"id":1'))).toMatch(/"isError":true/);
  expect(refused.sent.join("")).not.toContain("\\u001b");
});

test("a client that lists templates of resources is told that there are none", async () => {
  const { sent } = await served([{ id: 1, method: "resources/templates/list" }], { isLast: () => true });
  expect(sent.map((text): unknown => JSON.parse(text))).toEqual([
    { jsonrpc: "2.0", id: 1, result: { resourceTemplates: [] } },
  ]);
});

test("a signal ends it with its reason at any time", async () => {
  const stop = new AbortController();
  stop.abort(new Failed({ code: "cancelled", signal: "SIGTERM" }));
  const ended = serve(
    {
      version: "0",
      limits: LIMITS,
      isStructured: false,
      tools: TOOLS,
      isPlaced: true,
      input: (async function* () {})(),
      send: async () => {},
      withApp: broken,
      failureIn: (error) => error,
      onBug: broken,
    },
    stop.signal,
  );
  await expect(ended).rejects.toThrow("SIGTERM");
});
