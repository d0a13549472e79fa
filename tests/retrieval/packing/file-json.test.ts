/** Small gaps between shown lines: blank lines are kept, and lines cheaper than a marker are shown. */
import { expect, test } from "bun:test";
import { smallGaps } from "../../../src/retrieval/packing/file-json.ts";

const check = (name: string, text: string, ranges: string, expected: string) =>
  test(name, () => {
    const lines = text.split("\n");
    const source = {
      lines,
      lineTokens: (at: number) => (lines[at - 1] ?? "").length,
      tokensOf: (part: string) => part.length,
    };
    const { blank, shown } = smallGaps(
      ranges.split(" ").flatMap((range) => {
        const [startLine, endLine] = range.split("-").map(Number);
        return startLine && endLine ? [{ startLine, endLine }] : [];
      }),
      source,
    );
    expect(`${blank.join(" ")} | ${shown.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(" ")}`).toBe(
      expected,
    );
  });

check("blank lines are kept", "a\n\n  \nb", "1-1 4-4", "2 3 | ");
check("lines that cost less than a marker are shown", "a\n}\n\nb", "1-1 4-4", " | 2-3");
check("longer lines keep their marker", "a\nsome statement\nb", "1-1 3-3", " | ");
check("long gaps keep their marker, blank or not", "a\n\n\n\n\nb", "1-1 6-6", " | ");
check("lines before the first range and after the last are no gap", "\na\n\n", "2-2", " | ");
check("ranges may overlap and come in any order", "a\nb\nc\n\ne", "5-5 1-3 2-2", "4 | ");
check("no ranges have no gaps", "", "", " | ");
