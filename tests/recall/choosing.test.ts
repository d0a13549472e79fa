import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  adjusted,
  confidenceFactor,
  importanceFactor,
  newestOf,
  recencyFactor,
} from "../../src/recall/context/adjustments.ts";
import type { Candidate } from "../../src/recall/context/candidate.ts";
import { characterBudget, UNLIMITED } from "../../src/recall/context/candidate.ts";
import { deduplicated } from "../../src/recall/context/deduplicate.ts";
import {
  codeCandidate,
  commitCandidate,
  experienceCandidate,
  memoryCandidate,
  valueCandidate,
} from "../../src/recall/context/formats.ts";
import { cappedContent, select } from "../../src/recall/context/select.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { blocksOf } from "../support/commonmark.ts";
import { code, commit, experience, memory, value } from "./found.ts";

const counter = await openTokenCounter("o200k_base", { margin: 0 });
const ids = (list: readonly Candidate[]): readonly string[] => list.map(({ id }) => id);

test("adjustments are small and keep a relevance from 0 to 1", () => {
  expect((["gold", "silver", "bronze", "abandoned"] as const).map(confidenceFactor)).toEqual([1, 0.97, 0.94, 0.85]);
  expect([importanceFactor(1), importanceFactor(0)]).toEqual([1, 0.9]);
  expect(importanceFactor(0.8)).toBeGreaterThan(importanceFactor(0.3));
  const newest = newestOf(["2026-01-01T00:00:00.000Z", "no time", "2026-04-01T00:00:00Z", "2025-01-01T00:00:00Z"]);
  expect(newest).toBe("2026-04-01T00:00:00Z");
  expect(recencyFactor("2026-04-01T00:00:00Z", newest)).toBe(1);
  expect(recencyFactor("2026-01-01T00:00:00Z", newest)).toBeCloseTo(0.975, 6);
  expect([recencyFactor("2001-01-01T00:00:00Z", newest), recencyFactor("never", newest)]).toEqual([0.95, 0.95]);
  expect(newestOf(["never"])).toBe(null);
  fc.assert(
    fc.property(fc.double(), fc.double({ min: 0, max: 1, noNaN: true }), (relevance, importance) => {
      expect(adjusted(relevance, importanceFactor(importance), 0.95)).toBeWithin(0, 1 + 1e-9);
    }),
  );
});

test("merges an experience with the value that quotes it and keeps the most relevant", () => {
  const told = experience(1);
  const principle = value(2, { text: "quite another text", experience_ids: [told.id, experience(5).id] });
  expect(ids(deduplicated([experienceCandidate(told, "full", 0.8), valueCandidate(principle, 0.7)]))).toEqual([
    told.id,
  ]);
  expect(ids(deduplicated([experienceCandidate(told, "full", 0.7), valueCandidate(principle, 0.8)]))).toEqual([
    principle.id,
  ]);
  // Others of its cluster say other things.
  const member = experience(5, { goal: "something else entirely" });
  expect(deduplicated([experienceCandidate(member, "full", 0.7), valueCandidate(principle, 0.8)])).toHaveLength(2);
  expect(deduplicated([memoryCandidate(memory(1), 0.5), memoryCandidate(memory(1), 0.4)])).toHaveLength(1);
});

test("the same path in code and in commits is merged, within one source it is not", () => {
  const path = "src/cache.py";
  const definitions = [codeCandidate(code(1, { path }), 0.9), codeCandidate(code(20, { path }), 0.6)];
  const change = commit(1, { filesChanged: [path] });
  expect(ids(deduplicated([...definitions, commitCandidate(change, 0.8)]))).toEqual(ids(definitions));
  expect(ids(deduplicated([...definitions, commitCandidate(change, 0.95)]))).toEqual([change.sha]);
  // A commit of several files is about none of them.
  const broad = commit(3, { filesChanged: ["a.py", path] });
  expect(deduplicated([...definitions, commitCandidate(broad, 0.95)])).toHaveLength(3);
  expect(deduplicated([...definitions, commitCandidate(broad, 0.5)])).toHaveLength(3);
  const further = commit(2, { filesChanged: [path], message: "rewrite all of it" });
  expect(deduplicated([commitCandidate(change, 0.8), commitCandidate(further, 0.7)])).toHaveLength(2);
});

test("merges nearly equal texts within and across sources, except definitions", () => {
  const said = "Always clear the build folder before a release, or the old binary is shipped again";
  const found = [
    memoryCandidate(memory(1, { content: said }), 0.6),
    memoryCandidate(memory(2, { content: `${said}!` }), 0.5),
    commitCandidate(commit(3, { message: said.toUpperCase() }), 0.9),
    memoryCandidate(memory(4, { content: "Never clear the cache folder" }), 0.1),
  ];
  expect(ids(deduplicated(found))).toEqual([commit(3).sha, memory(4).id]);
  const alike = [1, 2].map((at) => codeCandidate(code(at, { signature: "def get(self)", path: `src/${at}.py` }), 0.5));
  expect(deduplicated(alike)).toHaveLength(2);
});

test("of equal items, the earlier source and then the smaller id is kept, in any order", () => {
  const found = [
    memoryCandidate(memory(2, { content: "the very same words" }), 0.5),
    commitCandidate(commit(1, { message: "the very same words" }), 0.5),
    memoryCandidate(memory(1, { content: "the very same words" }), 0.5),
  ];
  expect(ids(deduplicated(found))).toEqual([memory(1).id]);
  expect(ids(deduplicated(found.toReversed()))).toEqual([memory(1).id]);
});

test("of equally relevant items of a source, the newest is kept: it may correct the others", () => {
  const needs = (version: number): string =>
    `The deploy pipeline of the production cluster needs Node ${version}, as the base image of the platform team has no other`;
  const found = [
    memoryCandidate(memory(1, { content: needs(20), created_at: "2026-03-01T10:00:00.000Z" }), 0.5),
    memoryCandidate(memory(2, { content: needs(22), created_at: "2026-04-01T10:00:00.000Z" }), 0.5),
  ];
  expect(ids(deduplicated(found))).toEqual([memory(2).id]);
  expect(ids(deduplicated(found.toReversed()))).toEqual([memory(2).id]);
});

test("a budget truncates once, says so, and splits no character", () => {
  const budget = characterBudget(5);
  expect([budget.take("abc"), budget.take("defg"), budget.take("h")]).toEqual(["abc", "de...", null]);
  expect(characterBudget(2).take("a😀b")).toBe("a...");
  expect(characterBudget(3).take("abc")).toBe("abc");
});

const LONG = "The worker keeps a handle open, and `close()` is never called on it.\n".repeat(40);
const LONG_ONES: readonly (readonly [Candidate, note: string])[] = [
  [memoryCandidate(memory(1, { content: LONG }), 0.5), "*(truncated)*"],
  [codeCandidate(code(9, { docstring: LONG }), 0.5), "*(truncated, see full at src/file9.py:9)*"],
  [codeCandidate(code(9, { docstring: LONG, path: "__a*.py" }), 0.5), "*(truncated, see full at `__a*.py:9`)*"],
  [
    experienceCandidate(experience(3, { goal: LONG }), "full", 0.5),
    "*(truncated, full experience ID: exp-000000000003)*",
  ],
  [valueCandidate(value(1, { text: LONG }), 0.5), "*(truncated)*"],
  [commitCandidate(commit(1, { message: LONG }), 0.5), "*(truncated)*"],
];

test("a long item is truncated to its cap, including the note, and stays valid Markdown", () => {
  for (const [candidate, note] of LONG_ONES)
    for (const cap of [60, 100, 101, 250]) {
      const content = cappedContent(candidate, cap, counter) ?? "";
      expect(content).toEndWith(`\n\n${note}`);
      expect(content).toContain("...");
      expect(counter.count(content)).toBeLessThanOrEqual(cap);
      expect(counter.count(content)).toBeGreaterThan(cap * 0.85);
      expect(blocksOf(content).at(-1)?.kind).toBe("paragraph");
      expect(blocksOf(`${content}\n\n## Next`).at(-1)).toEqual({ kind: "heading 2", text: "Next" });
    }
});

test("an item that fits is shown completely; one with too little room is dropped", () => {
  for (const [candidate] of LONG_ONES) {
    expect(cappedContent(candidate, 5_000, counter)).toBe(candidate.content(UNLIMITED));
    expect(cappedContent(candidate, 24, counter)).toBe(null);
    expect(cappedContent(candidate, 0, counter)).toBe(null);
  }
  expect(cappedContent(memoryCandidate(memory(1), 0.5), 20, counter)).toContain("**Memory**: note 1\n*Category");
});

const words = fc.integer({ min: 1, max: 400 }).map((many) => "handle ".repeat(many));
const source = fc.record({
  weight: fc.integer({ min: 1, max: 3 }),
  sections: fc.array(fc.array(words, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
});

test("items take at most a quarter each and the budget together, and nothing that fits is left out", () => {
  fc.assert(
    fc.property(
      fc.array(source, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 2_500 }),
      (given, tokens) => {
        let number = 0;
        const next = (content: string): Candidate => {
          number += 1;
          return memoryCandidate(memory(number, { content }), Math.max(0, 0.9 - number / 100));
        };
        const sources = given.map(({ weight, sections }) => ({
          weight,
          sections: sections.map((list) => list.map(next)),
        }));
        const chosen = [...select(sources, tokens, counter).values()];
        const used = chosen.reduce((sum, item) => sum + item.tokens, 0);
        for (const item of chosen) {
          expect(item.tokens).toBe(counter.count(`${item.content}\n\n`));
          if (chosen.length > 1) expect(counter.count(item.content)).toBeLessThanOrEqual(tokens / 4);
        }
        if (chosen.length > 1) expect(used).toBeLessThanOrEqual(tokens);
        if (number > 0) expect(chosen.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 80 },
  );
});

test("an unused share goes to the other sources", () => {
  const some = (first: number) =>
    Array.from({ length: 30 }, (_, at) => memoryCandidate(memory(first + at, { content: "handle ".repeat(20) }), 0.5));
  const [one, other] = [some(0), some(100)];
  const alone = select(
    [
      { weight: 1, sections: [one] },
      { weight: 2, sections: [[]] },
    ],
    900,
    counter,
  );
  const beside = select(
    [
      { weight: 1, sections: [one] },
      { weight: 2, sections: [other] },
    ],
    900,
    counter,
  );
  const each = counter.count(`${one[0]?.content(UNLIMITED)}\n\n`);
  expect(alone.size).toBe(Math.floor(900 / each));
  expect(one.filter((candidate) => beside.has(candidate))).toHaveLength(Math.floor(300 / each));
});
