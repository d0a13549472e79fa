/** `runRecord` on recorded runs, and on edited rows. */
import { expect, test } from "bun:test";
import { RunRecord, runRecord } from "../../../src/retrieval/explain/run-record.ts";
import { failureLine } from "../../support/failure.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));
const { taskId } = await shop.run("the cart sum is wrong, see `Cart.cart_sum`");
await shop.run("the cart sum is wrong, see `Cart.cart_sum`");

test("a record has every round with its stages, decisions and their counts", () => {
  const record = runRecord(shop.log, taskId.slice(0, 6), null);
  expect(RunRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  expect([record.task_id, record.rounds.map(({ round }) => round)]).toEqual([taskId, [1, 2]]);
  for (const round of record.rounds) {
    expect(round).toMatchObject({ status: "finished", attempts: 1, command: "retrieve", model_calls: [] });
    expect(round.stages.map(({ stage }) => stage)).toEqual(["scope", "precision", "budget"]);
    expect(round.decisions.length).toBe(shop.log.decisions(taskId, { round: round.round }).length);
    const counted = round.decision_counts.reduce((sum, { included, left_out }) => sum + included + left_out, 0);
    expect(counted).toBe(round.decisions.length);
    expect(round.decision_counts).toContainEqual({ stage: "scope", tier: "seed", included: 1, left_out: 0 });
  }
});

test("one round is selected; an unknown round or task is refused", () => {
  expect(runRecord(shop.log, taskId, 2).rounds.map(({ round }) => round)).toEqual([2]);
  expect(failureLine(() => runRecord(shop.log, taskId, 9))).toBe(
    `no-match: task ${taskId} has no round 9; the log knows 1, 2`,
  );
  expect(failureLine(() => runRecord(shop.log, "ffffffff", null))).toStartWith("unknown-task: ");
});

test("a round shows its newest attempt with the model calls of all attempts; a crash has no status", () => {
  const [run] = shop.log.runs(taskId);
  if (run === undefined) throw new Error("no run");
  const call = {
    runId: 1,
    round: 1,
    stage: "scope",
    model: "m",
    baseUrl: "u",
    prompt: "p",
    response: null,
    status: "timeout",
    ms: 3,
    promptTokens: null,
    responseTokens: null,
    startedAt: "t",
  };
  const log = {
    ...shop.log,
    runs: () => [run, { ...run, runId: 99, startedAt: "later", result: null }],
    modelCalls: () => [call, { ...call, status: "ok" }],
  };
  const [round] = runRecord(log, taskId, null).rounds;
  expect(round).toMatchObject({ attempts: 2, status: null, started_at: "later", finished_at: null, ms: null });
  expect(round?.model_calls.map(({ status }) => status)).toEqual(["timeout", "ok"]);
});

test("rows of another shape fail with the command to run next", () => {
  const log = { ...shop.log, stages: () => [{ stage: "scope", ms: -1, counts: {} }] };
  expect(failureLine(() => runRecord(log, taskId, null))).toMatch(
    /^io: .* are not in the form that cra writes; see: cra doctor$/,
  );
});
