import { expect, test } from "bun:test";
import type { Notice } from "../../../src/notice.ts";
import { type PremortemRequest, premortemContext } from "../../../src/recall/context/premortem.ts";
import type { Searcher } from "../../../src/recall/search/searcher.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { type Asked, experience, ranked, searcherOf, value } from "../found.ts";

const counter = await openTokenCounter("o200k_base", { margin: 0 });
const NEVER = new AbortController().signal;

async function premortem(searcher: Searcher, given: Partial<PremortemRequest> = {}) {
  const notices: Notice[] = [];
  const world = { searcher, counter, onNotice: (notice: Notice) => void notices.push(notice) };
  const request = { domain: "debugging" as const, strategy: null, limit: 10, maxTokens: 1_500, ...given };
  return { ...(await premortemContext(world, request, NEVER)), notices };
}

test("five questions are asked with their filters, one less without a strategy", async () => {
  const asked: Asked[] = [];
  await premortem(searcherOf({}, asked), { strategy: "trial-and-error" });
  const strategy = "trial-and-error";
  const domain = "debugging";
  expect(asked).toEqual([
    {
      method: "experiences",
      query: "failures and issues in debugging",
      filter: { axis: "full", domain, outcome: "falsified" },
      limit: 10,
    },
    {
      method: "experiences",
      query: "outcomes using trial-and-error strategy",
      filter: { axis: "strategy", strategy },
      limit: 10,
    },
    {
      method: "experiences",
      query: "unexpected outcomes in debugging",
      filter: { axis: "surprise", domain },
      limit: 10,
    },
    {
      method: "experiences",
      query: "why hypotheses fail in debugging",
      filter: { axis: "root_cause", domain },
      limit: 10,
    },
    {
      method: "values",
      query: "principles for debugging using trial-and-error",
      filter: { domain, strategy },
      limit: 5,
    },
  ]);
  asked.length = 0;
  await premortem(searcherOf({}, asked), { limit: 3 });
  expect(asked.map(({ query, limit }) => `${limit} ${query}`)).toEqual([
    "3 failures and issues in debugging",
    "3 unexpected outcomes in debugging",
    "3 why hypotheses fail in debugging",
    "5 principles for debugging",
  ]);
});

const failed = experience(1, {
  surprise: "nobody had asked for it",
  root_cause: { category: "wrong-assumption", description: "the cache was thought to be warm" },
  lesson: { what_worked: "ask first", takeaway: null },
});
const worked = experience(2, {
  goal: "make the index smaller",
  iterations: [{ hypothesis: "blobs are large", action: "measured the tables", prediction: "half is blobs" }],
  outcome: { status: "confirmed", result: "half was blobs" },
});

test("each answer has a section; that of the strategy shows failures first", async () => {
  const experiences = ranked([worked, failed]);
  const { markdown, sources_used, items } = await premortem(
    searcherOf({ experiences, values: ranked([value(7)], 0.3) }),
    { strategy: "read-the-error" },
  );
  expect(markdown).toBe(`# Premortem: debugging with read-the-error

## Common Failures
**Experience**: debugging | read-the-error
- **Goal**: goal 1
- **Hypothesis**: hypothesis 1
- **Action**: action 1
- **Prediction**: prediction 1
- **Outcome**: falsified - result 1
- **Surprise**: nobody had asked for it
- **Lesson**: ask first

## Strategy Performance
**Experience**: debugging | read-the-error
- **Failure**: falsified - result 1
- **Goal**: goal 1
- **Action**: action 1
- **Lesson**: ask first

**Experience**: debugging | read-the-error
- **Outcome**: confirmed - half was blobs
- **Goal**: make the index smaller
- **Action**: measured the tables

## Unexpected Outcomes
**Experience**: debugging | read-the-error
- **Surprise**: nobody had asked for it
- **Goal**: goal 1
- **Prediction**: prediction 1

## Root Causes to Watch
**Experience**: debugging | read-the-error
- **Root cause**: wrong-assumption - the cache was thought to be warm
- **Goal**: goal 1
- **Hypothesis**: hypothesis 1
- **Lesson**: ask first

## Relevant Principles
**Value** (full, cluster size: 3):
principle 7

---
*Based on 2 past experiences*
`);
  expect(sources_used).toEqual({ experiences: 5, values: 1 });
  expect(items.map(({ source }) => source)).toContain("value");
});

test("without a strategy there is no section for it; without answers no text", async () => {
  const { markdown } = await premortem(searcherOf({ experiences: ranked([failed]) }));
  expect(markdown).toStartWith("# Premortem: debugging\n\n## Common Failures\n");
  expect(markdown).not.toContain("## Strategy Performance");
  expect(await premortem(searcherOf({}))).toMatchObject({ markdown: "", items: [], token_count: 0, notices: [] });
});

test("a question that fails is left out and reported by its section", async () => {
  const searcher = searcherOf({ experiences: ranked([failed]) });
  const { notices, markdown } = await premortem({
    ...searcher,
    experiences: (query, filter, ...rest) =>
      filter.axis === "surprise" ? Promise.reject(new Error("no")) : searcher.experiences(query, filter, ...rest),
  });
  expect(notices).toEqual([{ code: "sources-left-out", sources: ["experiences (Unexpected Outcomes)"], why: "no" }]);
  expect(markdown).toContain("## Root Causes to Watch");
  expect(markdown).not.toContain("## Unexpected Outcomes");
});

test("with little room, every section still has an item", async () => {
  const long = (at: number) =>
    experience(at, {
      goal: `goal ${at} ${"far away ".repeat(30 + at * 7)}`,
      surprise: `surprise ${at} ${"odd indeed ".repeat(30 + at * 7)}`,
      root_cause: { category: "oversight", description: `cause ${at} ${"not looked at ".repeat(30 + at * 5)}` },
    });
  const { markdown, token_count, budget_exceeded } = await premortem(
    searcherOf({ experiences: ranked(Array.from({ length: 10 }, (_, at) => long(at))) }),
    { maxTokens: 600 },
  );
  for (const title of ["Common Failures", "Unexpected Outcomes", "Root Causes to Watch"])
    expect(markdown).toContain(`## ${title}\n`);
  expect([token_count <= 600, budget_exceeded]).toEqual([true, false]);
  expect(markdown).toContain("*(truncated, full experience ID: exp-00000000000");
});

test("near-equal experiences are shown once and all counted; principles are not dropped for what they came from", async () => {
  const alike = [1, 2, 3].map((at) =>
    experience(at, {
      goal: `the login redirect of release ${at} ended in a loop although every cookie was set`,
      iterations: [{ hypothesis: "the proxy drops it", action: "read the headers", prediction: "one is missing" }],
      outcome: { status: "falsified", result: "the headers were complete" },
    }),
  );
  const principles = ["read the log first", "ask who owns it"].map((text, at) =>
    value(at, { text, experience_ids: alike.map(({ id }) => id) }),
  );
  const { markdown, items } = await premortem(
    searcherOf({ experiences: ranked(alike), values: ranked(principles, 0.3) }),
  );
  expect(items.filter(({ source }) => source === "experience")).toHaveLength(1);
  expect(markdown).toContain("*Based on 3 past experiences*");
  expect(markdown).toContain("## Relevant Principles\n**Value** (full, cluster size: 3):\nread the log first\n");
  expect(markdown).toContain("\nask who owns it\n");
});

test("an experience that did not fit is not counted", async () => {
  const long = ["north", "east", "south", "west"].map((way, at) => experience(at, { goal: `${way} `.repeat(5_000) }));
  const { markdown, items } = await premortem(searcherOf({ experiences: ranked(long) }), { maxTokens: 200 });
  expect(markdown).toContain(`*Based on ${items.length} past experience${items.length === 1 ? "" : "s"}*`);
});
