/** Verdicts of a model and the decisions that they judge. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { LoggedDecision } from "../../../src/db/raw-log/raw-log.ts";
import { fileVerdicts } from "../../../src/retrieval/explain/file-verdicts.ts";
import { judgedBeside } from "../../../src/retrieval/record/model-verdicts.ts";

const on = (stage: string, path: string, more: Partial<LoggedDecision> = {}): LoggedDecision => ({
  runId: 1,
  round: 1,
  stage,
  path,
  symbol: null,
  line: null,
  kind: null,
  tier: "ranked",
  included: true,
  detail: "none",
  score: 0.5,
  terms: null,
  tokens: 7,
  reason: `why ${stage}`,
  ...more,
});

test("a verdict follows the decision that it judges; one without a decision stays where it is", () => {
  const rows = [
    on("analysis:judgement", ".", { symbol: "cart" }),
    on("scope", "a"),
    on("scope", "b"),
    on("scope:judgement", "a"),
    on("scope:judgement", "c"),
    on("precision", "a", { symbol: "f", line: 1 }),
    on("precision", "a", { symbol: "f", line: 9 }),
    on("precision:judgement", "a", { symbol: "f", line: 9 }),
    on("precision:judgement", "a", { symbol: "f", line: 1 }),
  ];
  expect(judgedBeside(rows).map(({ stage, path, line }) => `${stage} ${path} ${line ?? ""}`.trim())).toEqual([
    "analysis:judgement .",
    "scope a",
    "scope:judgement a",
    "scope b",
    "scope:judgement c",
    "precision a 1",
    "precision:judgement a 1",
    "precision a 9",
    "precision:judgement a 9",
  ]);
});

test("no decision is lost or repeated, and their order stays", () => {
  const row = fc
    .tuple(fc.constantFrom("scope", "scope:judgement", "budget"), fc.constantFrom("a", "b", "c"))
    .map(([stage, path]) => on(stage, path));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const beside = judgedBeside(rows);
      expect(new Set(beside)).toEqual(new Set(rows));
      expect(beside.length).toBe(rows.length);
      const decided = (of: readonly LoggedDecision[]) => of.filter(({ stage }) => !stage.endsWith("judgement"));
      expect(decided(beside)).toEqual([...decided(rows)]);
    }),
  );
});

describe("a file judged by a model as", () => {
  const SCOPE = [on("scope", "a", { tier: "seed" }), on("scope", "b"), on("scope", "c")];
  const left = on("scope:judgement", "b", { tier: "irrelevant", included: false, reason: "judged irrelevant by m" });
  test("irrelevant has no rank, has the model's reason, and the next file takes its rank", () => {
    const verdicts = fileVerdicts([
      ...SCOPE,
      left,
      on("scope:judgement", "c", { tier: "relevant" }),
      on("budget", "c"),
    ]);
    expect(verdicts.map(({ path, rank, tier, judged, reason }) => [path, rank, tier, judged?.class, reason])).toEqual([
      ["a", 1, "seed", undefined, "the run ended before it came to this file"],
      ["b", null, "ranked", "irrelevant", "judged irrelevant by m"],
      ["c", 2, "ranked", "relevant", "why scope"],
    ]);
  });
  test("irrelevant that stays in scope is ranked as without a model", () => {
    const held = on("scope:judgement", "a", { tier: "irrelevant", reason: "judged irrelevant, but it stays" });
    const [seed] = fileVerdicts([...SCOPE, held, on("budget", "a")]);
    expect(seed).toMatchObject({
      rank: 1,
      shown: true,
      judged: { class: "irrelevant", included: true, reason: "judged irrelevant, but it stays" },
    });
  });
});
