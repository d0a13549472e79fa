import { expect, test } from "bun:test";
import type { FileRow } from "../../../src/db/curated/knowledge-base.ts";
import { noticeSentence } from "../../../src/notice-sentence.ts";
import type { Anchor } from "../../../src/retrieval/model/anchor.ts";
import { pickSeeds } from "../../../src/retrieval/scope/seeds.ts";

const files: readonly FileRow[] = Array.from({ length: 40 }, (_, index) => ({
  id: index + 1,
  path: `f${String(index + 1).padStart(2, "0")}.py`,
  language: "python",
  contentHash: "",
  sizeBytes: 1,
  lineCount: 1,
  tokenCount: 1,
  isTest: false,
  modifiedAt: null,
}));
const made: readonly FileRow[] = files.map((file) =>
  file.id === 9 ? { ...file, path: "tests/test_a.py", isTest: true } : file,
);
const anchor = (given: Partial<Anchor> & Pick<Anchor, "kind" | "text">): Anchor => ({
  section: "prose",
  codeLike: true,
  files: [1],
  symbols: [],
  value: 1,
  ...given,
});
const check = (name: string, anchors: readonly Anchor[], expected: string) =>
  test(name, () => {
    const { seeds, notices } = pickSeeds(anchors, files);
    const lines = seeds.map(({ fileId, reason, symbols }) => `${fileId} [${symbols.join(" ")}] ${reason}`);
    expect([...lines, ...notices.map((notice) => `! ${noticeSentence(notice)}`)].join("\n")).toBe(expected);
  });

check(
  "a path and a symbol make seeds, the path first",
  [
    anchor({ kind: "definition", text: "login_user", files: [2], symbols: [7] }),
    anchor({ kind: "path", text: "f01.py", files: [1] }),
  ],
  "1 [] the task names f01.py\n2 [7] defines login_user, which the task names",
);

check(
  "two names of one file are one seed with both symbols",
  [
    anchor({ kind: "definition", text: "a_b", files: [3], symbols: [1] }),
    anchor({ kind: "definition", text: "c_d", files: [3], symbols: [2] }),
  ],
  "3 [1 2] defines a_b, which the task names",
);

check(
  "a name with more than five files makes no seed",
  [anchor({ kind: "definition", text: "get_value", files: [1, 2, 3, 4, 5, 6], symbols: [1] })],
  "",
);

check(
  "a name that a stack frame of the task tells apart is not ambiguous",
  [
    anchor({ kind: "path", text: "utils.py", files: [1, 2, 3, 4, 5, 6], section: "trace" }),
    anchor({ kind: "trace", text: "shop/utils.py:3", files: [2], section: "trace" }),
  ],
  "2 [] in the stack trace: shop/utils.py:3",
);

check(
  "an ambiguous path is reported",
  [anchor({ kind: "path", text: "utils.py", files: [1, 2, 3, 4, 5, 6] })],
  '! "utils.py" is in 6 files, so it names none of them; use --hint-path or --hint-symbol',
);

check(
  "a hint counts for any number of files, and an unknown one is reported",
  [
    anchor({ kind: "hint", text: "f0*.py", files: [1, 2, 3, 4, 5, 6] }),
    anchor({ kind: "hint", text: "nope.py", files: [] }),
  ],
  `${[1, 2, 3, 4, 5, 6].map((id) => `${id} [] given as a hint: f0*.py`).join("\n")}\n! the hint "nope.py" matches nothing in the index`,
);

check(
  "plain English words and names in sample code make no seeds unless they are unmistakable",
  [
    anchor({ kind: "definition", text: "client", codeLike: false, files: [1], symbols: [1] }),
    anchor({ kind: "definition", text: "app", section: "code", files: [2], symbols: [2] }),
    anchor({ kind: "definition", text: "parseUrl", section: "code", files: [3], symbols: [3] }),
    anchor({ kind: "definition", text: "parse_two", section: "code", files: [4, 5], symbols: [4] }),
    anchor({ kind: "stem", text: "router", section: "inline", files: [6] }),
  ],
  "3 [3] defines parseUrl, which the task names",
);

test("at most twenty seeds come from the text; the others are named", () => {
  const { seeds, notices } = pickSeeds(
    files.slice(0, 25).map((file) => anchor({ kind: "path", text: file.path, files: [file.id] })),
    files,
  );
  expect(seeds.map(({ fileId }) => fileId)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(notices).toEqual([
    { code: "seeds-capped", kept: 20, left: ["f21.py", "f22.py", "f23.py", "f24.py", "f25.py"] },
  ]);
});

test("files outside the candidates make no seeds", () => {
  expect(pickSeeds([anchor({ kind: "path", text: "x", files: [99] })], files).seeds).toEqual([]);
});

check(
  "a name that many symbols of one file share makes it a seed but names none of them",
  [anchor({ kind: "definition", text: "to_json", files: [1], symbols: [1, 2, 3, 4, 5, 6] })],
  "1 [] defines to_json, which the task names",
);

check(
  "in version lists and checklists, paths make seeds, names do not",
  [
    anchor({ kind: "path", text: "f01.py", section: "noise" }),
    anchor({ kind: "module", text: "pkg.f02", section: "noise", files: [2] }),
    anchor({ kind: "definition", text: "parseUrl", section: "noise", files: [3], symbols: [3] }),
    anchor({ kind: "qualified", text: "Url.parse", section: "noise", files: [4], symbols: [4] }),
  ],
  "1 [] the task names f01.py\n2 [] the task names pkg.f02",
);

test("a made-up name means the issue's own example, unless one source file alone defines it", () => {
  const seedsOf = (text: string, ids: readonly number[]) =>
    pickSeeds([anchor({ kind: "definition", text, files: ids })], made).seeds.map(({ fileId }) => fileId);
  expect(seedsOf("Foo", [9])).toEqual([]);
  expect(seedsOf("foo", [3, 9])).toEqual([]);
  expect(seedsOf("foo", [3])).toEqual([3]);
  expect(seedsOf("test_login", [9])).toEqual([9]);
});

test("in one sentence an ordinary word that only tests and examples define does not put their files first", () => {
  const placed = files.map(
    (file) =>
      ({ 9: { ...file, path: "tests/test_a.py", isTest: true }, 8: { ...file, path: "examples/a/app.py" } })[file.id] ??
      file,
  );
  const named = (text: string, id: number) =>
    pickSeeds([anchor({ kind: "definition", section: "title", text, files: [id], symbols: [1] })], placed, true).seeds;
  const firsts = (text: string) => [9, 8, 7].map((id) => named(text, id).map(({ first }) => first));
  expect(firsts("input")).toEqual([[undefined], [undefined], ["symbol"]]);
  expect(firsts("Redis")).toEqual([[undefined], [undefined], ["symbol"]]);
  expect(firsts("test_input")).toEqual([["symbol"], ["symbol"], ["symbol"]]);
});

check(
  "names come by how directly they name a file, then by where they stand, then by how few files they mean, then by name",
  [
    anchor({ kind: "definition", text: "z_of_two", files: [5, 6] }),
    anchor({ kind: "definition", text: "b_of_one", files: [4] }),
    anchor({ kind: "definition", text: "a_of_one", files: [3] }),
    anchor({ kind: "definition", text: "a_title", section: "title", files: [2] }),
    anchor({ kind: "trace", text: "f01.py", files: [1] }),
  ],
  [
    "1 [] in the stack trace: f01.py",
    "2 [] defines a_title, which the task names",
    "3 [] defines a_of_one, which the task names",
    "4 [] defines b_of_one, which the task names",
    "5 [] defines z_of_two, which the task names",
    "6 [] defines z_of_two, which the task names",
  ].join("\n"),
);

test("a name that sources and tests define means the sources, a path all of its files", () => {
  const idsOf = (kind: Anchor["kind"], files: readonly number[]): readonly number[] =>
    pickSeeds([anchor({ kind, text: "log_in", files })], made).seeds.map(({ fileId }) => fileId);
  expect(idsOf("definition", [3, 9])).toEqual([3]);
  expect(idsOf("definition", [9])).toEqual([9]);
  expect(idsOf("path", [3, 9])).toEqual([3, 9]);
});

test("a bare name of a file in code means none of several files, but the one, and those of a path or a sentence", () => {
  const seedsOf = (text: string, section: Anchor["section"], of: readonly number[]): readonly number[] =>
    pickSeeds([anchor({ kind: "path", text, section, files: of })], files).seeds.map(({ fileId }) => fileId);
  expect(seedsOf(".gitignore", "code", [3, 4])).toEqual([]);
  expect(seedsOf(".gitignore", "noise", [3, 4])).toEqual([]);
  expect(seedsOf(".gitignore", "code", [3])).toEqual([3]);
  expect(seedsOf("docs/.gitignore", "code", [3, 4])).toEqual([3, 4]);
  expect(seedsOf("*.py", "code", [3, 4])).toEqual([3, 4]);
  for (const section of ["title", "prose", "inline", "trace", "error"] as const)
    expect(seedsOf(".gitignore", section, [3, 4])).toEqual([3, 4]);
});

test("a member in example code that only tests define makes no seed", () => {
  const idsOf = (section: Anchor["section"], files: readonly number[]): readonly number[] =>
    pickSeeds([anchor({ kind: "qualified", text: "Author.objects", section, files })], made).seeds.map(
      ({ fileId }) => fileId,
    );
  expect(idsOf("code", [9])).toEqual([]);
  expect(idsOf("code", [3, 9])).toEqual([3, 9]);
  expect(idsOf("prose", [9])).toEqual([9]);
});

test("what a request asks for in a file that is a seed already is kept apart from what the task names", () => {
  const many = [1, 2, 3, 4, 5, 6];
  const [seed, ...others] = pickSeeds(
    [
      anchor({ kind: "accepted", text: "f01.py" }),
      anchor({ kind: "missing", text: "save", symbols: many }),
      anchor({ kind: "changed", text: "f01.py:a", symbols: [7] }),
      anchor({ kind: "changed", text: "f01.py:b", symbols: [8] }),
      anchor({ kind: "definition", text: "load_all", symbols: [9] }),
    ],
    files,
  ).seeds;
  expect(others).toEqual([]);
  expect(seed).toEqual({
    fileId: 1,
    reason: "accepted",
    given: true,
    symbols: [...many, 7, 8, 9],
    missing: many,
    changed: [7, 8],
  });
});

test("a request takes no place from what the task names", () => {
  const named = files.slice(0, 20).map(({ id, path }) => anchor({ kind: "path", text: path, files: [id] }));
  const asked = files.slice(20, 25).map(({ id, path }) => anchor({ kind: "accepted", text: path, files: [id] }));
  const { seeds, notices } = pickSeeds([...named, ...asked], files);
  expect([seeds.length, notices]).toEqual([25, []]);
});

test("a hint comes first; in one sentence so do a path and the one file that defines a name, a path that a person wrote", () => {
  const seedOf = (given: Partial<Anchor> & Pick<Anchor, "kind">, isShort: boolean) => {
    const [{ first, isPath } = {}] = pickSeeds([anchor({ text: "load_all", ...given })], files, isShort).seeds;
    return [first, isPath];
  };
  const symbols = [7];
  for (const isShort of [true, false]) {
    expect(seedOf({ kind: "hint" }, isShort)).toEqual(["file", true]);
    expect(seedOf({ kind: "hint", symbols, files: [1, 2] }, isShort)).toEqual(["symbol", undefined]);
    expect(seedOf({ kind: "accepted" }, isShort)).toEqual([undefined, undefined]);
  }
  expect(seedOf({ kind: "definition", symbols }, true)).toEqual(["symbol", undefined]);
  expect(seedOf({ kind: "definition", symbols, files: [1, 2] }, true)).toEqual([undefined, undefined]);
  expect(seedOf({ kind: "definition", symbols }, false)).toEqual([undefined, undefined]);
  for (const section of ["title", "inline", "prose"] as const)
    expect(seedOf({ kind: "path", section }, false)).toEqual([undefined, true]);
  for (const section of ["error", "trace", "code", "noise"] as const)
    expect(seedOf({ kind: "path", section }, true)).toEqual(["file", undefined]);
});

test("a hint that matches nothing is told with what it may mean", () => {
  const named = files.map((file) => (file.id === 9 ? { ...file, path: "src/sessions.py" } : file));
  const { notices } = pickSeeds([anchor({ kind: "hint", text: "src/sesions.py", files: [] })], named);
  expect(notices.map(noticeSentence)).toEqual([
    'the hint "src/sesions.py" matches nothing in the index; did you mean src/sessions.py?',
  ]);
});

test("a file of a stack trace is named by its deepest frame, also if its path is written like a file of the repository", () => {
  const path = anchor({ kind: "path", section: "trace", text: "lib/f01.py", files: [1] });
  const outer = anchor({ kind: "trace", section: "trace", text: "lib/f01.py:12", files: [1], value: 1 / 3 });
  const deepest = anchor({ kind: "trace", section: "trace", text: "lib/f01.py:98", files: [1], value: 1 });
  const reasons = (given: readonly Anchor[]) => pickSeeds(given, files).seeds.map(({ reason }) => reason);
  expect(reasons([path, deepest, outer])).toEqual(["in the stack trace: lib/f01.py:98"]);
  // Ruby prints the deepest frame in the line of the error.
  expect(reasons([{ ...path, section: "error" }, deepest])).toEqual(["in the stack trace: lib/f01.py:98"]);
  expect(reasons([deepest, outer])).toEqual(["in the stack trace: lib/f01.py:98"]);
  expect(reasons([path])).toEqual(["the task names lib/f01.py"]);
  expect(reasons([{ ...path, section: "prose" }, deepest])).toEqual(["the task names lib/f01.py"]);
});
