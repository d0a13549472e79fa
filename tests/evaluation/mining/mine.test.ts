import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { housekeeping, taskOfMessage } from "../../../src/evaluation/mining/commit-message.ts";
import {
  goldSymbols,
  isAnswerFile,
  type MiningSource,
  mineCases,
  reasonToSkip,
  type SymbolSpan,
} from "../../../src/evaluation/mining/mine.ts";
import { changedFiles } from "../../../src/evaluation/mining/unified-diff.ts";
import type { CommitRecord } from "../../../src/source/history/history.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";

for (const [message, task] of [
  ["Round the tax down", "Round the tax down"],
  ["Round the tax down (#123)\n\nIt was up.\n", "Round the tax down\n\nIt was up."],
  ["Fixed #28862 -- Kept the order of options.", "Kept the order of options."],
  ["ABC-12: keep order of options", "keep order of options"],
  ["fix(cart): round tax down\n\nFixes #12, #13\nCloses https://h.example/issues/4", "fix(cart): round tax down"],
  [
    "Round tax down\n\nSee #4 for more.\n\nSigned-off-by: A <a@b>\nCo-authored-by: C <c@d>",
    "Round tax down\n\nfor more.",
  ],
  [
    "Keep code unchanged\n\nReturns: the sum\nNote: all of it",
    "Keep code unchanged\n\nReturns: the sum\nNote: all of it",
  ],
  ["One two three\r\n\r\na\r\n\r\n\r\n\r\nb", "One two three\n\na\n\nb"],
  ["Join parts of it\n\n---------\n\nReviewed-by: me\n(cherry picked from commit abc)", "Join parts of it"],
  ["Fix typo", null],
  ["fix #2786 (#2796)", null],
  ["1 2 3 4", null],
  ["", null],
] as const)
  test(`the task of ${JSON.stringify(message)}`, () => expect(taskOfMessage(message)).toBe(task));

test("references joined by commas cost no more than others", () => {
  const urls = "https://a.b/c,".repeat(40);
  expect(taskOfMessage(`Fix the parser of dates\n\n${urls} !x y`)).toContain("!x y");
});

test("any message is read in bounded time, and a task is trimmed", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.constantFrom("#1", "Fixes", "a b", "\n", ", ", "and", "(", ")")), (a, b) => {
      const task = taskOfMessage(`One two three ${a}\n${b.join(" ")}`);
      expect(task).toBe(task === null ? null : task.trim());
    }),
  );
  taskOfMessage(`One two three\n${"fixes #1, ".repeat(20_000)}x\n${"#1 and ".repeat(20_000)}`);
});

describe("housekeeping", () => {
  const by = (message: string, author = "Ada") => housekeeping({ message, author });
  for (const message of [
    'Revert "Round the tax down"',
    "Merge branch 'main' into cart",
    "chore(cart): tidy up imports",
    "fix(deps): bump left-pad to 2",
    "docs: say what tax is",
    "Bump left-pad from 1 to 2",
    "Update dependency left-pad to v2",
    "Release 2.3.4 of cart",
    "v2.3.4 is here now",
    "Run prettier on everything",
    "Reformat with black 24",
    "Fix a few typos",
    "fix: correct typos in messages",
    "Address review comments again",
    "fixup! Round the tax down",
    "Add missing tests for tax",
    "Fix clippy warnings of carts",
    "Remove trailing whitespace",
  ])
    test(message, () => expect(by(message)).toBe("housekeeping"));
  for (const message of [
    "Round the tax down",
    "feat(cart): merge equal lines",
    "Merge the denominators of sums",
    "fix: release the lock when the cart fails",
    "Fix comments being dropped by the parser",
    "Update the version check of carts",
    "Print black squares of a board as dark",
    "Keep indentation of lines that are put in",
    "Test for empty carts before adding tax",
  ])
    test(`not: ${message}`, () => expect(by(message)).toBeNull());
  test("bots", () => expect(by("Round the tax down", "renovate[bot]")).toBe("made by a bot"));
});

test("only source files and not tests, generated or vendored files can be answers", () => {
  for (const path of ["src/a.py", "lib/b.ts", "scripts/build.rs.go", "tools/x.py"])
    expect([path, isAnswerFile(path)]).toEqual([path, true]);
  for (const path of [
    "tests/a.py",
    "a.test.ts",
    "README.md",
    "package.json",
    "go.mod",
    "vendor/a.go",
    "a.min.js",
    "x_pb2.py",
    "a.d.ts",
    "a.css",
  ])
    expect([path, isAnswerFile(path)]).toEqual([path, false]);
});

test("a commit is excluded if its row says so", () => {
  const row = { message: "Round the tax down", author: "Ada", files: ["src/a.py"] };
  expect(reasonToSkip(row)).toBeNull();
  expect(reasonToSkip({ ...row, files: [] })).toBe("a merge, or empty");
  expect(reasonToSkip({ ...row, files: ["tests/a.py", "README.md"] })).toBe("changes no source file");
  expect(reasonToSkip({ ...row, files: Array.from({ length: 31 }, (_, at) => `src/${at}.py`) })).toBe(
    "changes too many files",
  );
  expect(reasonToSkip({ ...row, message: "Fix it" })).toBe("says too little");
});

describe("definitions around changed lines", () => {
  const span = (qualified: string, start: number, end: number): SymbolSpan => ({
    ...{ qualified, start, end },
    name: qualified.split(".").at(-1) ?? "",
  });
  const SPANS = [span("Cart", 1, 20), span("Cart.get", 3, 8), span("Cart.put", 10, 15), span("total", 22, 25)];
  const of = (start: number, end: number, isInsertion = false) =>
    goldSymbols("a", [{ start, end, isInsertion }], SPANS).map(({ qualified, role }) => [qualified, role]);
  const CART = ["Cart", "enclosing"];

  test("the deepest one is innermost", () => expect(of(4, 5)).toEqual([CART, ["Cart.get", "innermost"]]));
  test("lines of its own make the outer one innermost", () => expect(of(2, 2)).toEqual([["Cart", "innermost"]]));
  test("a span over several ones touches each", () =>
    expect(of(8, 10)).toEqual([
      ["Cart", "innermost"],
      ["Cart.get", "innermost"],
      ["Cart.put", "innermost"],
    ]));
  test("no definition outside", () => expect(of(21, 21)).toEqual([]));
  test("inserted inside", () => expect(of(7, 7, true)).toEqual([CART, ["Cart.get", "innermost"]]));
  test("inserted after", () => expect(of(8, 8, true)).toEqual([["Cart", "innermost"]]));
  test("inserted at the end", () => expect(of(25, 25, true)).toEqual([]));
  test("two equal lines", () => {
    const twins = [span("exports", 1, 9), span("exports.run", 1, 9)];
    const found = goldSymbols("a", [{ start: 2, end: 2, isInsertion: false }], twins);
    expect(found.filter(({ role }) => role === "innermost").map(({ qualified }) => qualified)).toEqual(["exports.run"]);
  });
});

const GIT_DIFF = ["diff", "--unified=0", "--no-renames", "--no-ext-diff", "--no-color"];
const LINES = ["one", "two", "three", "@@ -1 +1 @@", "--- a/x", "five", "six"];

test("a diff of git, with names and lines that look like a diff", () => {
  const odd = 'a "b\\\tü.py';
  using repo = tempRepo(
    {
      "src/a.py": `${LINES.join("\n")}\n`,
      "src/gone file.py": "x\ny\n",
      [odd]: "1\n2\n",
      "image.png": new Uint8Array([0, 1, 2]),
      "mode.sh": "x\n",
    },
    { git: true },
  );
  repo.write({
    "src/a.py": "zero\none\ntwo\n@@ -7 +7,9 @@\n--- a/y\nfive\nsix\n--- a/z\n",
    "src/new.py": "n\n",
    [odd]: "1\n",
    "image.png": new Uint8Array([0, 9]),
  });
  repo.remove("src/gone file.py");
  repo.git("update-index", "--chmod=+x", "mode.sh");
  repo.git("config", "core.fileMode", "false");
  repo.commit("Change it all");
  const found = changedFiles(repo.git(...GIT_DIFF, "HEAD^", "HEAD")).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const line = (start: number, end = start, isInsertion = false) => ({ start, end, isInsertion });
  expect(found).toEqual([
    { path: odd, isOld: true, lines: [line(2)] },
    { path: "image.png", isOld: true, lines: [] },
    { path: "mode.sh", isOld: true, lines: [] },
    { path: "src/a.py", isOld: true, lines: [line(0, 0, true), line(3, 5), line(7, 7, true)] },
    { path: "src/gone file.py", isOld: true, lines: [line(1, 2)] },
    { path: "src/new.py", isOld: false, lines: [] },
  ]);
});

/** Reads a history as git tells it; definitions are lines that begin with "def". */
function sourceOf(repo: TempRepo): MiningSource {
  const commits = repo
    .git("log", "--format=%x1e%H%x1f%an%x1f%ct%x1f%B%x1f", "--name-only", "--diff-merges=off")
    .split("\x1e")
    .slice(1)
    .map((record): CommitRecord => {
      const [hash = "", author = "", seconds, message = "", files = ""] = record.split("\x1f");
      return {
        hash,
        author,
        message: message.trim(),
        timestamp: Number(seconds),
        files: files.split("\n").filter(Boolean),
      };
    });
  return {
    commits,
    changes: async (hash) => {
      const [, parent, ...others] = repo.git("rev-list", "--parents", "-1", hash).trim().split(" ");
      if (parent === undefined || others.length > 0) return null;
      return { parent, files: changedFiles(repo.git(...GIT_DIFF, parent, hash)) };
    },
    spans: async (commit, path) =>
      repo
        .git("show", `${commit}:${path}`)
        .split("\n")
        .flatMap((line, at) => {
          const name = /^def (\w+)/.exec(line)?.[1];
          return name === undefined ? [] : [{ name, qualified: `m.${name}`, start: at + 1, end: at + 2 }];
        }),
  };
}

describe("cases of a history", () => {
  const grown = (): TempRepo => {
    const repo = tempRepo({ "shop/cart.py": "def tax():\n  return 1\ndef total():\n  return 2\n" }, { git: true });
    repo.write({ "shop/cart.py": "def tax():\n  return 3\ndef total():\n  return 2\n", "tests/test_cart.py": "x\n" });
    repo.commit("The tax() of shop/cart.py is wrong (#3)\n\nIt must be three.\n\nSigned-off-by: Ada <a@b>");
    repo.write({ "README.md": "shop\n" });
    repo.commit("Say what the shop is");
    repo.write({ "shop/other.py": "def other():\n  return 1\n" });
    repo.commit("Add another kind of shop");
    repo.write({ "shop/cart.py": "def tax():\n  return 3\ndef total():\n  return 4\n" });
    repo.write({ "tests/test_cart.py": "y\n", "tests/test_total.py": "z\n", "tests/data.json": "{}\n" });
    repo.commit("Totals include every line twice");
    return repo;
  };

  test("are changes of existing code, newest first, on the previous commit", async () => {
    using repo = grown();
    const source = sourceOf(repo);
    const [newest, oldest, ...others] = await mineCases(source, { casesMax: 10 });
    expect(others).toEqual([]);
    expect(newest).toMatchObject({ task: "Totals include every line twice", expectedSymbols: [{ name: "total" }] });
    expect(newest?.expectedTestFiles).toEqual(["tests/test_cart.py"]);
    expect(oldest).toEqual({
      id: source.commits[3]?.hash.slice(0, 16) ?? "",
      repo: null,
      baseCommit: repo.git("rev-parse", "HEAD~4").trim(),
      baseDate: "2024-01-01T01:00:00.000Z",
      language: "python",
      source: "history",
      task: "The tax() of shop/cart.py is wrong\n\nIt must be three.",
      expectedFiles: ["shop/cart.py"],
      expectedTestFiles: [],
      expectedSymbols: [
        { path: "shop/cart.py", name: "tax", qualified: "m.tax", lines: { start: 1, end: 2 }, role: "innermost" },
      ],
      expectedLines: [{ path: "shop/cart.py", start: 2, end: 2 }],
      answerLeak: { path: true, basename: true, symbol: true },
      exactness: null,
    });
  });

  test("are limited in number, and each task occurs once", async () => {
    using repo = grown();
    repo.write({ "shop/cart.py": "def tax():\n  return 9\n" });
    repo.commit("Totals include every line twice");
    const tasks = async (casesMax: number) => (await mineCases(sourceOf(repo), { casesMax })).map(({ task }) => task);
    expect(await tasks(1)).toEqual(["Totals include every line twice"]);
    expect(await tasks(9)).toHaveLength(2);
  });

  test("a change of more than five files is not a case", async () => {
    using repo = tempRepo(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`a${at}.py`, "x\n"])), {
      git: true,
    });
    repo.write(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`a${at}.py`, "y\n"])));
    repo.commit("Rename what is everywhere");
    expect(await mineCases(sourceOf(repo), { casesMax: 9 })).toEqual([]);
  });

  test("mining can be stopped", async () => {
    using repo = grown();
    const stopped = mineCases(sourceOf(repo), { casesMax: 9, signal: AbortSignal.abort(new Error("enough")) });
    expect(stopped).rejects.toThrow("enough");
  });
});
