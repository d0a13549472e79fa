/** What holds for any text: no crash, bounds, determinism, every word in exactly one section, an end for long texts. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyzeTask } from "../../src/task/analyze.ts";
import { SECTION_KINDS, TASK_LIMITS, TASK_TYPES, type TaskQuery } from "../../src/task/query.ts";
import { splitSections } from "../../src/task/sections/sections.ts";
import { taskSentence } from "../../src/task/task-sentence.ts";
import { identifiersIn } from "../../src/text/terms/identifiers.ts";
import { anyCharacter } from "../support/any-character.ts";
import { EMPTY_TASKS, fill, TASK_TEXTS } from "../support/tasks.ts";

const analyze = (text: string): TaskQuery =>
  analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set(["login", "constructor"]) });

/** Pieces that issues, and attacks on their readers, are made of. */
const PIECES = [
  ..."` ``` ```` ~~~ ```js # ## ** _ - [x] > | ( ) { } [ ] < > \" ' “ ” . , : :: ; / \\ \\n $& {task} @ # * \u202e \ud83d \u0007".split(
    " ",
  ),
  ...["\n", "\n\n", "    ", "\t", " ", "\r\n", "$ ", ">>> "],
  ...[
    "fix",
    "add",
    "auth.py",
    "src/a/b.ts",
    "*.test.js",
    "handleLogin",
    "parse_url",
    "a.b.c",
    "A::b",
    "foo(",
    "Error: x",
  ],
  ...[
    "Traceback (most recent call last):",
    'File "a.py", line 3, in f',
    "at f (x.js:1:2)",
    "at a.B.c(B.java:3)",
    "a.go:3",
  ],
  ...[
    "## Environment",
    "OS: Linux",
    "numpy : 1.2.3",
    "Describe the bug",
    "please help",
    "It's",
    "修复",
    "naïve",
    "__proto__",
  ],
];
const issue = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60 })
  .map((pieces) => pieces.join(" ").replaceAll(" \n ", "\n"));
const anyText = fc.oneof(issue, fc.string({ unit: anyCharacter }), fc.string({ unit: "grapheme" }), fc.string());

function expectWellFormed(query: TaskQuery): void {
  const lists = [query.keywords, query.errorPatterns, query.concepts, query.urls];
  for (const list of lists) expect(new Set(list).size).toBe(list.length);
  for (const hints of [query.fileHints, query.symbolHints]) {
    expect(new Set(hints.map((hint) => hint.text)).size).toBe(hints.length);
    for (const hint of hints) expect(hint.text).toMatch(/^[^\s\p{Cc}]+$/u);
  }
  expect(query.keywords.length).toBeLessThanOrEqual(TASK_LIMITS.keywordsMax);
  expect(query.fileHints.length).toBeLessThanOrEqual(TASK_LIMITS.fileHintsMax);
  expect(query.symbolHints.length).toBeLessThanOrEqual(TASK_LIMITS.symbolHintsMax);
  expect(query.frames.length).toBeLessThanOrEqual(TASK_LIMITS.framesMax);
  expect(TASK_TYPES).toContain(query.taskType);
  for (const keyword of query.keywords) expect(keyword).toBe(keyword.toLowerCase());
  for (const { line, path } of query.frames) expect([line >= 1, path.includes("\\")]).toEqual([true, false]);
  for (const { kind, text } of query.sections) {
    expect(SECTION_KINDS).toContain(kind);
    expect(text.trim()).not.toBe("");
    expect(text.isWellFormed()).toBe(true);
  }
  const intent = taskSentence(query);
  expect(intent).toMatch(/^[A-Z][^\p{Cc}]*\.$/u);
  expect(intent.length).toBeLessThan(1200);
}

/** More than the default: texts are put together of many kinds of pieces. */
const RUNS = 250;

describe("any text", () => {
  test("gives a well-formed query, the same every time", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const query = analyze(text);
        expectWellFormed(query);
        expect(analyze(text)).toEqual(query);
      }),
      { numRuns: RUNS },
    );
  });

  test("has every word in exactly one section", () => {
    // Addresses and HTML comments are apart, and control characters separate words.
    const plain = issue.filter((text) => !/<!--|:\/\/|www\./.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        const words = splitSections(text).sections.flatMap((section) => identifiersIn(section.text));
        expect(words.sort()).toEqual([...identifiersIn(text)].sort());
      }),
      { numRuns: RUNS },
    );
  });

  test("keeps every line's words on that line's side of its neighbours", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("alpha", "- beta", "    gamma();", "delta: 1.2.3", "`eps` zeta"), { minLength: 1 }),
        (lines) => {
          const words = splitSections(["title", ...lines].join("\n")).sections.flatMap(({ text }) =>
            identifiersIn(text),
          );
          expect(words).toEqual(["title", ...lines.flatMap((line) => [...identifiersIn(line)])]);
        },
      ),
    );
  });
});

describe("known texts", () => {
  for (const { name, text } of TASK_TEXTS) {
    test(name, () => {
      const query = analyze(text);
      expectWellFormed(query);
      const hasWords = /\p{L}/u.test(text);
      expect([query.sections.length > 0, query.title !== ""]).toEqual([
        hasWords || text.startsWith("("),
        hasWords || text.startsWith("("),
      ]);
    });
  }
  for (const { name, text } of EMPTY_TASKS) {
    test(`${name}: an empty query`, () => {
      const query = analyze(text);
      expect(query).toMatchObject({ title: "", taskType: "investigation", keywords: [], sections: [], frames: [] });
      expect(taskSentence(query)).toBe("Investigate.");
    });
  }
});

describe("long hostile texts", () => {
  const UNITS = [
    ..."( ` * _ # \\ / { [ < \" ' “ : @ - = a a. a/ a:: a_ __a a* {a **/ `a` a( 1.1. *.a ~~~ <!-- http:// www. .. //".split(
      " ",
    ),
    ...[
      "```\n",
      "``` ~~~ ",
      "at ",
      "at a",
      "at \t",
      'File "',
      "a@b.js:1:1 ",
      "foo.py:1:in `a' ",
      "#1 a.php(1): ",
      "which version ",
    ],
    ...[
      "jupyter : ",
      "- **a version ",
      "a @ ",
      "name 1.1.1 x ",
      "Error: x\n",
      "error: ",
      "thread panicked at ",
      "\n",
      " ",
      "\t\n",
    ],
    ...[
      `${" ".repeat(480)}x\n`,
      `at ${"a".repeat(470)}\n`,
      `(${"a".repeat(400)}\n`,
      `- ${"*".repeat(230)}\n`,
      `${"a.".repeat(128)} `,
    ],
  ];
  const PREFIXES = ["title\n", "", "title\n## Environment\n", "title\n```\n", "title\n`"];

  const expectBounds = (text: string) => {
    const query = analyze(text);
    expect(query.fileHints.length + query.symbolHints.length).toBeLessThanOrEqual(300);
    expect(query.title.length).toBeLessThanOrEqual(500);
  };

  test("20 KB of any unit, in any place", () => {
    UNITS.forEach((unit, at) => {
      for (const shift of [0, 1]) expectBounds(PREFIXES[(at + shift) % PREFIXES.length] + fill(unit).slice(0, 20_000));
    });
  });

  for (const unit of ["(", " ", "`", "*", "a.a.a.", "at a", "Error: x\n", "{a", "a(", '" ']) {
    test(`200 KB of ${JSON.stringify(unit)}`, () => expectBounds(`title\n${fill(unit)}`));
  }
});
