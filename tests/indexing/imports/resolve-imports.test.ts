import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJsonc } from "../../../src/indexing/imports/ecmascript/jsonc.ts";
import type { SourceFile } from "../../../src/indexing/imports/model.ts";
import { languageOf } from "../../../src/languages/languages.ts";
import { joinPath } from "../../../src/text/repo-path.ts";
import { resolveImports } from "../../support/resolved-imports.ts";

const NAMES = ["a", "b", "src", "index", "__init__", "__proto__", "constructor", "dist", "..", "."];
const EXTENSIONS = [".py", ".pyi", ".ts", ".tsx", ".js", ".d.ts", ""];
const CONFIGS = ["tsconfig.json", "package.json", "pyproject.toml", "setup.py", "pnpm-workspace.yaml"];

const path = fc
  .tuple(
    fc.array(fc.constantFrom("a", "b", "src", "__proto__", "tests"), { maxLength: 3 }),
    fc.constantFrom(...NAMES.slice(0, 8)),
    fc.constantFrom(...EXTENSIONS),
  )
  .map(([folders, name, extension]) => [...folders, name + extension].join("/"));
const specifier = fc.oneof(
  fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/")),
  fc
    .array(fc.constantFrom("", "", "a", "b", "src", "__proto__"), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(".")),
  fc.string(),
  fc.constantFrom("#a", "#", "@a", "@a/b", "@", "*", "a*", "node:fs", "json", "../../../../x", "././."),
);
const config = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom(
    '{"name":"a","exports":{".":{"import":["./x",{"y":null}]},"./*":"./dist/*.js"},"workspaces":["*","**","!a","[","{"]}',
    '{"extends":["./tsconfig.json","../tsconfig.json"],"compilerOptions":{"baseUrl":"..","paths":{"*":["*"],"__proto__":["a"]}}}',
    "packages:\n  - '*'\n",
    '[tool.poetry]\npackages = [{ from = "../.." }]\n',
  ),
);

const file = (at: string, specifiers: readonly string[]): SourceFile => ({
  path: at,
  language: languageOf(at),
  facts: {
    parsed: true,
    problem: null,
    namespace: null,
    lineCount: 1,
    tokenCount: 0,
    doc: null,
    symbols: [],
    comments: [],
    imports: specifiers.map((text) => ({
      specifier: text,
      line: 1,
      kind: "import",
      names: [{ name: "__proto__", alias: "constructor" }],
      star: false,
    })),
    references: [],
    exportedAs: {},
    commentLines: [],
  },
});

test("for any repository, edges connect different indexed files, each once, in order", () => {
  const entry = fc.tuple(path, fc.array(specifier, { maxLength: 4 }));
  const settings = fc.array(fc.tuple(fc.constantFrom("", "a/", "src/", "a/b/"), fc.constantFrom(...CONFIGS), config));
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([at]) => at, maxLength: 12 }), settings, (entries, texts) => {
      const files = entries.map(([at, specifiers]) => file(at, specifiers));
      const configs = new Map(texts.map(([folder, name, text]) => [folder + name, text]));
      const { edges } = resolveImports(files, (at) => configs.get(at) ?? null);
      const paths = new Set(files.map((one) => one.path));
      const keys = edges.map(({ source, target, kind }) => `${source}\0${target}\0${kind}`);
      expect(edges.every(({ source, target }) => source !== target && paths.has(source) && paths.has(target))).toBe(
        true,
      );
      expect(keys).toEqual([...new Set(keys)].sort());

      const shuffled = resolveImports(files.toReversed(), (at) => configs.get(at) ?? null);
      expect(shuffled.edges).toEqual(edges);
    }),
    { numRuns: 120 },
  );
});

test("resolves the imports of 6,000 files", () => {
  const files = Array.from({ length: 6_000 }, (_, at) => {
    const folder = `pkg${at % 300}/part${at % 30}`;
    return at % 2 === 0
      ? file(`web/${folder}/file${at}.ts`, ["./x", "../../pkg2/part2/file2.js", "react", "@/none", `web/${folder}/y`])
      : file(`${folder}/mod${at}.py`, [
          ".x",
          "pkg1.part1.mod1",
          "os.path",
          "numpy.linalg",
          `pkg${at % 300}.none.thing`,
        ]);
  });
  const { edges } = resolveImports(files, (at) =>
    at === "tsconfig.json" ? '{"compilerOptions":{"baseUrl":"."}}' : null,
  );
  expect(edges.length).toBeGreaterThan(4_000);
});

describe("JSON with comments", () => {
  const check = (text: string, value: unknown) => test(text, () => expect(parseJsonc(text)).toEqual(value));
  check('{ "a": 1, /* , */ "b": [1, 2, ], } // end', { a: 1, b: [1, 2] });
  check('{ "//": "/* not */ , ]", "u": "\\",}" }', { "//": "/* not */ , ]", u: '",}' });
  check("\uFEFF[1]", [1]);
  check("[1,,2]", null);
  check("{ unquoted: 1 }", null);
  check("", null);
  test("reads everything that JSON can express", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        expect(parseJsonc(JSON.stringify(value, null, 2))).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});

describe("joining paths", () => {
  const check = (folder: string, relative: string, joined: string | null) =>
    test(`${folder} + ${relative}`, () => expect(joinPath(folder, relative)).toBe(joined));
  check("a/b", "../c/./d", "a/c/d");
  check("a", "..", "");
  check("a", "../..", null);
  check("", "x//y/", "x/y");

  const part = fc.constantFrom("a", "b", ".", "..", "", ".a", "a.", "...");
  test("goes up and down as each of its parts says", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", ".a"), { maxLength: 4 }),
        fc.array(part, { maxLength: 6 }),
        (folders, parts) => {
          const at: string[] = [...folders];
          const leavesRepository = parts.some((each) => {
            if (each === "..") return at.pop() === undefined;
            if (each !== "." && each !== "") at.push(each);
            return false;
          });
          expect(joinPath(folders.join("/"), parts.join("/"))).toBe(leavesRepository ? null : at.join("/"));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
