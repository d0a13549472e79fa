/** The lines around a method are shown with it if they are short: the own lines of a class, and `impl` blocks of Rust. */
import { expect, test } from "bun:test";
import { enclosingBlock, ownLines } from "../../../../src/retrieval/packing/items/enclosing-lines.ts";
import { NO_CONSTRAINTS } from "../../../../src/retrieval/requests/refinement.ts";
import { indexed } from "../../../support/indexed.ts";
import { shared } from "../../../support/shared.ts";

const method = (name: string, lines: number): string =>
  `    def ${name}(self):\n${Array.from({ length: lines }, (_, at) => `        self.count_${name}_${at}()\n`).join("")}`;
const FILES = {
  // Long enough for its own lines to be shown without its members.
  "short.py": `class Drawer(Furniture):\n    width = 3\n\n${method("open_quietly", 6)}\n${method("other", 60)}`,
  "long.py": `class Cupboard(Furniture):\n${Array.from({ length: 60 }, (_, at) => `    shelf_${at} = ${at}\n`).join("")}\n${method("lock_twice", 6)}`,
  "more.py": Array.from({ length: 30 }, (_, at) => `def unrelated_${at}():\n    return ${at}\n`).join("\n"),
};

const world = shared(await indexed(FILES));

test("the lines of a short class come with its method, those of a long class do not", async () => {
  const short = (await world.run("`open_quietly` is too loud", { budget: 260 })).markdown;
  expect(short).toContain("self.count_open_quietly_5()");
  expect(short).toContain("class Drawer(Furniture):\n    width = 3\n");
  expect(short).not.toContain("self.count_other_59()");
  const long = (await world.run("`lock_twice` locks once", { budget: 260 })).markdown;
  expect(long).toContain("self.count_lock_twice_5()");
  expect(long).not.toContain("class Cupboard");
});

test("a class that a request leaves out is not shown around a requested method", async () => {
  const constraints = { ...NO_CONSTRAINTS, as_body: ["short.py:Drawer.open_quietly"], left_out: ["short.py:Drawer"] };
  const { markdown } = await world.run("`open_quietly` is too loud", { budget: 260, constraints });
  expect(markdown).toContain("self.count_open_quietly_5()");
  expect(markdown).not.toContain("class Drawer");
});

const member = (startLine: number, endLine: number, kind = "method", docLine = startLine) => ({
  kind,
  docLine,
  startLine,
  endLine,
});
const IMPL = `struct Till;

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

test("an impl block shows its header, its end, and the lines between its methods", () => {
  for (const of of [FMT, MAX, COUNT]) expect(shown("rust", of, MEMBERS, IMPL)).toBe("3-3 3-3 9-10 16-16");
});

test("no block around a definition at the top level, in a function, or in another language", () => {
  expect(shown("rust", member(18, 18, "function"), MEMBERS, IMPL)).toBeNull();
  expect(shown("rust", INNER, MEMBERS, IMPL)).toBeNull();
  expect(shown("python", FMT, MEMBERS, IMPL)).toBeNull();
  expect(shown(null, FMT, MEMBERS, IMPL)).toBeNull();
});

test("the header of an impl block can span several lines", () => {
  const lines =
    "    unsafe impl<\n        T,\n    > Send for Till<T>\n    where\n        T: Copy,\n    {\n        fn a() {}\n    }\n";
  expect(shown("rust", member(7, 7), [member(7, 7)], lines.split("\n"))).toBe("1-6 1-6 8-8");
});

test("a block without an end, or far above, is not found", () => {
  expect(shown("rust", member(2, 2), [member(2, 2)], ["impl Till {", "    fn a() {}", "fn b() {}"])).toBeNull();
  expect(shown("rust", member(2, 2), [member(2, 2)], ["impl Till {", "    fn a() {}"])).toBeNull();
  const deep = ["impl Till {", ...Array.from({ length: 12 }, () => "  x"), "  macro {", "    fn a() {}", "  }", "}"];
  expect(shown("rust", member(15, 15), [member(15, 15)], deep)).toBeNull();
});

test("members far from both ends of a long block are shown without it", () => {
  const lines = ["impl Till {", ...Array.from({ length: 3_000 }, (_, at) => `    fn f${at}() {}`), "}"];
  expect(shown("rust", member(1_500, 1_500), [], lines)).toBeNull();
  expect(shown("rust", member(1_004, 1_004), [], lines)).toBeNull();
  expect(shown("rust", member(2, 2), [], lines)).toBeNull();
  expect(enclosingBlock("rust", member(500, 500), [...lines.slice(0, 1_200), "}"])).not.toBeNull();
});
