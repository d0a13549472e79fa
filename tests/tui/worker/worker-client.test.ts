/** The working thread with a real repository: what it answers, what it tells, and how it is stopped. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PipelineEvent } from "../../../src/retrieval/model/events.ts";
import { renderJson } from "../../../src/retrieval/render/json.ts";
import type { Round } from "../../../src/tui/state/review-state.ts";
import type { RunProgress } from "../../../src/tui/worker/protocol.ts";
import { openWorkerClient, type WorkerClient } from "../../../src/tui/worker/worker-client.ts";
import { environmentIn } from "../../support/environment.ts";
import type { TempRepo } from "../../support/repo.ts";
import { SHOP_TASK, shopRepo } from "../../support/shop.ts";

let repo: TempRepo;
let home: string;
let worker: WorkerClient;
/** Another interface on the same repository. */
let other: WorkerClient;
let first: Round;
const events: PipelineEvent[] = [];

const open = (): WorkerClient =>
  openWorkerClient({
    request: {
      environment: environmentIn(repo.path, { HOME: home, PATH: process.env.PATH ?? "" }),
      repo: null,
      flags: [],
    },
    locationFlags: ["--repo", "/a b"],
    taskOptions: { template: null, refresh: true },
  });

const steps: string[] = [];
const hear = (progress: RunProgress): void => {
  if ("step" in progress) steps.push(progress.step.phase);
  else if ("events" in progress) events.push(...progress.events);
};

beforeAll(async () => {
  repo = shopRepo();
  home = mkdtempSync(join(tmpdir(), "cra-home-"));
  worker = open();
  other = open();
  expect(await worker.run("knownIndex", null)).toEqual({
    status: "missing",
    files: null,
    headline: "not built yet; the first run builds it",
  });
  first = await worker.run("retrieve", { task: SHOP_TASK, request: {}, budget: null, coverage: null }, hear);
});
afterAll(async () => {
  await worker.close();
  await other.close();
  repo[Symbol.dispose]();
  rmSync(home, { recursive: true, force: true });
});

test("a task first builds a missing index, and reports its stages", () => {
  expect(steps).toContain("parse");
  expect(events.map(({ event }) => event)).toContain("file_considered");
  expect(events[0]?.event).toBe("run_started");
  expect(events.at(-1)).toMatchObject({ event: "stage_finished", stage: "budget" });
  expect(first.number).toBe(1);
  expect(first.package.files.map(({ path }) => path)).toContain("shop/cart.py");
  expect(first.command).toBe(`cra retrieve --repo '/a b' '${SHOP_TASK}'`);
});

test("a round is rendered in every format", async () => {
  expect(JSON.parse((await worker.run("render", "json")) ?? "")).toMatchObject(renderJson(first.package));
  expect(await worker.run("render", "markdown")).toContain("shop/cart.py");
  expect(await worker.run("render", "prompt")).toContain("shop/cart.py");
  expect(JSON.parse((await worker.run("render", "bundle")) ?? "")).toMatchObject({ task_id: first.taskId });
});

test("returns a file, its outline, and names from the whole index", async () => {
  const preview = await worker.run("preview", "shop/mail.py");
  expect(preview).toEqual({
    path: "shop/mail.py",
    language: "python",
    lines: [
      { kind: "code", number: 1, text: "def send(text):" },
      { kind: "code", number: 2, text: "    print(text)" },
    ],
  });
  expect((await worker.run("preview", "../no.py")).lines).toBeNull();
  expect((await worker.run("outline", "shop/cart.py")).map(({ qualifiedName }) => qualifiedName)).toEqual([
    "Cart",
    "Cart.sum",
  ]);
  const found = await worker.run("find", { query: "disc", limit: 5 });
  expect(found.rows.map(({ found: name }) => name)).toContainEqual({
    path: "shop/price.py",
    name: "discount",
    kind: "function",
  });
  expect(found.of).toBeGreaterThan(found.matches);
});

test("a dry run equals the later refinement, and the session is listed and restored", async () => {
  const request = { rejected_files: ["shop/price.py"] };
  const supposed = await worker.run("dryRun", { request, budget: null, coverage: null, rejecting: "shop/cart.py" });
  expect(supposed).toMatchObject({ exact: true, budget: first.package.budget, rejecting: { path: "shop/cart.py" } });
  expect(supposed?.leaves.map(({ path }) => path)).toContain("shop/price.py");
  expect(supposed?.rejecting?.frees).toBeGreaterThan(0);

  const second = await worker.run("refine", { taskId: first.taskId, request, budget: null, coverage: null }, hear);
  expect(second.number).toBe(2);
  expect(second.constraints.rejected_files).toEqual(["shop/price.py"]);
  expect(second.package.token_count).toBe(supposed?.tokens ?? -1);

  const { sessions, history } = await other.run("home", null);
  expect(history).toEqual([SHOP_TASK]);
  expect(sessions).toMatchObject([{ taskId: first.taskId, task: SHOP_TASK, rounds: 2, unsaved: false }]);
  const stood = await other.run("resume", { taskId: first.taskId.slice(0, 6), round: null });
  expect(stood).toEqual({ taskId: first.taskId, task: SHOP_TASK, round: second });
  expect((await other.run("home", null)).sessions).toEqual(sessions);
  expect(await other.run("render", "json")).toBe(await worker.run("render", "json"));
});

test("after a stopped index run, a new thread continues and knows the current round", async () => {
  const Thread = globalThis.Worker;
  let threads = 0;
  globalThis.Worker = class extends Thread {
    constructor(...how: ConstructorParameters<typeof Thread>) {
      super(...how);
      threads += 1;
    }
  };
  try {
    const { round } = await other.run("resume", { taskId: first.taskId, round: null });
    const stop = new AbortController();
    const index = other.run("index", null, undefined, stop.signal);
    stop.abort();
    await expect(index).rejects.toMatchObject({ failure: { code: "cancelled" } });
    expect((await other.run("knownIndex", null)).status).toBe("ready");
    expect(threads).toBe(1);
    expect(JSON.parse((await other.run("render", "json")) ?? "")).toMatchObject(
      round === null ? {} : renderJson(round.package),
    );
    expect((await other.run("dryRun", { request: {}, budget: null, coverage: null, rejecting: null }))?.exact).toBe(
      true,
    );
    expect((await other.run("index", null)).status).toBe("ready");
    expect(threads).toBe(1);
  } finally {
    globalThis.Worker = Thread;
  }
});

test("a task becomes an experience, once", async () => {
  const ABOUT = { taskId: first.taskId, hypothesis: "a sum is wrong" };
  const remembered = await worker.run("rememberTask", ABOUT);
  expect(remembered).toEqual({ id: expect.stringMatching(/^exp-[0-9a-f]{12}$/), status: "added" });
  expect(await worker.run("rememberTask", ABOUT)).toEqual({ ...remembered, status: "unchanged" });
  const request = { accepted_files: ["shop/mail.py"] };
  await worker.run("refine", { taskId: first.taskId, request, budget: null, coverage: null }, hear);
  expect(await worker.run("rememberTask", ABOUT)).toEqual({ ...remembered, status: "replaced" });
});

test("a failure keeps its message across threads", () =>
  expect(worker.run("resume", { taskId: "ffffffff", round: null })).rejects.toMatchObject({
    failure: { code: "unknown-task", taskId: "ffffffff" },
  }));

test("a cancelled job ends as stopped, and the thread handles the next one", async () => {
  const stop = new AbortController();
  const run = worker.run(
    "retrieve",
    { task: "discount of the mail", request: {}, budget: null, coverage: null },
    hear,
    stop.signal,
  );
  // The thread reads this before it can have finished: a run gives way to messages at each step.
  stop.abort();
  await expect(run).rejects.toMatchObject({ failure: { code: "cancelled" } });
  expect((await worker.run("knownIndex", null)).status).toBe("ready");
  const before = AbortSignal.abort();
  await expect(worker.run("index", null, undefined, before)).rejects.toMatchObject({
    failure: { code: "cancelled" },
  });
});

test("the index is updated and reports each step", async () => {
  repo.write({ "shop/gift.py": "def wrap_gift():\n    return 1\n" });
  const phases: string[] = [];
  const known = await worker.run("index", null, ({ phase }) => phases.push(phase));
  expect(known).toMatchObject({ status: "ready" });
  expect(phases.length).toBeGreaterThan(0);
  const found = await worker.run("find", { query: "wrap_gift", limit: 5 });
  expect(found.rows.map(({ found: { path } }) => path)).toContain("shop/gift.py");
});
