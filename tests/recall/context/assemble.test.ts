import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failed } from "../../../src/failure.ts";
import type { Notice } from "../../../src/notice.ts";
import { assembleContext, type RecallRequest } from "../../../src/recall/context/assemble.ts";
import { ContextJson } from "../../../src/recall/context/context-json.ts";
import { CONTEXT_TYPES, type ContextType, contextTypes } from "../../../src/recall/context/context-types.ts";
import type { Searcher } from "../../../src/recall/search/searcher.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { blocksOf } from "../../support/commonmark.ts";
import { HOSTILE } from "../../support/hostile-text.ts";
import { type Asked, code, commit, experience, memory, ranked, searcherOf, value } from "../found.ts";

const counter = await openTokenCounter("o200k_base", { margin: 0 });
const NEVER = new AbortController().signal;

async function recall(searcher: Searcher, given: Partial<RecallRequest> = {}) {
  const notices: Notice[] = [];
  const request = { query: "caches", types: CONTEXT_TYPES, limit: 20, maxTokens: 2_000, ...given };
  const world = { searcher, counter, onNotice: (notice: Notice) => void notices.push(notice) };
  return { ...(await assembleContext(world, request, NEVER)), notices };
}

test("all sources as one text: sections in order, formats, a closing line, counts", async () => {
  const { markdown, items, token_count, sources_used, budget_exceeded, notices } = await recall(
    searcherOf({
      memories: ranked([memory(1, { content: "The cache is cleared at noon.", category: "event", importance: 0.5 })]),
      code: ranked([code(7, { docstring: "Runs it." })], 0.8),
      experiences: ranked(
        [
          experience(3, {
            surprise: "it was noon",
            lesson: { what_worked: "look at the clock", takeaway: "always" },
          }),
        ],
        0.7,
      ),
      values: ranked([value(4)], 0.6),
      commits: ranked([commit(5, { message: "clear the cache\n\nat noon", filesChanged: ["a.py", "b_c.py"] })], 0.5),
    }),
  );
  expect(markdown).toBe(`# Context

## Memories
**Memory**: The cache is cleared at noon.
*Category: event, Importance: 0.5*

## Code
**function** \`run_7\` in \`src/file7.py:7\`
\`\`\`python
def run_7(self)
Runs it.
\`\`\`

## Experiences
**Experience**: debugging | read-the-error
- **Goal**: goal 3
- **Hypothesis**: hypothesis 3
- **Action**: action 3
- **Prediction**: prediction 3
- **Outcome**: falsified - result 3
- **Surprise**: it was noon
- **Lesson**: look at the clock

## Values
**Value** (full, cluster size: 3):
principle 4

## Commits
**Commit** \`aaaaaaa\` by Ada on 2026-03-01T10:00:00.000Z
clear the cache
at noon
*Files: a.py, b_c.py*

---
*5 items from 5 sources*
`);
  expect(items.map(({ source, relevance }) => [source, relevance])).toEqual([
    ["memory", 0.855],
    ["code", 0.8],
    ["experience", 0.7],
    ["value", 0.6],
    ["commit", 0.5],
  ]);
  expect(items.every(({ content }) => markdown.includes(content))).toBe(true);
  expect(token_count).toBe(counter.count(markdown));
  expect(sources_used).toEqual({ memories: 1, code: 1, experiences: 1, values: 1, commits: 1 });
  expect([budget_exceeded, notices]).toEqual([false, []]);
  expect(
    ContextJson.safeParse({ schema_version: 1, markdown, items, token_count, sources_used, budget_exceeded }).error,
  ).toBe(undefined);
});

test("one item of one source is counted in the singular", async () => {
  const { markdown } = await recall(searcherOf({ memories: ranked([memory(1)]) }));
  expect(markdown).toEndWith("*1 item from 1 source*\n");
});

test("asks only the requested sources, each with query and limit", async () => {
  const asked: Asked[] = [];
  await recall(searcherOf({}, asked), { types: ["experiences", "commits"], limit: 7 });
  expect(asked).toEqual([
    { method: "experiences", query: "caches", filter: { axis: "full" }, limit: 7 },
    { method: "commits", query: "caches", filter: null, limit: 7 },
  ]);
});

test("all sources are asked concurrently", async () => {
  const asked: Asked[] = [];
  const inner = searcherOf({ memories: ranked([memory(1)]) }, asked);
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const searcher: Searcher = {
    ...inner,
    memories: async (...args) => {
      const answer = inner.memories(...args);
      await gate;
      return await answer;
    },
    commits: (...args) => {
      open();
      return inner.commits(...args);
    },
  };
  expect((await recall(searcher)).items).toHaveLength(1);
  expect(new Set(asked.map(({ method }) => method)).size).toBe(5);
});

test("no results give an empty context", async () => {
  expect(await recall(searcherOf({}))).toEqual({
    markdown: "",
    items: [],
    token_count: 0,
    sources_used: {},
    budget_exceeded: false,
    notices: [],
  });
});

test("a source that fails is left out with a notice, and sources that fail alike share one", async () => {
  const unindexed = async () => {
    throw new Failed({ code: "not-indexed", repo: "/r" });
  };
  const broken = async () => {
    throw new TypeError("vectors have 3 numbers, not 4");
  };
  const { items, notices } = await recall({
    ...searcherOf({ memories: ranked([memory(1)]) }),
    code: unindexed,
    commits: unindexed,
    values: broken,
  });
  expect(items.map(({ source }) => source)).toEqual(["memory"]);
  expect(notices).toEqual([
    { code: "sources-left-out", sources: ["code", "commits"], why: "/r is not indexed; run: cra index" },
    { code: "sources-left-out", sources: ["values"], why: "vectors have 3 numbers, not 4" },
  ]);
});

test("the user's signal aborts with its reason", async () => {
  const controller = new AbortController();
  const reason = new Failed({ code: "cancelled", signal: "SIGINT" });
  const searcher: Searcher = {
    ...searcherOf({}),
    code: async () => {
      controller.abort(reason);
      return await new Promise<never>(() => {});
    },
  };
  const world = { searcher, counter, onNotice: () => {} };
  const request = { query: "x", types: CONTEXT_TYPES, limit: 5, maxTokens: 500 };
  await expect(assembleContext(world, request, controller.signal)).rejects.toBe(reason);
});

test("unknown types and an empty list are refused with the valid ones", () => {
  expect(contextTypes(["commits", "memories", "commits"])).toEqual(["memories", "commits"]);
  for (const typed of [["memories", "foo"], [], [""], ["__proto__"]])
    expect(() => contextTypes(typed)).toThrow("valid types: memories, code, experiences, values, commits");
  expect(() => contextTypes(["foo", "code", "bar", "foo"])).toThrow('unknown types "foo", "bar"');
  expect(() => contextTypes(Array.from({ length: 12 }, (_, at) => `t${at}`))).toThrow('"t9" and 2 more');
});

test("with a low limit, items that their share cannot hold take what is left, the most relevant first", async () => {
  const told = (at: number): string => `${at}: ${"the cache keeps a handle open ".repeat(9)}`;
  const searcher = searcherOf({
    memories: ranked(Array.from({ length: 3 }, (_, at) => memory(at, { content: told(at) }))),
    code: ranked(Array.from({ length: 3 }, (_, at) => code(at, { docstring: told(at) }))),
    commits: ranked(Array.from({ length: 3 }, (_, at) => commit(at, { message: told(at) }))),
  });
  for (const maxTokens of [250, 300, 400]) {
    const { items, token_count } = await recall(searcher, { maxTokens });
    expect(items.length).toBeGreaterThan(2);
    expect(token_count).toBeWithin(maxTokens * 0.7, maxTokens + 1);
    expect(items[0]?.content).toContain("0: the cache");
  }
});

test("a low limit keeps the best items; one that cannot be kept is exceeded with a note", async () => {
  const memories = ranked(
    Array.from({ length: 40 }, (_, at) => memory(at, { content: `${at}: ${"cache ".repeat(12 + at)}` })),
  );
  const many = await recall(searcherOf({ memories }), { limit: 40, maxTokens: 400 });
  expect(many.token_count).toBeLessThanOrEqual(400);
  expect(many.token_count).toBeGreaterThan(300);
  expect(many.items[0]?.content).toContain("0: cache");
  const least = await recall(searcherOf({ memories: ranked([memory(1, { content: "cache key ".repeat(400) })]) }), {
    maxTokens: 10,
  });
  expect(least.items).toHaveLength(1);
  expect(least.budget_exceeded).toBe(true);
  expect(least.notices).toEqual([{ code: "recall-over-limit", tokens: least.token_count, limit: 10 }]);
  expect(least.token_count).toBeLessThan(150);
});

const PIECES = [
  "cache ",
  "the worker holds ",
  "\n",
  "```\n",
  "# Values\n",
  "---\n",
  "- ",
  "> ",
  "<b>",
  "`x`",
  "__a__",
  "*",
  "[a](b)",
  "{task}",
  ...HOSTILE,
];
const text = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 60 })
  .map((parts) => parts.join(""))
  .filter((one) => one.trim() !== "");
const relevance = fc.double({ min: 0, max: 1, noNaN: true });
const some = <T>(one: (number: number, said: string) => T, most = 12) =>
  fc
    .array(fc.tuple(relevance, text), { maxLength: most })
    .map((list) => list.map(([share, said], at) => ({ relevance: share, found: one(at, said) })));

const anything = fc.record({
  memories: some((number, said) => memory(number, { content: said, importance: 0.3 })),
  code: some((number, said) => code(number, { path: `src/${said}.py`, signature: said, name: said, docstring: said })),
  experiences: some((number, said) =>
    experience(number, {
      goal: said,
      surprise: said,
      lesson: { what_worked: said, takeaway: null },
      outcome: { status: "confirmed", result: said },
    }),
  ),
  values: some((number, said) => value(number, { text: said })),
  commits: some((number, said) => commit(number, { message: said, author: said, filesChanged: [said] })),
});

test("hostile entries cannot break sections, items or counts", async () => {
  await fc.assert(
    fc.asyncProperty(anything, fc.integer({ min: 1, max: 3_000 }), async (found, maxTokens) => {
      const context = await recall(searcherOf(found), { maxTokens });
      const { markdown, items } = context;
      expect(markdown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(context.token_count).toBe(counter.count(markdown));
      expect(context.budget_exceeded).toBe(context.token_count > maxTokens);
      if (context.budget_exceeded) expect(items).toHaveLength(1);
      const blocks = blocksOf(markdown);
      const filled = CONTEXT_TYPES.filter((type) => (context.sources_used[type] ?? 0) > 0);
      const headings = blocks.filter(({ kind }) => kind.startsWith("heading"));
      expect(headings).toEqual(
        items.length === 0 ? [] : [{ kind: "heading 1", text: "Context" }, ...filled.map(headed)],
      );
      expect(blocks.filter(({ kind }) => kind === "thematicBreak")).toHaveLength(items.length === 0 ? 0 : 1);
      expect(blocks.some(({ kind }) => ["html", "blockquote", "definition"].includes(kind))).toBe(false);
      expect(blocks.filter(({ kind }) => kind === "code")).toHaveLength(context.sources_used.code ?? 0);
      expect(items.map((item) => item.relevance)).toEqual(
        items.map((item) => item.relevance).toSorted((a, b) => b - a),
      );
      for (const item of items) {
        expect(item.relevance).toBeWithin(0, 1 + 1e-9);
        expect(markdown).toContain(item.content);
      }
    }),
    { numRuns: 30 },
  );
});

const headed = (type: ContextType) => ({ kind: "heading 2", text: type.charAt(0).toUpperCase() + type.slice(1) });

test("the same answers give the same text", async () => {
  const answers = searcherOf({ memories: ranked([memory(2), memory(1)]), commits: ranked([commit(2), commit(1)]) });
  expect((await recall(answers)).markdown).toBe((await recall(answers)).markdown);
});
