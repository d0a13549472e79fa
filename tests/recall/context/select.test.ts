/** Which of the candidates are shown where there is not room for all. */
import { expect, test } from "bun:test";
import type { Candidate } from "../../../src/recall/context/candidate.ts";
import { select } from "../../../src/recall/context/select.ts";

/** One token a word. */
const counter = {
  name: "o200k_base" as const,
  count: (text: string): number => text.split(/\s+/).filter(Boolean).length,
};

const ITEM = "five words for each item";

/** So many candidates of a section, the most relevant first. */
const section = (name: string, relevance: number, count: number): readonly Candidate[] =>
  Array.from(
    { length: count },
    (_, at): Candidate => ({
      type: "memories",
      relevance: relevance - at / 100,
      id: `${name}${at}`,
      of: null,
      at: null,
      paths: [],
      text: null,
      content: () => ITEM,
      chars: ITEM.length,
      note: "",
      item: (content) => ({
        source: "memory",
        content,
        relevance,
        metadata: { id: name, category: "", importance: 0, created_at: "" },
      }),
    }),
  );

const shown = (sections: readonly (readonly Candidate[])[], tokens: number): string =>
  [...select([{ weight: 1, sections }], tokens, counter).keys()]
    .map(({ id }) => id)
    .sort()
    .join(" ");

test("a section shows its first items, though others are more relevant", () => {
  expect(shown([section("a", 0.9, 9), section("b", 0.2, 2)], 30)).toBe("a0 a1 a2 a3 b0 b1");
});

test("what no section can use goes to the most relevant of what is left", () => {
  expect(shown([section("a", 0.5, 9), section("b", 0.9, 9)], 39)).toBe("a0 a1 a2 b0 b1 b2 b3");
  expect(shown([section("a", 0.9, 9), section("b", 0.5, 9)], 39)).toBe("a0 a1 a2 a3 b0 b1 b2");
});
