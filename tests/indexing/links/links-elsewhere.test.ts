/** Which families of languages another thread links. */
import { expect, test } from "bun:test";
import { familiesElsewhere } from "../../../src/indexing/links/links-elsewhere.ts";

const filesOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([language, count]) => Array.from({ length: count }, () => ({ language })));
const elsewhere = (counts: Readonly<Record<string, number>>, filesMin: number): string =>
  [...familiesElsewhere(filesOf(counts), filesMin)].sort().join(" ");

test("a large family is linked elsewhere, whatever its language", () => {
  expect(elsewhere({ typescript: 10, markdown: 90 }, 10)).toBe("ecmascript");
  expect(elsewhere({ rust: 10 }, 10)).toBe("rust");
  expect(elsewhere({ python: 6, go: 4 }, 10)).toBe("go python");
  expect(elsewhere({ typescript: 9, markdown: 90 }, 10)).toBe("");
});

test("the writer keeps the smallest families, up to a quarter of the files, if these are enough", () => {
  expect(elsewhere({ typescript: 60, javascript: 20, python: 15, go: 5 }, 10)).toBe("ecmascript");
  expect(elsewhere({ typescript: 75, python: 20, go: 12 }, 10)).toBe("ecmascript python");
  expect(elsewhere({ typescript: 80, python: 9 }, 10)).toBe("ecmascript python");
  expect(elsewhere({ typescript: 50, python: 50 }, 10)).toBe("ecmascript python");
});

test("the writer keeps no family of thousands of files", () => {
  expect(elsewhere({ python: 40_000, c: 5_000, go: 100 }, 1_000)).toBe("python");
  expect(elsewhere({ python: 40_000, c: 5_001, go: 1_000 }, 1_000)).toBe("c python");
});
