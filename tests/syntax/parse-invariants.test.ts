/** What holds for every text: facts obey their contract, and no text takes a thread down. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import packages from "../../package.json";
import { makeGrammars } from "../../scripts/grammars.ts";
import { GRAMMAR_VERSION } from "../../src/languages/grammar-packages.ts";
import { PARSED_LANGUAGES } from "../../src/languages/languages.ts";
import { TOO_MUCH_WORK } from "../../src/syntax/facts/facts.ts";
import type { UncountedFacts } from "../../src/syntax/facts/text-facts.ts";
import { parseFile } from "../../src/syntax/parse/parse.ts";
import { linesOf } from "../../src/text/lines.ts";
import { FACTS } from "./facts-schema.ts";
import { factsOf, LIMITS } from "./render.ts";

const NAMES = [...PARSED_LANGUAGES.keys()];

/** For each language; a text has up to 40 pieces, so a pair of pieces that is misread is met all the same. */
const RUNS = 12;

/** Pieces of code that make trees when they meet, and errors when they do not. */
const PIECES = [
  "class A:",
  "class A {",
  "}",
  "def f(x):",
  "function f(x) {",
  "async ",
  "export ",
  "default ",
  "const a = ",
  "() => {",
  "@d\n",
  "\n",
  "\n    ",
  "\n  ",
  "# c\n",
  "// c\n",
  "/** d */\n",
  "/* e",
  "*/",
  "'''",
  '"""',
  "`${",
  "import a from 'b'",
  "from . import x",
  "require('c')",
  "module.exports = ",
  "interface I {",
  "type T = ",
  "__proto__",
  "constructor",
  "(",
  ")",
  "[",
  "]",
  ":",
  ";",
  "<A>",
  "é",
  "😀",
  "\ud800",
  "\r\n",
  "x = 1",
];
const garbage = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(""));

function expectContract({ symbols, comments, references, imports, lineCount, ...rest }: UncountedFacts): void {
  const counted = symbols.map((symbol) => ({ ...symbol, signatureTokens: 0, bodyTokens: 0 }));
  FACTS.parse({ ...rest, lineCount, symbols: counted, comments, references, imports, tokenCount: 0 });
  const lastLine = Math.max(1, lineCount);
  symbols.forEach((symbol, index) => {
    expect(symbol.docLine).toBeLessThanOrEqual(symbol.startLine);
    expect(symbol.startLine).toBeLessThanOrEqual(symbol.nameLine);
    expect(symbol.nameLine).toBeLessThanOrEqual(symbol.endLine);
    expect(symbol.endLine).toBeLessThanOrEqual(lastLine);
    expect(symbol.signature).not.toContain("\n");
    expect(symbol.signature.length).toBeLessThanOrEqual(400);
    const before = symbols[index - 1];
    if (before !== undefined) {
      expect(before.startLine - symbol.startLine || symbol.endLine - before.endLine).toBeLessThanOrEqual(0);
    }
    if (symbol.parent === null) return;
    expect(symbol.parent).toBeLessThan(index);
    const parent = symbols[symbol.parent];
    expect(parent?.startLine).toBeLessThanOrEqual(symbol.startLine);
    expect(parent?.endLine).toBeGreaterThanOrEqual(symbol.endLine);
  });
  for (const { symbol, line } of [...comments, ...references]) {
    expect(line).toBeLessThanOrEqual(lastLine);
    if (symbol !== null) expect(symbol).toBeLessThan(symbols.length);
  }
}

test.each(NAMES)("%s: any text gives valid facts, the same twice", async (language) => {
  await fc.assert(
    fc.asyncProperty(garbage, async (text) => {
      const facts = await factsOf(language, text);
      expect(facts.problem).toBeNull();
      expectContract(facts);
      expect(await factsOf(language, text)).toEqual(facts);
    }),
    { numRuns: RUNS },
  );
});

test("line numbers are those of splitting at line feeds", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "\n", "\r\n", "é")).map((parts) => parts.join("")),
      (text) => {
        const lines = linesOf(text);
        const expected = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
        expect(lines.count).toBe(expected);
        for (let at = 0; at < text.length; at += 1) {
          expect(lines.lineOf(at)).toBe(text.slice(0, at).split("\n").length);
          expect(lines.startOf(lines.lineOf(at))).toBeLessThanOrEqual(at);
        }
      },
    ),
  );
});

test("names of the object prototype are ordinary names", async () => {
  const { symbols, exportedAs } = await factsOf(
    "javascript",
    "function __proto__() {}\nexport { constructor as __proto__, a as toString };\n",
  );
  expect(symbols.map(({ name }) => name)).toEqual(["__proto__"]);
  expect(Object.entries(exportedAs)).toEqual([
    ["__proto__", "constructor"],
    ["toString", "a"],
  ]);
});

// Longer ones end a parser's thread: that is the pool's test.
test.each([
  ["unclosed parentheses", "(".repeat(1_000)],
  ["half a generic, many times", "a<b<c<".repeat(200)],
  ["functions in functions", "function f(){".repeat(200)],
  ["arrays in arrays", "[".repeat(1_000) + "]".repeat(1_000)],
  ["quotes", "\"'`".repeat(1_000)],
  ["one comment of many lines", "// a\n".repeat(1_000)],
  ["decorators without end", "@a\n".repeat(1_000)],
  ["blank lines before a bracket", `a${"\n".repeat(5_000)}<b`],
])("hostile: %s", async (_, text) => {
  for (const language of NAMES) {
    const facts = await parseFile(text, language, { ...LIMITS, workMax: 20_000_000 });
    expectContract(facts);
  }
});

test("a file that is too much work is indexed as text, and the next one is not affected", async () => {
  const text = `class Wrong { ${"m() {} ".repeat(5_000)} }`;
  const facts = await parseFile(text, "typescript", { ...LIMITS, workMax: 10_000 });
  expect([facts.parsed, facts.problem, facts.lineCount]).toEqual([false, TOO_MUCH_WORK, 1]);
  expect((await factsOf("typescript", "class Right {}")).symbols.map(({ name }) => name)).toEqual(["Right"]);
});

test("the number of symbols is bounded, and none lacks its parent", async () => {
  const text = "class A { m() {} }\n".repeat(50);
  const facts = await parseFile(text, "javascript", { ...LIMITS, factsMax: 31 });
  expect(facts.symbols).toHaveLength(31);
  expectContract(facts);
});

test("memory stays flat over many parses", async () => {
  // A text with a large tree and little to find in it.
  const text = `[${"[0],".repeat(15_000)}0]\n`;
  const parse = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await factsOf("json", text);
  };
  await parse(2);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  // Trees that are kept take about 115 MB here; the rest of the process moves by some tens.
  await parse(12);
  Bun.gc(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(75e6);
});

test("a language without a grammar is text", async () => {
  const { parsed, problem, lineCount } = await factsOf("cobol", "A\nB");
  expect([parsed, problem, lineCount]).toEqual([false, null, 2]);
});

test("grammars that are up to date are not built again", () => {
  makeGrammars();
  expect(makeGrammars()).toEqual([]);
});

test("the grammars' version equals the installed one", () => {
  const pinned = { ...packages.dependencies, ...packages.devDependencies };
  const grammars = Object.entries(pinned).filter(([name]) => name.includes("tree-sitter"));
  expect(GRAMMAR_VERSION.split(", ").toSorted()).toEqual(grammars.map((pair) => pair.join(" ")).toSorted());
});
