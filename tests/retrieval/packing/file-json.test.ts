/** What lies between shown lines, where that is next to nothing. */
import { expect, test } from "bun:test";
import { smallGaps } from "../../../src/retrieval/packing/file-json.ts";

const check = (name: string, text: string, ranges: readonly (readonly [number, number])[], expected: string) =>
  test(name, () => {
    const lines = text.split("\n");
    const source = {
      lines,
      lineTokens: (at: number) => (lines[at - 1] ?? "").length,
      tokensOf: (part: string) => part.length,
    };
    const { blank, shown } = smallGaps(
      ranges.map(([startLine, endLine]) => ({ startLine, endLine })),
      source,
    );
    expect(`${blank.join(" ")} | ${shown.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(" ")}`).toBe(
      expected,
    );
  });

check(
  "blank lines are named",
  "a\n\n  \nb",
  [
    [1, 1],
    [4, 4],
  ],
  "2 3 | ",
);
check(
  "lines that cost less than a marker are shown",
  "a\n}\n\nb",
  [
    [1, 1],
    [4, 4],
  ],
  " | 2-3",
);
check(
  "dear lines keep their marker",
  "a\nsome statement\nb",
  [
    [1, 1],
    [3, 3],
  ],
  " | ",
);
check(
  "long gaps keep their marker, blank or not",
  "a\n\n\n\n\nb",
  [
    [1, 1],
    [6, 6],
  ],
  " | ",
);
check("what is before the first range and after the last is no gap", "\na\n\n", [[2, 2]], " | ");
check(
  "ranges may overlap and come in any order",
  "a\nb\nc\n\ne",
  [
    [5, 5],
    [1, 3],
    [2, 2],
  ],
  "4 | ",
);
check("nothing shown, no gaps", "", [], " | ");
