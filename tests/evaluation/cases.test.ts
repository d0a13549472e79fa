/** Case files of both formats, and everything that they should not be. */
import { expect, test } from "bun:test";
import { caseLine, passes, readCases, readFilter } from "../../src/evaluation/cases.ts";
import { groupsOf, safeName } from "../../src/evaluation/work-folders.ts";

const COMMIT = "2efb399f33d8f3dca7eb156404598384f419cb8b";
const BENCH = {
  id: "o__n-1",
  repo: "o/n",
  base_commit: COMMIT,
  base_date: "2020-07-15T01:19:12+05:30",
  language: "python",
  source: "s",
  task: "fix it",
  expected_files: ["a.py", "b.py", "a.py"],
  expected_test_files: ["t.py", "u.py", "t.py"],
  expected_symbols: [
    { path: "a.py", qualified: "A.f", name: "f", kind: "function", start: 6, end: 9, role: "innermost" },
    { path: "a.py", qualified: "A", name: "A", kind: "class", start: 1, end: 9, role: "enclosing" },
  ],
  expected_lines: [{ path: "a.py", start: 0, end: 0, insert_after: true }],
  new_files: ["c.py"],
  mentions_gold_path: false,
  mentions_gold_basename: true,
  mentions_gold_symbol: false,
  exactness: { group: "o/n f", level: 2 },
};
const PLAIN = { task: "fix it", expected_files: ["a.py"], expected_symbols: ["f", "A.g"], repo_path: "../x" };

test("the two formats, in lines, in an array and alone", () => {
  const [bench, plain] = readCases(`\ufeff${JSON.stringify(BENCH)}\r\n\n${JSON.stringify(PLAIN)}\n`, "f");
  expect(bench).toEqual({
    id: "o__n-1",
    repo: "o/n",
    repoPath: null,
    baseCommit: COMMIT,
    baseDate: "2020-07-15T01:19:12+05:30",
    language: "python",
    source: "s",
    task: "fix it",
    expectedFiles: ["a.py", "b.py"],
    expectedTestFiles: ["t.py", "u.py"],
    expectedSymbols: [
      { path: "a.py", qualified: "A.f", name: "f", lines: { start: 6, end: 9 }, role: "innermost" },
      { path: "a.py", qualified: "A", name: "A", lines: { start: 1, end: 9 }, role: "enclosing" },
    ],
    expectedLines: [{ path: "a.py", start: 1, end: 1 }],
    answerLeak: { path: false, basename: true, symbol: false },
    exactness: { group: "o/n f", level: 2 },
  });
  expect(plain).toMatchObject({ id: "case-2", repo: null, repoPath: "../x", baseCommit: null, answerLeak: null });
  expect([plain?.expectedTestFiles, plain?.exactness]).toEqual([[], null]);
  expect(plain?.expectedSymbols).toEqual([
    { path: null, qualified: "f", name: "f", lines: null, role: "innermost" },
    { path: null, qualified: "A.g", name: "g", lines: null, role: "innermost" },
  ]);
  expect(readCases(JSON.stringify([BENCH, PLAIN], null, 2), "f").map(({ id }) => id)).toEqual(["o__n-1", "case-2"]);
  expect(readCases(JSON.stringify(PLAIN, null, 2), "f").map(({ id }) => id)).toEqual(["case-1"]);
});

test.each([
  ["a.py:A.g", "a.py", "A.g", "g"],
  ["t/u.py::A::g", "t/u.py", "A.g", "g"],
  ["a.py#A.g:12", "a.py", "A.g", "g"],
  ["src/other.rs:Cart::add", "src/other.rs", "Cart.add", "add"],
  ["a:b.h:Cart::add", "a:b.h", "Cart.add", "add"],
  ["A::g", null, "A::g", "g"],
  ["a.py:", null, "a.py:", "py:"],
  ["Cart.add:to:", null, "Cart.add:to:", "add:to:"],
])("an expected symbol may be a path and a name: %s", (typed, path, qualified, name) => {
  const one = { ...PLAIN, expected_files: ["a.py", "a:b.h"], expected_symbols: [typed] };
  const [read] = readCases(JSON.stringify(one), "f");
  expect(read?.expectedSymbols).toEqual([{ path, qualified, name, lines: null, role: "innermost" }]);
});

test("a case on its own line is read the same", () => {
  const cases = readCases(`${JSON.stringify(BENCH)}\n${JSON.stringify(PLAIN)}\n`, "f");
  expect(readCases(cases.map((one) => `${caseLine(one)}\n`).join(""), "f")).toEqual(cases);
});

const second = (change: object): string => `${JSON.stringify(BENCH)}\n${JSON.stringify({ ...PLAIN, ...change })}\n`;

test.each([
  ["f: contains no cases", ""],
  ["f: contains no cases", "[]"],
  ["f: is not valid JSON", "{"],
  ["f: case 2: task: ", `[${JSON.stringify(PLAIN)}, {}]`],
  ["f:2: is not valid JSON", `${JSON.stringify(PLAIN)}\n{"task": \n`],
  ["f: the case: ", "3"],
  ["f:2: task: is empty", second({ task: "  " })],
  ["f:2: expected_files: ", second({ expected_files: [] })],
  ["f:2: expected_files.1: ", second({ expected_files: ["a", 3] })],
  ["f:2: expected_test_files.0: must be a path", second({ expected_test_files: ["a\0"] })],
  ["f:2: expected_files.0: must be a path", second({ expected_files: ["a\0"] })],
  ["f:2: expected_symbols.0: ", second({ expected_symbols: [{ path: "a" }] })],
  ["f:2: base_commit: must be a full commit hash", second({ base_commit: "HEAD" })],
  ["f:2: base_commit: must be a full commit hash", second({ base_commit: "--upload-pack=x" })],
  ["f:2: repo: must be like owner/name", second({ repo: "x y" })],
  ["f:2: repo: must be like owner/name", second({ repo: "../x" })],
  ["f:2: repo: must be like owner/name", second({ repo: "x/.." })],
  ["f:2: exactness.level: ", second({ exactness: { group: "f", level: 0 } })],
  ["f:2: exactness.group: ", second({ exactness: { level: 1 } })],
  ["f:2: base_date: ", second({ base_date: "yesterday" })],
  ['f:2: id: "o__n-1" is also the id of f:1', second({ id: "o__n-1" })],
])("refused by place and field: %s", (message, text) => {
  expect(() => readCases(text, "f")).toThrow(message);
});

test("a filter matches if all its conditions match", () => {
  const [one] = readCases(JSON.stringify(BENCH), "f");
  if (one === undefined) throw new Error("no case");
  const holds = (typed: string): boolean => passes(one, readFilter(typed));
  expect(["repo=O/", "repo==o/n", "language=py, id=n-1", "source==s"].map(holds)).toEqual([true, true, true, true]);
  expect(["repo==o", "repo=o,language=go", "id=x"].map(holds)).toEqual([false, false, false]);
  for (const typed of ["", "repo", "task=x", "repo=o,"]) expect(() => readFilter(typed)).toThrow("is not field=text");
});

test("cases share a repository by the folder it is in, in order of time, and no name leaves the work folder", () => {
  const at = (id: string, repo: string, date: string) => ({ ...BENCH, id, repo, base_date: date });
  const cases = readCases(
    [
      at("late", "a/b", "2020-01-02T00:00:00+09:00"),
      at("early", "a/b", "2020-01-01T00:00:00Z"),
      at("middle", "a/b", "2020-01-01T14:30:00-00:00"),
      at("other", "..x", "2020-01-01T00:00:00Z"),
    ]
      .map((one) => JSON.stringify(one))
      .join("\n"),
    "f",
  );
  const groups = groupsOf(cases, { work: "w", folderOf: ({ repo }) => `r/${repo}` });
  expect(groups.map(({ from, cases }) => [from, cases.map(({ id }) => id)])).toEqual([
    ["r/a/b", ["early", "middle", "late"]],
    ["r/..x", ["other"]],
  ]);
  for (const { folder } of groups) expect(folder).toMatch(/^w\/[\w+-][\w.+-]*$/);
  expect(safeName("../x\u0000/é", "p")).toMatch(/^\+x\+-[0-9a-f]{8}$/);
  expect(safeName("a/b", "p")).not.toBe(safeName("a/b", "q"));
});
