/** What a run leaves behind: a decision on everything considered, its options, its rounds. */
import { expect, test } from "bun:test";
import { openSession } from "../../src/db/session/session.ts";
import { Failed } from "../../src/failure.ts";
import { SelectionJson } from "../../src/retrieval/record/selection-json.ts";
import { CRA_VERSION, floorOf, indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const TASKS = ["the cart sum is wrong", "fix `tax_for` in shop/tax.py", "cart money format test", "zzz qqq"] as const;

test("every file in a tier, symbol of a scoped file, and item has one decision per stage, with a reason", async () => {
  for (const task of TASKS) {
    const { taskId, selection, items } = await shop.run(task, { budget: 1_000 });
    const decisions = shop.log.decisions(taskId);
    for (const { reason } of decisions) expect(reason.trim()).not.toBe("");
    const of = (stage: string) => decisions.filter((row) => row.stage === stage);

    const files = of("scope").map(({ path }) => path);
    expect(new Set(files).size).toBe(files.length);
    expect(files).toEqual(expect.arrayContaining(selection.files.map(({ file }) => file.path)));
    expect(of("scope").filter(({ included }) => included)).toHaveLength(selection.files.length);

    const known = shop.kb.symbolsIn(selection.files.map(({ file }) => file.id));
    const symbols = of("precision").filter(({ symbol }) => symbol !== null);
    expect(symbols).toHaveLength(known.length);
    expect(new Set(symbols.map(({ path, symbol, line, kind }) => `${path} ${symbol} ${line} ${kind}`)).size).toBe(
      known.length,
    );
    expect(of("precision").filter(({ symbol }) => symbol === null)).toHaveLength(selection.snippets.length);

    const missing = of("budget").filter(({ symbol, kind }) => symbol === null && kind === null);
    const shown = new Set(of("budget").flatMap(({ path, included }) => (included ? [path] : [])));
    expect(of("budget")).toHaveLength(items.length + missing.length);
    expect(missing.map(({ path }) => path)).toEqual(
      selection.files.map(({ file }) => file.path).filter((path) => !shown.has(path)),
    );
    for (const { included, detail } of of("budget")) expect(included).toBe(detail !== "none");
  }
});

test("the options and the budget in force are stored", async () => {
  const { taskId } = await shop.run("the cart sum is wrong", {
    budget: 2_000,
    maxLines: 300,
    depth: 2,
    exclude: ["web/**"],
  });
  const run = shop.log.latestRun(taskId);
  expect(run?.options).toMatchObject({
    version: CRA_VERSION,
    budget: 2_000,
    max_lines: 300,
    coverage: 1,
    depth: 2,
    exclude: ["web/**"],
    stages: ["scope", "precision"],
    weights: "default",
    tokenizer: "o200k_base",
  });
  expect(run?.budget).toEqual({
    tokens: 2_000,
    max_lines: 300,
    context_window: null,
    reserved_tokens: null,
    coverage: 1,
  });
  expect(run?.result?.status).toBe("finished");
  expect(shop.log.stages(taskId).map(({ stage }) => stage)).toEqual(["scope", "precision", "budget"]);
});

test("a cancelled run is recorded as such; its round is continued, and a finished one is followed by a new one", async () => {
  const task = "money is rounded";
  const stop = new AbortController();
  stop.abort();
  await expect(shop.run(task, { signal: stop.signal })).rejects.toThrow(Failed);
  const cancelled = shop.log.latestRun();
  expect([cancelled?.task, cancelled?.result?.status]).toEqual([task, "cancelled"]);
  const first = await shop.run(task);
  const second = await shop.run(task);
  expect([first.taskId, first.round, second.taskId, second.round]).toEqual([
    cancelled?.taskId ?? "",
    1,
    first.taskId,
    2,
  ]);
  expect(shop.log.runs(first.taskId).map(({ round, result }) => [round, result?.status])).toEqual([
    [1, "cancelled"],
    [1, "finished"],
    [2, "finished"],
  ]);
  expect(second.markdown).toBe(first.markdown);
});

test("a run with too small a budget is recorded as failed", async () => {
  await floorOf(shop.run("the cart sum is wrong", { budget: 2 }));
  expect(shop.log.latestRun()?.result?.status).toBe("failed");
});

test("the session holds what each stage chose, in its schema, and the final context", async () => {
  const { taskId, pkg, selection } = await shop.run("fix `formatMoney`");
  const session = openSession(shop.sessions, taskId);
  try {
    expect(session.rounds().map(({ round, status }) => [round, status])).toEqual([[1, "finished"]]);
    const outputs = session.get(1, "stage_outputs");
    expect(Object.keys(outputs ?? {})).toEqual(["scope", "precision"]);
    for (const output of Object.values(outputs ?? {})) SelectionJson.parse(output);
    expect(session.get(1, "stage_progress")).toEqual([
      { stage: "scope", status: "finished" },
      { stage: "precision", status: "finished" },
    ]);
    expect(session.get(1, "final_context")).toMatchObject({
      token_count: pkg.token_count,
      files: selection.files.map(({ file, tier }) => ({ path: file.path, tier })),
    });
  } finally {
    session.close();
  }
});

test("events tell the run in order, and the last one holds the package", async () => {
  const { events, pkg, selection } = await shop.run("the cart sum is wrong");
  expect(events[0]?.event).toBe("run_started");
  expect(events.at(-1)).toEqual({ event: "package", package: pkg });
  expect(events.flatMap((event) => (event.event === "stage_started" ? [event.stage] : []))).toEqual([
    "scope",
    "precision",
    "budget",
  ]);
  expect(events.filter(({ event }) => event === "file_considered")).toHaveLength(selection.files.length);
  expect(events.filter(({ event }) => event === "symbol_placed")).toHaveLength(selection.symbols.length);
});
