/** What JSON and the bundle hold of a file: each shown line once, whatever shares lines. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { shownParts } from "../../../src/retrieval/render/shown-text.ts";
import { packageFile, packageSymbol } from "../../support/package.ts";

const source = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
const lines = (start: number, end: number): string => source.slice(start - 1, end).join("\n");
const body = (name: string, start: number, end: number) =>
  packageSymbol({ name, start_line: start, end_line: end, signature: name, body: lines(start, end) });
const snippet = (start: number, end: number) => ({
  start_line: start,
  end_line: end,
  text: lines(start, end),
  reason: "own lines",
});
const shown = (file: Partial<ReturnType<typeof packageFile>>) =>
  shownParts(packageFile({ path: "A.java", relevance_rank: 1, ...file }), () => "").map(
    ({ symbol, start_line: start, end_line: end, text }) =>
      `${symbol?.name ?? "lines"} ${start}-${end}: ${text.split("\n").join(", ")}`,
  );

test("a field of which the class shows the first and the last line is there once", () => {
  expect(shown({ symbols: [body("FIELD", 4, 8)], snippets: [snippet(3, 5), snippet(8, 9)] })).toEqual([
    "lines 3-3: line 3",
    "FIELD 4-8: line 4, line 5, line 6, line 7, line 8",
    "lines 9-9: line 9",
  ]);
});

test("of two bodies that share a line, the second is there without it", () => {
  expect(shown({ symbols: [body("f", 1, 3), body("g", 3, 5)] })).toEqual([
    "f 1-3: line 1, line 2, line 3",
    "lines 4-5: line 4, line 5",
  ]);
});

test("a line of source comes before the signature that was made of it", () => {
  const symbol = packageSymbol({ name: "f", start_line: 4, end_line: 4, signature: "f" });
  expect(shown({ symbols: [symbol], snippets: [snippet(4, 4)] })).toEqual(["lines 4-4: line 4"]);
});

test("for any bodies and snippets, each of their lines is there once", () => {
  const span = fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.nat(9))
    .map(([start, more]) => [start, start + more] as const);
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), fc.array(span, { maxLength: 6 }), (bodies, others) => {
      const parts = shownParts(
        packageFile({
          path: "a.py",
          relevance_rank: 1,
          symbols: bodies.map(([start, end], at) => body(`f${at}`, start, end)),
          snippets: others.map(([start, end]) => snippet(start, end)),
        }),
        () => "",
      );
      const wanted = new Set([...bodies, ...others].flatMap(([start, end]) => lines(start, end).split("\n")));
      expect(parts.flatMap(({ text }) => text.split("\n"))).toEqual(source.filter((line) => wanted.has(line)));
      for (const { start_line: start, end_line: end, text } of parts) expect(text).toBe(lines(start, end));
    }),
  );
});
