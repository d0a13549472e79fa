import { expect, test } from "bun:test";
import { NO_TIER_TOKENS, tierTokens } from "../../src/evaluation/tier-tokens.ts";
import type { ItemTier } from "../../src/retrieval/model/tiers.ts";

/** Every line is one word, so that words are tokens. */
const LINES = Array.from({ length: 20 }, (_, at) => `l${at + 1}`);
type Entry = Parameters<typeof tierTokens>[0]["shown"][number];

const entry = (tier: ItemTier, startLine: number, endLine: number, rest: Partial<Entry> = {}): Entry => ({
  item: { fileId: 1, tier, reason: null, signatureTokens: 3 },
  detail: "body",
  ranges: [{ startLine, endLine }],
  cut: null,
  ...rest,
});

const tokens = (...shown: readonly Entry[]) =>
  tierTokens({
    shown,
    linesOf: (fileId) => (fileId === 1 ? LINES : []),
    count: (text) => text.split(/\s+/).filter((word) => word !== "").length,
  });

test("the lines of each tier count for it", () => {
  const found = tokens(entry("tests", 1, 4), entry("primary", 5, 6), entry("supporting", 9, 9, { detail: "excerpt" }));
  expect(found).toEqual({ ...NO_TIER_TOKENS, tests: 4, primary: 2, supporting: 1 });
});

test("a line counts once, for the strongest tier; lines that are not there do not count", () => {
  const found = tokens(
    entry("supporting", 1, 6),
    entry("primary", 3, 4),
    entry("primary", 4, 5),
    entry("tests", 19, 30),
  );
  expect(found).toEqual({ ...NO_TIER_TOKENS, primary: 3, supporting: 3, tests: 2 });
});

test("signatures count as estimated, comments unless their line is shown", () => {
  const comment = (line: number): Entry => ({
    ...entry("rationale", line, line),
    item: { fileId: 1, tier: "rationale", reason: "line 7: why it is so", signatureTokens: null },
  });
  const signature = entry("type_context", 9, 9, { detail: "signature" });
  expect(tokens(entry("primary", 1, 2), signature, comment(2), comment(7))).toEqual({
    ...NO_TIER_TOKENS,
    primary: 2,
    type_context: 3,
    rationale: 6,
  });
});

test("of a line that is cut, what is shown counts", () => {
  const found = tierTokens({
    shown: [entry("primary", 1, 1, { cut: { line: 1, chars: 3 } })],
    linesOf: () => ["abcdef"],
    count: (text) => text.length,
  });
  expect(found.primary).toBe("abc …".length);
});
