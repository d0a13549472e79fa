import { expect, test } from "bun:test";
import fc from "fast-check";
import { root, stem } from "../../../src/text/terms/stem.ts";

test.each([
  [["login", "logins"], "login"],
  [["validate", "validates", "validated", "validating", "validation", "validator"], "valid"],
  [["normalize", "normalized", "normalization", "normalizer"], "normal"],
  [["query", "queries"], "queri"],
  [["running", "run", "runs"], "run"],
  [["pass", "passes", "passed", "passing"], "pass"],
  [["call", "calls", "called", "calling"], "call"],
  [["parse", "parser", "parsed"], "pars"],
])("%j share the stem %s", (words, expected) => {
  for (const word of words) expect(stem(word)).toBe(expected);
});

test.each([
  [["register", "registered", "registering"]],
  [["render", "renders", "rendered", "renderer"]],
  [["apply", "applies", "applied"]],
  [["parse", "parser", "parsing"]],
])("%j share a root", (words) => {
  expect(new Set(words.map(root)).size).toBe(1);
});

test("leaves short words, and words with digits or underscores, alone", () => {
  for (const word of ["is", "bus", "ing", "utf8s", "snake_cases"]) expect(stem(word)).toBe(word);
});

test("does not cut a suffix that leaves too little", () => {
  expect(stem("sing")).toBe("sing");
  expect(stem("status")).toBe("status");
  expect(stem("string")).toBe("string");
});

test("a stem is never empty and never longer than its word, and keeps its first two letters", () => {
  const ending = fc.constantFrom(
    "",
    "s",
    "ies",
    "xes",
    "shes",
    "sses",
    "ate",
    "ers",
    "er",
    "ed",
    "ing",
    "ly",
    "e",
    "y",
  );
  const word = fc.tuple(fc.stringMatching(/^[a-z]{1,20}$/), ending).map(([start, end]) => start + end);
  fc.assert(
    fc.property(word, (word) => {
      expect(stem(word).slice(0, 2)).toBe(word.slice(0, 2));
      expect(stem(word).length).toBeGreaterThan(0);
      expect(stem(word).length).toBeLessThanOrEqual(word.length);
    }),
  );
});
