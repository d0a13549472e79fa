import { expect, test } from "bun:test";
import fc from "fast-check";
import { applyIntent, type IntentClass, intentQuestion } from "../../src/judgement/intent.ts";
import { PROPOSED, type Verdict } from "../../src/judgement/judge.ts";
import { verbatimPathAnchors } from "../../src/retrieval/anchors/verbatim-paths.ts";
import { analyzeTask } from "../../src/task/analyze.ts";
import { TASK_LIMITS, type TaskQuery } from "../../src/task/query.ts";
import { taskOf } from "../support/task.ts";
import { INJECTIONS } from "./injections.ts";

const BACKGROUND = {
  concepts: ["authentication", "billing", "rate limit"],
  areas: ["src/auth", "web/pages"],
  symbols: ["SessionStore", "parse_http_url"],
};
const given = { paths: [], symbols: [], languages: [] };
const analyzed = (text: string): TaskQuery => analyzeTask(text, { given, concepts: new Set(BACKGROUND.concepts) });
const verdicts = (of: Readonly<Record<string, IntentClass>>): ReadonlyMap<string, Verdict<IntentClass>> =>
  new Map(Object.entries(of).map(([key, verdict]) => [key, { class: verdict }]));

test("the model is asked for words, and about what the repository knows", () => {
  const { candidates, ...question } = intentQuestion(analyzed("It is slow"), BACKGROUND);
  expect(question).toMatchObject({
    stage: "analysis",
    task: "It is slow",
    lists: ["essential", "helpful"],
    rest: "irrelevant",
    proposals: "helpful",
  });
  expect(candidates).toEqual([
    { key: "concept:authentication", text: "concept authentication" },
    { key: "concept:billing", text: "concept billing" },
    { key: "concept:rate limit", text: "concept rate limit" },
    { key: "area:src/auth", text: "area src/auth" },
    { key: "area:web/pages", text: "area web/pages" },
    { key: "symbol:SessionStore", text: "symbol SessionStore" },
    { key: "symbol:parse_http_url", text: "symbol parse_http_url" },
  ]);
});

test("for any index, a question is bounded", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`);
  const background = { concepts: many(5_000), areas: many(5_000), symbols: many(5_000) };
  expect(intentQuestion(taskOf([]), background).candidates.length).toBe(50);
});

test("proposed words are kept apart from the task's own", () => {
  const task = analyzed("Slow session expiry");
  const judged = verdicts({ [`${PROPOSED}cacheTimeout`]: "helpful", [`${PROPOSED}session`]: "helpful" });
  const sharp = applyIntent(task, judged, BACKGROUND);
  expect({ ...sharp, proposed: undefined }).toEqual({ ...task, proposed: undefined });
  expect(sharp.proposed).toEqual(["cachetimeout", "cache", "timeout"]);
});

test("judged concepts are added to those of the text", () => {
  const task = analyzed("Fix billing of customers");
  const judged = verdicts({
    "concept:authentication": "helpful",
    "concept:rate limit": "essential",
    "concept:billing": "irrelevant",
  });
  expect(task.concepts).toEqual(["billing"]);
  expect(applyIntent(task, judged, BACKGROUND).concepts).toEqual(["billing", "authentication", "rate limit"]);
});

test("parts of essential areas and symbols become words", () => {
  const sharp = applyIntent(
    analyzed("It is slow"),
    verdicts({ "area:src/auth": "essential", "symbol:SessionStore": "essential", "symbol:parse_http_url": "helpful" }),
    BACKGROUND,
  );
  expect(sharp.keywords).toEqual(["slow", "sessionstore", "session", "store", "src", "auth"]);
  expect(sharp.sections.at(-1)).toEqual({ kind: "title", text: "sessionstore\nsession\nstore\nsrc\nauth" });
});

test("a part of a name that is in the task is not repeated", () => {
  const sharp = applyIntent(analyzed("auth is slow"), verdicts({ "area:src/auth": "essential" }), BACKGROUND);
  expect(sharp.keywords).toEqual(["auth", "slow", "src"]);
});

test("without verdicts, the task is unchanged", () => {
  const task = analyzed("Fix session expiry in `src/auth/a.ts`");
  expect(applyIntent(task, new Map(), BACKGROUND)).toEqual(task);
});

const name = fc.oneof(
  fc.constantFrom("login", "session", "src/auth", "a b.ts", "x=1/y.ts", "__proto__"),
  fc.string(),
  fc.constantFrom(...INJECTIONS),
);

test("property: for any verdicts, the user's text and names stay, and no path is added", () => {
  fc.assert(
    fc.property(
      fc.array(name).map((words) => words.join(" ")),
      fc.record({ concepts: fc.array(name), areas: fc.array(name), symbols: fc.array(name) }),
      fc.array(fc.constantFrom("essential", "helpful", "irrelevant"), { minLength: 1 }),
      (text, background, classes) => {
        const task = analyzeTask(text, { given, concepts: new Set(background.concepts) });
        const asked = intentQuestion(task, background);
        const judged = new Map(
          asked.candidates.map(
            ({ key }, index) => [key, { class: classes[index % classes.length] ?? "helpful" }] as const,
          ),
        );
        const sharp = applyIntent(task, judged, background);
        const { keywords, concepts, sections, ...rest } = sharp;
        expect(task).toMatchObject(rest);
        expect(sections.slice(0, task.sections.length)).toEqual([...task.sections]);
        expect(sections.length - task.sections.length).toBeLessThanOrEqual(1);
        expect(task.keywords.filter((word) => !keywords.includes(word))).toEqual([]);
        expect(new Set(keywords).size).toBe(keywords.length);
        expect(keywords.length).toBeLessThanOrEqual(TASK_LIMITS.keywordsMax + 24);
        expect(task.concepts.filter((concept) => !concepts.includes(concept))).toEqual([]);
        expect(
          concepts.filter((concept) => !task.concepts.includes(concept) && !background.concepts.includes(concept)),
        ).toEqual([]);
        const added = sections.slice(task.sections.length);
        expect(added.filter(({ text: words }) => /[^\p{L}\p{M}\p{N}_$\n]/u.test(words))).toEqual([]);
      },
    ),
  );
});

test("added words name no file, for any file names", () => {
  const files = ["src/a b.ts", "x=1/y.ts", "login (old).ts"].map((path, id) => ({ ...FILE, id, path }));
  const background = { concepts: [], areas: files.map(({ path }) => path), symbols: files.map(({ path }) => path) };
  const task = analyzed("slow");
  const all = new Map(
    intentQuestion(task, background).candidates.map(({ key }) => [key, { class: "essential", reason: "" }] as const),
  );
  expect(verbatimPathAnchors(applyIntent(task, all, background), files)).toEqual([]);
});

const FILE = {
  language: "typescript",
  contentHash: "",
  sizeBytes: 1,
  lineCount: 1,
  tokenCount: 1,
  isTest: false,
  modifiedAt: null,
} as const;
