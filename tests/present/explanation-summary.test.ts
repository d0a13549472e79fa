import { expect, test } from "bun:test";
import type { LoggedDecision } from "../../src/db/raw-log/raw-log.ts";
import { explanationText } from "../../src/present/explanation.ts";
import { EXPLAINED_RUN } from "../cli/stub-results.ts";

const decision = (more: Partial<LoggedDecision>): LoggedDecision => ({
  runId: 1,
  round: 1,
  stage: "precision",
  path: "tests/test_auth.py",
  symbol: null,
  line: null,
  kind: null,
  tier: "ranked",
  included: true,
  detail: "none",
  score: 0.5,
  terms: null,
  tokens: null,
  reason: "login in its text",
  ...more,
});

/** A file with 400 tests of which 6 are candidates and 5 are shown. */
const DECISIONS = [
  decision({ stage: "scope", terms: [{ signal: "mention", value: 0.5, weight: 1 }] }),
  ...Array.from({ length: 400 }, (_, at) =>
    decision({
      symbol: `test_${at}`,
      line: at,
      included: at < 6,
      score: 0,
      reason: at < 6 ? "named like it; tests src/auth/handler.py" : "not relevant",
    }),
  ),
  ...Array.from({ length: 6 }, (_, at) =>
    decision({
      stage: "budget",
      symbol: `test_${at}`,
      line: at,
      tier: "tests",
      included: at < 5,
      detail: at < 5 ? "body" : "none",
      score: 1 - at / 10,
      tokens: 10,
      reason: at < 5 ? "named like it" : "did not fit into the budget",
    }),
  ),
];

const explained = (decisions: readonly LoggedDecision[], target: string, verbose = false): string =>
  explanationText({ about: "thing", target, run: EXPLAINED_RUN, files: [], decisions, unrecorded: null }, verbose);

test("a file is explained in ten lines, the answer first, and in full when asked", () => {
  expect(explained(DECISIONS, "tests/test_auth.py")).toBe(`tests/test_auth.py
  verdict in, ranked: 5 of 400 parts shown, 50 tokens
  why     tests src/auth/handler.py; login in its text
  score   0.5000 = mention 0.5000×1
  shown   test_0 (body), test_1 (body), test_2 (body), test_3 (body) and 1 more
  no room test_5
  below   394 parts not relevant enough
  all     407 decisions: cra explain ${EXPLAINED_RUN.taskId} tests/test_auth.py -v
`);
  expect(explained(DECISIONS, "tests/test_auth.py", true).split("\n").length).toBeGreaterThan(1_000);
});

test("what a file loses of its score is said in words", () => {
  const signals = [
    { signal: "content_match", value: 1.8, weight: 1 },
    { signal: "mention", value: 0.1, weight: 2 },
  ];
  const penalty = { signal: "path_penalty", value: -0.6, weight: 2 };
  const weight = { signal: "repository_weight", value: -0.25, weight: 0.8 };
  const scope = decision({ stage: "scope", score: 0.6, terms: [...signals, penalty, weight] });
  expect(explained([scope, decision({ stage: "budget" })], "tests/test_auth.py")).toContain(
    "  score   0.6000 = content_match 1.8000×1 + mention 0.1000×2, " +
      "less 60% (path_penalty: it is a test, an example, a declaration, settings, data or prose), " +
      "less 25% (repository_weight: another repository matches the task better)\n",
  );
});

test("a run that ended before packing says nothing of what is relevant", () => {
  const result = { status: "failed", tokenCount: null, files: null, notices: [], ms: 1, finishedAt: "2024" } as const;
  const decisions = DECISIONS.filter(({ stage }) => stage !== "budget");
  const found = { about: "thing", target: "tests/test_auth.py", files: [], decisions, unrecorded: null } as const;
  const text = explanationText({ ...found, run: { ...EXPLAINED_RUN, result } }, false, null);
  expect(text).toContain("  verdict shows nothing: the run ended before it came to this file\n");
  expect(text).not.toContain("not relevant enough");
});

test("what is beyond the stop comes next, with the coverage that includes it; what has no room is apart", () => {
  const left = (symbol: string, score: number, reason: string): LoggedDecision =>
    decision({ stage: "budget", symbol, line: 1, tier: "primary", included: false, score, tokens: 310, reason });
  const rows = [
    decision({ stage: "scope" }),
    left("late", 0.9, "not expected to matter enough for its tokens; coverage 0.92 includes it"),
    left("soon", 0.2, "not expected to matter enough for its tokens; coverage 0.87 includes it"),
    left("evicted", 0.8, "did not fit into the budget"),
  ];
  expect(explained(rows, "x").split("\n")).toEqual(
    expect.arrayContaining(["  no room evicted", "  next    soon (from coverage 0.87), late (from coverage 0.92)"]),
  );
});

test("a file that shows nothing, and one that is out, say so", () => {
  const [file, ...parts] = DECISIONS.slice(0, 3);
  if (file === undefined) throw new Error("no decision");
  const none = decision({ stage: "budget", included: false, reason: "nothing of it fitted" });
  expect(explained([file, ...parts, none], "x")).toContain("  verdict shows nothing: nothing of it fitted\n");
  expect(explained([{ ...file, included: false, tier: "excluded" }, ...parts], "x")).toContain(
    "  verdict out, excluded\n",
  );
});

test("a symbol is explained by its last decision, a name of many by the first two", () => {
  const redirect = (path: string): readonly LoggedDecision[] => [
    decision({ path, symbol: "redirect", line: 3, kind: "function", tier: "primary", reason: "ranked by search" }),
    decision({
      path,
      symbol: "redirect",
      line: 3,
      kind: "function",
      stage: "budget",
      tier: "primary",
      detail: "signature",
      tokens: 12,
      reason: "cut to its signature to fit the budget",
    }),
  ];
  expect(explained(["a.py", "b.py", "c.py"].flatMap(redirect), "redirect")).toBe(`a.py:3 function redirect
  verdict in, primary, shown as signature, 12 tokens
  why     ranked by search; cut to its signature to fit the budget
  score   0.5000
b.py:3 function redirect
  verdict in, primary, shown as signature, 12 tokens
  why     ranked by search; cut to its signature to fit the budget
  score   0.5000
and 1 more of this name
  all     6 decisions: cra explain ${EXPLAINED_RUN.taskId} redirect -v
`);
});

test("the command for all decisions runs where it is printed", () => {
  const lineFor = (target: string, location = ""): string | undefined => {
    const found = {
      about: "thing",
      target,
      run: EXPLAINED_RUN,
      files: [],
      decisions: DECISIONS,
      unrecorded: null,
    } as const;
    return /decisions: cra explain \w+(.*)/.exec(explanationText(found, false, location))?.[1];
  };
  expect(lineFor("it's.py", " --repo '../a b'")).toBe(" --repo '../a b' 'it'\\''s.py' -v");
  expect(lineFor("-x.py")).toBe(" -v -- '-x.py'");
  // No shell takes an escaped line feed for one.
  expect(lineFor("a\nb.py")).toBe(" -v");
});
