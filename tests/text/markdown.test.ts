import { expect, test } from "bun:test";
import fc from "fast-check";
import { display, displayLines } from "../../src/text/display.ts";
import { inlineCode, lineOfProse, paragraph, pathText, plain } from "../../src/text/markdown.ts";
import { blocksOf, kindsOf } from "../support/commonmark.ts";
import { HOSTILE } from "../support/hostile-text.ts";

const INERT = new Set(["root", "paragraph", "text", "inlineCode"]);

const PIECES = [
  ..."`*_~[]()<>!#&|\\-+=:.\"'$1 ",
  "\n",
  "\n\n",
  "\r",
  "\t",
  "    ",
  "```",
  "~~~",
  "---",
  "===",
  "# ",
  "## Values",
  "- ",
  "1. ",
  "12) ",
  "> ",
  "<b>",
  "<!-- x",
  "</div>",
  "<https://a.b>",
  "[a](b)",
  "![a](b)",
  "[a]: b",
  "&amp;",
  "&#35;",
  "`code`",
  "``x``",
  "__init__",
  "snake_case",
  "**bold**",
  "\\`",
  "| a | b |",
  "|---|---|",
  "word",
  "é",
  "語",
  ...HOSTILE,
];

const hostile = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 24 }).map((parts) => parts.join(""));

/** What a text must read as: its lines, trimmed, with white space of any kind as one space. */
const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

test("prose of any kind is one paragraph that shows its own characters and nothing else", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const blocks = blocksOf(`before\n\n${paragraph(text)}\n\nafter`);
      const said = squeezed(displayLines(text.replaceAll(/\r\n?/g, "\n")));
      expect(blocks.map(({ kind }) => kind)).toEqual(said === "" ? BARE : [...BARE, "paragraph"]);
      expect(edgeless(said === "" ? "" : (blocks[1]?.text ?? ""))).toBe(edgeless(said));
      for (const kind of kindsOf(paragraph(text))) expect(INERT).toContain(kind);
    }),
    { numRuns: 400, examples: [["`\t# \t`"], ["` a `"]] },
  );
});

const BARE = ["paragraph", "paragraph"];

/** Without a space beside a backtick: Markdown takes one from each end of code that has both. */
const edgeless = (text: string): string => squeezed(text).replaceAll(/ ?` ?/g, "`");

test("prose in a list item stays in it, on as many lines as it has", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const item = paragraph(text, "  ");
      fc.pre(item !== "");
      expect(blocksOf(`- **Goal**: ${item}\n- **Action**: none`).map(({ kind }) => kind)).toEqual(["list"]);
    }),
    { numRuns: 200 },
  );
});

test("characters without a meaning in Markdown get no backslash", () => {
  for (const text of [
    "list[int] is a generic; see #253 and R&D in a/b_c.py, snake_case, x < y, 5 > 3, a|b, C:\\Users",
    "use `bun test` and `__init__`, 1.5 or 2) of them",
  ])
    expect(paragraph(text)).toBe(text);
  expect(paragraph("__init__ and *all*")).toBe("\\_\\_init\\_\\_ and \\*all\\*");
  expect(lineOfProse("one\n  two\tthree")).toBe("one two three");
  expect(paragraph("\x1b[2J")).toBe(paragraph(display("\x1b[2J")));
});

test("inline code uses more backticks than its content and stays on one line", () => {
  expect(inlineCode("a.b")).toBe("`a.b`");
  expect(inlineCode("a`b``c")).toBe("``` a`b``c ```");
  expect(inlineCode("two\n  lines")).toBe("`two lines`");
});

test("a path in a heading shows control characters and cannot act as Markdown", () => {
  expect(plain("src/a_b.py")).toBe("src/a_b.py");
  expect(plain("x\u001b[2J\n# y")).not.toMatch(/[\u001b\n]/);
  expect(plain("a`b*[c](d)")).toBe("a\\`b\\*\\[c\\](d)");
});

test("a path keeps every character: as plain text when Markdown would not change it, else as code", () => {
  for (const path of ["src/a_b.py", "web/cart-view.tsx", "大赛/x.ts", "@scope/pkg/index.js"])
    expect(pathText(path)).toBe(path);
  for (const path of ["__init__.py", "src/__main__.py", "a/_b_/c.py"]) expect(pathText(path)).toBe(`\`${path}\``);
  expect(pathText("app/[slug]/page.tsx")).toBe("`app/[slug]/page.tsx`");
  expect(pathText("- a/b c.ts")).toBe("`- a/b c.ts`");
  expect(pathText("a`b.ts")).toBe("`` a`b.ts ``");
  expect(pathText("~~~")).toBe("`~~~`");
});
