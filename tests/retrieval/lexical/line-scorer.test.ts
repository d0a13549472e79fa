import { expect, test } from "bun:test";
import fc from "fast-check";
import { lineScorer } from "../../../src/retrieval/lexical/line-scorer.ts";
import { expandIdentifier, identifiersIn, termsIn } from "../../../src/text/terms/identifiers.ts";
import { stem } from "../../../src/text/terms/stem.ts";

test("a line has the score of the keywords among its terms, in any form of an identifier and any script, and half of it by stem", () => {
  const keywords = ["url", "sort", "parse_url", "server2", "検索", "naïve", "ax", "sorting", "validated"];
  const scorer = lineScorer({ keywords });
  const weights = new Map(keywords.map((one, at) => [one, 1 + 1 / (1 + at / 4)]));
  const word = fc.constantFrom(
    "url",
    "Urls",
    "URL",
    "Parse_Url",
    "_",
    "$",
    "HTTPServer2",
    "2",
    "検索",
    "全文検索",
    "Naïve",
    "ax",
    "Axes",
    "sorted",
    "Sort",
    "validate",
    "é",
    " ",
  );
  const weightIn = (terms: ReadonlySet<string>, one: string): number => {
    const weight = weights.get(one) ?? 0;
    return terms.has(one) ? weight : [...terms].some((term) => stem(term) === stem(one)) ? weight / 2 : 0;
  };
  fc.assert(
    fc.property(fc.string({ unit: word, maxLength: 8 }), (line) => {
      const terms = new Set(identifiersIn(line).flatMap(expandIdentifier));
      const expected = [...Map.groupBy(keywords, stem).values()].reduce(
        (sum, alike) => sum + Math.max(...alike.map((one) => weightIn(terms, one))),
        0,
      );
      expect(scorer(line)).toBeCloseTo(expected, 9);
    }),
  );
});

test("the words that all code has do not count by their stems, unless the task has them as they are written", () => {
  const scorer = lineScorer({ keywords: ["returned", "types", "name"] });
  expect(["return type", "types", "returned name"].map((line) => scorer(line))).toEqual([0, 1.8, 2 + 1 + 1 / 1.5]);
});

test("a word of the name of the definition around it decides only between lines without another word", () => {
  const scorer = lineScorer({ keywords: ["walk_tree", "walk", "tree", "slash"] });
  const own = new Set(termsIn("walk_tree").map(stem));
  const best = ["return walk_tree(node)", "slashes", "pass"].toSorted((a, b) => scorer(b, own) - scorer(a, own));
  expect(best).toEqual(["slashes", "return walk_tree(node)", "pass"]);
});
