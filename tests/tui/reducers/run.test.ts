import { expect, test } from "bun:test";
import type { PipelineEvent } from "../../../src/retrieval/model/events.ts";
import type { Action } from "../../../src/tui/state/actions.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { beginning, noticed, pathAt, pathsIn, play, reviewIn, reviewing, roundOf, typing } from "../play.ts";

const running = play(beginning(), typing("fix"), "task.run").state;
const heard = (...events: readonly PipelineEvent[]): Action => ({ is: "events", run: 1, events });
const considered = (path: string, score: number, stage = "scope"): PipelineEvent => ({
  event: "file_considered",
  stage,
  path,
  tier: "seed",
  score,
  tokens: 7,
  reason: `for ${path}`,
});
const STARTED: PipelineEvent = {
  event: "run_started",
  schema_version: 1,
  task_id: "feed",
  round: 1,
  task_type: "bug_fix",
  keywords: [],
  stages: ["scope", "precision"],
  budget: 500,
};
const files = ({ run }: State) => run?.files.map(({ path, rank, score }) => [path, rank, score]);

/** Nothing was measured yet. */
const UNTIMED = { expected_ms: null, left_ms: 90_000 };

test("files are listed by rank as soon as they are reported; a later report replaces an earlier one", () => {
  const first = play(running, heard(considered("b", 1), considered("a", 2))).state;
  expect(files(first)).toEqual([
    ["a", 1, 2],
    ["b", 2, 1],
  ]);
  const second = play(first, heard(considered("b", 9, "precision"), considered("c", 2))).state;
  expect(files(second)).toEqual([
    ["b", 1, 9],
    ["a", 2, 2],
    ["c", 3, 2],
  ]);
});

test("the cursor stays on its file when others arrive above it, and stays at the top", () => {
  const first = play(running, heard(considered("a", 3), considered("b", 2), considered("c", 1))).state;
  const more = heard(considered("z", 9), considered("b", 8));
  const at = (state: State) => state.run?.files[state.run.cursor]?.path;
  expect(at(play(first, more).state)).toBe("z");
  expect(at(play(first, "list.last", more).state)).toBe("c");
  expect(at(play(first, "list.next", more).state)).toBe("b");
});

test("stages show waiting, running and done, with times and counts", () => {
  const at = (now: number): Action => ({ is: "tick", now });
  const after = play(
    running,
    { is: "refreshing", run: 1, step: { phase: "parse", done: 1, total: 2 } },
    heard(STARTED),
    at(2_000),
    heard({ event: "stage_started", stage: "scope" }, considered("a", 1)),
    at(2_500),
    heard(
      { event: "stage_finished", stage: "scope", counts: { seed: 1 } },
      { event: "stage_started", stage: "precision" },
    ),
    at(2_700),
  ).state;
  expect(
    after.run?.stages.map(({ name, status, startedAt, endedAt, considered: n }) => [
      name,
      status,
      startedAt,
      endedAt,
      n,
    ]),
  ).toEqual([
    ["scope", "done", 2_000, 2_500, 1],
    ["precision", "running", 2_500, 2_700, 0],
  ]);
  expect([after.taskId, after.run?.budget, after.run?.refresh, after.run?.stages[0]?.counts]).toEqual([
    "feed",
    500,
    null,
    { seed: 1 },
  ]);
});

test("a question about the task before the first stage is its own stage, done when the first one begins", () => {
  const asked = play(
    running,
    heard(STARTED, {
      event: "judgement_started",
      stage: "analysis",
      model: "m",
      candidates: 1,
      call: 1,
      calls: 1,
      ...UNTIMED,
    }),
  ).state;
  const stages = (state: State) => state.run?.stages.map(({ name, status }) => [name, status]);
  expect(stages(asked)).toEqual([
    ["analysis", "running"],
    ["scope", "waiting"],
    ["precision", "waiting"],
  ]);
  const begun = play(asked, heard({ event: "stage_started", stage: "scope" })).state;
  const judged = play(
    begun,
    heard({ event: "judgement_started", stage: "scope", model: "m", candidates: 1, call: 1, calls: 1, ...UNTIMED }),
  ).state;
  expect(stages(judged)).toEqual([
    ["analysis", "done"],
    ["scope", "running"],
    ["precision", "waiting"],
  ]);
});

test("the pace of a phase counts from its first report", () => {
  const step = (phase: string, done: number): Action => ({
    is: "refreshing",
    run: 1,
    step: { phase, done, total: 900 },
  });
  const at = (now: number): Action => ({ is: "tick", now });
  const refresh = (...steps: readonly Action[]) => play(running, ...steps).state.run?.refresh;
  const parsed = [at(2_000), step("parse", 100), at(3_000), step("parse", 400)];
  expect(refresh(...parsed)).toEqual({ phase: "parse", done: 400, total: 900, since: 2_000, from: 100 });
  expect(refresh(...parsed, step("write", 5))).toMatchObject({ since: 3_000, from: 5 });
});

test("a model's reply is shown as it arrives, and only its end is kept", () => {
  const asked = play(
    running,
    heard(
      { event: "judgement_started", stage: "scope", model: "m", candidates: 9, call: 1, calls: 2, ...UNTIMED },
      { event: "judgement_text", stage: "scope", text: "x".repeat(9_000) },
      { event: "judgement_text", stage: "scope", text: "end" },
    ),
  ).state.run?.judgement;
  expect([asked?.text.length, asked?.text.endsWith("xend"), asked?.status]).toEqual([4_000, true, "asked"]);
  const judged: PipelineEvent = { event: "judgement_finished", stage: "scope", status: "failed", judged: 0, ms: 1 };
  expect(play(running, heard(judged)).state.run?.judgement).toBeNull();
});

test("a stopped run keeps its files, and says that the result is partial", () => {
  const stopping = play(
    running,
    heard(STARTED, { event: "stage_started", stage: "scope" }, considered("a", 1)),
    "run.cancel",
  );
  expect(noticed(stopping)).toEqual([{ do: "cancel", run: 1 }]);
  expect(stopping.state.run?.status).toBe("cancelling");
  expect(noticed(play(stopping.state, "run.cancel"))).toEqual([]);
  const late = play(stopping.state, heard(considered("b", 2)), { is: "cancelled", run: 1 }).state;
  expect([late.screen, late.review?.round, pathsIn(late)]).toEqual(["review", null, ["b", "a"]]);
  expect(late.run?.stages.map(({ status }) => status)).toEqual(["stopped", "waiting"]);
});

test("marks on a partial result apply to the next run", () => {
  const partial = play(running, heard(STARTED, considered("a", 1)), "run.cancel", { is: "cancelled", run: 1 }).state;
  const again = play(partial, "mark.reject", "package.refine");
  expect(noticed(again)).toContainEqual({
    do: "retrieve",
    run: 2,
    task: "fix",
    request: { rejected_files: ["a"] },
    budget: null,
    coverage: null,
  });
  const stopped = play(again.state, "run.cancel", { is: "cancelled", run: 2 }).state;
  expect([...reviewIn(stopped).decisions.files]).toEqual([["a", "rejected"]]);
});

test("a run without files returns to the task; so does a failed run, with the reason", () => {
  expect(play(running, "run.cancel", { is: "cancelled", run: 1 }).state.screen).toBe("entry");
  const failed = play(running, { is: "failed", run: 1, message: "not indexed" }).state;
  expect([failed.screen, failed.message, failed.run?.failure]).toEqual([
    "entry",
    { kind: "error", text: "not indexed", at: 1_000 },
    "not indexed",
  ]);
});

test("a failed or stopped refinement leaves the review with its marks", () => {
  const refining = play(reviewing(3), "mark.accept", "package.refine").state;
  for (const end of [
    { is: "failed", run: 2, message: "no" },
    { is: "cancelled", run: 2 },
  ] as const) {
    const after = play(refining, end).state;
    expect([after.screen, reviewIn(after).decisions.files.size, reviewIn(after).round === null]).toEqual([
      "review",
      1,
      false,
    ]);
  }
});

test("events of an older run change nothing", () => {
  const second = play(running, "run.cancel", { is: "cancelled", run: 1 }, "task.run").state;
  expect(second.run?.id).toBe(2);
  for (const late of [
    heard(considered("a", 1)),
    { is: "finished", run: 1, round: roundOf(2) },
    { is: "cancelled", run: 1 },
  ] as const)
    expect(play(second, late).state).toEqual(second);
});

test("five thousand files are listed in order, in batches of any size", () => {
  const events = Array.from({ length: 5_000 }, (_, at) => considered(`f${at}`, (at * 7_919) % 5_003));
  const whole = play(running, heard(...events)).state.run?.files;
  const lots = Array.from({ length: 50 }, (_, lot) => heard(...events.slice(lot * 100, lot * 100 + 100)));
  expect(play(running, lots).state.run?.files).toEqual(whole ?? []);
  expect(whole?.every(({ rank }, at) => rank === at + 1)).toBe(true);
});

test("the package is seen forming: each file says how many of its definitions are chosen", () => {
  const symbol = (at: number, tier: string) =>
    ({
      event: "symbol_placed",
      stage: "precision",
      path: pathAt(at),
      name: "f",
      kind: "function",
      line: 1,
      tier,
      score: 1,
      reason: "",
    }) as const;
  const file = (at: number) =>
    ({
      event: "file_considered",
      stage: "scope",
      path: pathAt(at),
      tier: "ranked",
      score: 9 - at,
      tokens: 9,
      reason: "",
    }) as const;
  const start = play(beginning({ task: "fix it" }), { is: "events", run: 1, events: [file(0), file(1)] }).state;
  const once = play(start, { is: "events", run: 1, events: [symbol(0, "primary"), symbol(1, "supporting")] }).state;
  const twice = play(once, { is: "events", run: 1, events: [symbol(0, "primary"), symbol(1, "primary")] }).state;
  expect([start, once, twice].map(({ run }) => run?.files.map(({ chosen }) => chosen?.count ?? 0))).toEqual([
    [0, 0],
    [1, 0],
    [2, 1],
  ]);
});
