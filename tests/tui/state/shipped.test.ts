/** How much of a file ships, in words that fit. */
import { expect, test } from "bun:test";
import { shippedFiles, shippedWords } from "../../../src/tui/state/shipped.ts";
import { roundOf } from "../play.ts";

const words = (change: Partial<Parameters<typeof shippedWords>[0]>, isShort = false): string =>
  shippedWords({ path: "a", full: 0, of: 0, signatures: 0, lines: 0, ofLines: 0, tokens: 0, ...change }, isShort);

test("whole files, symbols, lines and signatures are told apart", () => {
  expect(words({ full: 2, of: 2, lines: 9, ofLines: 9 })).toBe("whole file");
  expect(words({ full: 3, of: 12, lines: 9, ofLines: 90 })).toBe("3 of 12 symbols");
  expect(words({ full: 3, of: 12, lines: 9, ofLines: 90 }, true)).toBe("3/12 symbols");
  expect(words({ full: 12, of: 12, lines: 80, ofLines: 90 })).toBe("all 12 symbols");
  expect(words({ full: 1, of: 1, lines: 80, ofLines: 90 })).toBe("its one symbol");
  expect(words({ of: 4, lines: 8, ofLines: 40 })).toBe("8 of 40 lines");
  expect(words({ of: 4, signatures: 2, ofLines: 40 })).toBe("2 signatures");
  expect(words({ ofLines: 40 })).toBe("reason only");
});

test("a symbol counts if all of its lines are shown, whoever shows them; blank lines do not matter", () => {
  const { package: pkg } = roundOf(1);
  const path = "src/part-0/file-000.ts";
  const text = "a\n\nfunction f0() {\n  return 0;\n}\n\nfunction g() {}\n";
  const symbols = [
    { startLine: 3, endLine: 5 },
    { startLine: 4, endLine: 4 },
    { startLine: 7, endLine: 7 },
  ];
  expect(shippedFiles(pkg, [{ path, text, symbols }], () => 7)).toEqual([
    { path, full: 2, of: 3, signatures: 0, lines: 3, ofLines: 5, tokens: 7 },
  ]);
});

test("a supporting definition of one line is a symbol, as in the list of symbols, and one whose signature is shown is not", () => {
  const { package: pkg } = roundOf(1);
  const [file] = pkg.files;
  const [symbol] = file?.symbols ?? [];
  if (file === undefined || symbol === undefined) throw new Error("the sample has no symbol");
  const body = "export const FEE = 2;";
  const line = { start_line: 7, end_line: 7, signature: body, body, relevance: "supporting", shown: "body" } as const;
  const symbols = [2, 7].map((at) => ({ startLine: at, endLine: at }));
  const wordsOf = (change: Partial<typeof symbol>): string => {
    const shown = { ...pkg, files: [{ ...file, snippets: [], symbols: [{ ...symbol, ...line, ...change }] }] };
    const [shipped] = shippedFiles(shown, [{ path: file.path, text: "a\n".repeat(9), symbols }], () => 0);
    return shipped === undefined ? "" : shippedWords(shipped, false);
  };
  expect(wordsOf({})).toBe("1 of 2 symbols");
  expect(wordsOf({ shown: "signature" })).toBe("1 signature");
});
