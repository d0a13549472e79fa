import { expect, test } from "bun:test";
import { enclosingBlock, ownLines } from "../../../src/retrieval/packing/enclosing-lines.ts";

const member = (startLine: number, endLine: number, kind = "method", docLine = startLine) => ({
  kind,
  docLine,
  startLine,
  endLine,
});
const TEXT = `struct Till;

impl Display for Till {
    /// Says what is in it.
    fn fmt(&self) -> Result {
        Ok(())
    }

    // == counting ==
    const MAX: u8 = 9;

    fn count(&self) -> u8 {
        fn inner() {}
        0
    }
}

fn free() {}
`.split("\n");
const FMT = member(5, 7, "method", 4);
const MAX = member(10, 10, "property");
const COUNT = member(12, 15);
const INNER = member(13, 13, "function");
const MEMBERS = [member(1, 1, "class"), FMT, MAX, COUNT, INNER, member(18, 18, "function")];

function shown(language: string | null, of: typeof FMT, members: readonly (typeof FMT)[], lines: readonly string[]) {
  const block = enclosingBlock(language, of, lines);
  if (block === null) return null;
  return [block.header, ...ownLines(block, members, lines)]
    .map(({ startLine, endLine }) => `${startLine}-${endLine}`)
    .join(" ");
}

test("its header, its end, and what belongs to no method", () => {
  for (const of of [FMT, MAX, COUNT]) expect(shown("rust", of, MEMBERS, TEXT)).toBe("3-3 3-3 9-10 16-16");
});

test("none around what stands by itself, in a function, or in another language", () => {
  expect(shown("rust", member(18, 18, "function"), MEMBERS, TEXT)).toBeNull();
  expect(shown("rust", INNER, MEMBERS, TEXT)).toBeNull();
  expect(shown("python", FMT, MEMBERS, TEXT)).toBeNull();
  expect(shown(null, FMT, MEMBERS, TEXT)).toBeNull();
});

test("a header of several lines", () => {
  const lines =
    "    unsafe impl<\n        T,\n    > Send for Till<T>\n    where\n        T: Copy,\n    {\n        fn a() {}\n    }\n";
  expect(shown("rust", member(7, 7), [member(7, 7)], lines.split("\n"))).toBe("1-6 1-6 8-8");
});

test("a block that does not end is none, nor is one far above", () => {
  expect(shown("rust", member(2, 2), [member(2, 2)], ["impl Till {", "    fn a() {}", "fn b() {}"])).toBeNull();
  expect(shown("rust", member(2, 2), [member(2, 2)], ["impl Till {", "    fn a() {}"])).toBeNull();
  const deep = ["impl Till {", ...Array.from({ length: 12 }, () => "  x"), "  macro {", "    fn a() {}", "  }", "}"];
  expect(shown("rust", member(15, 15), [member(15, 15)], deep)).toBeNull();
});

test("of a block with very many members those far from both its ends are shown without it", () => {
  const lines = ["impl Till {", ...Array.from({ length: 3_000 }, (_, at) => `    fn f${at}() {}`), "}"];
  expect(shown("rust", member(1_500, 1_500), [], lines)).toBeNull();
  expect(shown("rust", member(1_004, 1_004), [], lines)).toBeNull();
  expect(shown("rust", member(2, 2), [], lines)).toBeNull();
  expect(enclosingBlock("rust", member(500, 500), [...lines.slice(0, 1_200), "}"])).not.toBeNull();
});
