import { expect, test } from "bun:test";
import fc from "fast-check";
import { findAnchors } from "../../../src/retrieval/anchors/anchors.ts";
import { PATH_PENALTY } from "../../../src/retrieval/model/scores.ts";
import { atOnce, withPauses } from "../../../src/retrieval/model/steps.ts";
import { rank } from "../../../src/retrieval/ranking/ranking.ts";
import { roundScore } from "../../../src/retrieval/ranking/score.ts";
import type { WeightProfile } from "../../../src/retrieval/ranking/signals/table.ts";
import { loadSignals, weightsFrom } from "../../../src/retrieval/ranking/weights.ts";
import type { TaskQuery } from "../../../src/task/query.ts";
import { type Fixture, knowledgeOf } from "../../support/knowledge.ts";
import { taskOf } from "../../support/task.ts";

const FIXTURE: Fixture = {
  files: {
    "docs/cookies.md": "session cookie expires session cookie expires session cookie",
    "src/session.py": {
      text: [
        "class Session:",
        "  def renew(self):",
        "    cookie = self.cookie",
        "    return cookie.expires",
        "def load_session(name):",
        "  return Session(name)",
      ].join("\n"),
      symbols: [
        { name: "Session", kind: "class", lines: [1, 4] },
        { name: "renew", kind: "method", lines: [2, 4], parent: 0, signature: "def renew(self)" },
        { name: "load_session", kind: "function", lines: [5, 6], signature: "def load_session(name)" },
      ],
    },
    "src/mail.py": {
      text: "def send(to):\n  return smtp(to)",
      symbols: [{ name: "send", kind: "function", lines: [1, 2] }],
    },
    "tests/test_session.py": {
      text: "def test_renew():\n  session = load_session()\n  assert session.cookie.expires",
      symbols: [{ name: "test_renew", kind: "function", lines: [1, 3] }],
    },
  },
  imports: [["tests/test_session.py", "src/session.py"]],
};
const TASK = taskOf(
  [
    ["title", "session cookie expires too early"],
    ["inline", "load_session"],
  ],
  {
    keywords: ["session", "cookie", "expires", "early"],
  },
);

const WEIGHTS = {
  default: await loadSignals(weightsFrom("default", TASK.taskType)),
  classic: await loadSignals(weightsFrom("classic", TASK.taskType)),
};

function run(
  fixture: Fixture,
  task: TaskQuery,
  profile: WeightProfile = "default",
  seeds: readonly string[] = [],
  idOf?: (index: number) => number,
) {
  const kb = knowledgeOf(fixture, idOf);
  const files = kb.files();
  const anchors = findAnchors(task, kb, files);
  const seedIds = files.filter(({ path }) => seeds.includes(path)).map(({ id }) => id);
  const ranking = atOnce(rank({ kb, files, task, anchors, seeds: seedIds, weights: WEIGHTS[profile] }));
  const pathOf = new Map(files.map(({ id, path }) => [id, path]));
  const nameOf = new Map(kb.symbolsIn(files.map(({ id }) => id)).map(({ id, qualifiedName }) => [id, qualifiedName]));
  return {
    files: ranking.files.map(({ fileId: _, ...score }) => score),
    definitions: ranking.definitions.map(({ symbolId, fileId, score }) => [
      pathOf.get(fileId),
      nameOf.get(symbolId),
      score,
    ]),
  };
}

test("source comes before the tests and documents that repeat its words", () => {
  const { files, definitions } = run(FIXTURE, TASK);
  expect(files[0]?.path).toBe("src/session.py");
  expect(files.map(({ path }) => path)).not.toContain("src/mail.py");
  expect(definitions[0]?.slice(0, 2)).toEqual(["src/session.py", "load_session"]);
});

test("every total is the sum of its terms, including the path penalty", () => {
  const { files } = run(FIXTURE, TASK);
  for (const { total, terms } of files)
    expect(total).toBe(roundScore(terms.reduce((sum, { value, weight }) => sum + value * weight, 0)));
  const penalty = new Map(
    files.map(({ path, terms }) => [path, terms.find(({ signal }) => signal === PATH_PENALTY)?.value]),
  );
  expect(penalty.get("tests/test_session.py")).toBe(-0.8);
  expect(penalty.get("docs/cookies.md")).toBe(-0.75);
  expect(penalty.get("src/session.py")).toBeUndefined();
});

test("classic: seeds score 1, other files less", () => {
  const { files } = run(FIXTURE, TASK, "classic", ["src/session.py"]);
  expect(files[0]).toEqual({ path: "src/session.py", total: 1, terms: [{ signal: "seed", value: 1, weight: 1 }] });
  // bug_fix; live are path .2, symbol .25 and dependency .15: the test has 1/2 ("session" in its name), .5 and 1
  const test = files.find(({ path }) => path === "tests/test_session.py");
  expect(test?.terms.map(({ signal }) => signal)).toEqual(["path_match", "dependency_proximity"]);
  expect(test?.total).toBe(roundScore(0.5 * 0.333333 + 1 * 0.25));
});

test("without a shared word, nothing is ranked", () => {
  const { files, definitions } = run(FIXTURE, taskOf([["title", "zebra"]]));
  expect(files).toEqual([]);
  expect(definitions).toEqual([]);
});

test("candidates that were left out do not appear", () => {
  const kb = knowledgeOf(FIXTURE);
  const files = kb.files().filter(({ path }) => path.startsWith("tests/"));
  const anchors = findAnchors(TASK, kb, files);
  const { files: scores, definitions } = atOnce(
    rank({ kb, files, task: TASK, anchors, seeds: [], weights: WEIGHTS.default }),
  );
  expect(scores.map(({ path }) => path)).toEqual(["tests/test_session.py"]);
  expect(new Set(definitions.map(({ fileId }) => fileId))).toEqual(new Set(files.map(({ id }) => id)));
});

test("ranking pauses between its steps, and ends when a pause rejects", async () => {
  const kb = knowledgeOf(FIXTURE);
  const files = kb.files();
  const anchors = findAnchors(TASK, kb, files);
  const input = { kb, files, task: TASK, anchors, seeds: [], weights: WEIGHTS.default };
  let pauses = 0;
  const paused = await withPauses(rank(input), async () => {
    pauses += 1;
  });
  const { files: scores, definitions } = atOnce(rank(input));
  expect([paused.files, paused.definitions]).toEqual([scores, definitions]);
  expect(pauses).toBeGreaterThan(3);
  const stop = new Error("stop");
  await expect(withPauses(rank(input), () => Promise.reject(stop))).rejects.toBe(stop);
});

test("ids do not change a ranking", () => {
  const plain = run(FIXTURE, TASK);
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }), (ids) => {
      expect(run(FIXTURE, TASK, "default", [], (index) => ids[index] ?? 0)).toEqual(plain);
      const seeded = (idOf?: (index: number) => number) => run(FIXTURE, TASK, "classic", ["src/session.py"], idOf);
      expect(seeded((index) => ids[index] ?? 0)).toEqual(seeded());
    }),
    { numRuns: 12 },
  );
});

test("hostile tasks are ranked in bounded time", () => {
  const length = 200_000;
  const texts = ["_", "a", "A.", "a(", '"', "x ", "word_1 ", "a::", "*", "{"].map((run) =>
    run.repeat(length / run.length),
  );
  for (const text of texts) {
    const mention = { text, section: "inline" as const, codeLike: true };
    const task = taskOf(
      [
        ["title", text],
        ["inline", text],
      ],
      { fileHints: [mention], symbolHints: [mention], urls: [text] },
    );
    expect(run(FIXTURE, task).files.length).toBeLessThanOrEqual(4);
  }
});

test("a proposed word finds what the task does not name, and weighs less than a word of the task", () => {
  const kb = knowledgeOf(FIXTURE);
  const files = kb.files();
  const scoreOf = (task: TaskQuery): number =>
    atOnce(rank({ kb, files, task, anchors: [], seeds: [], weights: WEIGHTS.default })).files.find(
      ({ path }) => path === "src/mail.py",
    )?.total ?? 0;
  const plain = taskOf([["prose", "session cookie expires"]]);
  const proposed = scoreOf({ ...plain, proposed: ["smtp"] });
  expect(scoreOf(plain)).toBe(0);
  expect(proposed).toBeGreaterThan(0);
  expect(proposed).toBeLessThan(scoreOf(taskOf([["prose", "session cookie expires smtp"]])));
});
