/**
 * What a repository, a task or a file gives takes time in proportion to its size: 30,000 letters of the worst texts end, where the square of them
 * would take longer than any test may.
 */
import { expect, test } from "bun:test";
import { failureInLog } from "../src/escalation/failure-log.ts";
import { fingerprint, textComparer } from "../src/recall/context/similarity.ts";
import { parseGitConfig } from "../src/source/git/config.ts";
import { classifyComment } from "../src/syntax/facts/comment-kind.ts";
import { docOfString } from "../src/syntax/facts/docs.ts";
import { analyzeTask } from "../src/task/analyze.ts";
import { unifiedHunks } from "../src/text/diff/unified-hunks.ts";
import { display, displayLines } from "../src/text/display.ts";
import { fenced, inlineCode } from "../src/text/markdown.ts";
import { HANG_MS } from "./support/hang.ts";
import { tempRepo } from "./support/repo.ts";
import { runCra } from "./support/run-cra.ts";
import { shared } from "./support/shared.ts";
import { worstTexts } from "./support/worst-texts.ts";

const LETTERS = 30_000;
/** Two texts are compared of this. */
const half = (text: string): string => text.slice(0, LETTERS / 2);
const BACKGROUND = { given: { paths: [], symbols: [], languages: [] }, concepts: new Set<string>() };

test.each<[string, (text: string) => unknown]>([
  ["tasks", (text) => expect(analyzeTask(text, BACKGROUND).raw).toBe(text)],
  ["logs", (text) => expect(failureInLog(text)?.stack_trace.length ?? 0).toBeLessThan(LETTERS)],
  ["diffs", (text) => expect(unifiedHunks(half(text), half(text).split("\n").toReversed().join("\n"))).toBeArray()],
  [
    "diffs of words",
    (text) => expect(unifiedHunks(half(text).replaceAll(" ", "\n"), half(text).replaceAll("a", "\n"))).toBeArray(),
  ],
  ["comments", (text) => expect(classifyComment(text, text).kind).toBeString()],
  ["documentation", (text) => expect(docOfString(`"""${text}"""`).content).toBeString()],
  ["git's configuration", (text) => expect(parseGitConfig(`[a "b"]\n c = ${text}`)).toBeArray()],
  ["Markdown", (text) => expect(fenced(text, "py").length + inlineCode(text).length).toBeGreaterThan(0)],
  ["names", (text) => expect(display(text).length + displayLines(text).length).toBeGreaterThan(0)],
])(
  "%s",
  (_, read) => {
    for (const text of worstTexts(LETTERS).values()) read(text);
  },
  HANG_MS,
);

test("globs", () => {
  const piece = ["*a", "**/", "**/*a*/", "{a,b}", "{*a,*a}", "[ab]*", "?*", "{a,{a,{a,"];
  for (const glob of piece)
    for (const path of ["a".repeat(4_000), "a/".repeat(2_000), "ab".repeat(2_000)])
      expect(new Bun.Glob(`${glob.repeat(60)}z`).match(path)).toBeFalse();
});

test("many long texts that are nearly the same", () => {
  const prints = [...worstTexts(20_000).values()].flatMap((text) => [
    fingerprint(text),
    fingerprint([...text].toReversed().join("")),
  ]);
  const areSame = textComparer();
  for (const one of prints) for (const other of prints) expect(areSame(one, other) || one !== other).toBeTrue();
});

const LENGTH = 3_000;
const repeated = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join("");

/** Files that resolve imports, each with the worst that it may hold. Those that are parsed as well are shorter. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  "deep/tsconfig.json": "[".repeat(LENGTH),
  "open/tsconfig.json": "/*".repeat(LENGTH),
  "paths/tsconfig.json": `{"compilerOptions":{"paths":{${repeated(9_000, (at) => `"*a*${at}":["*b${at}/*"],`)}"x":[]}}}`,
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `chain/${at}/tsconfig.json`,
      `{"extends":["../${(at + 1) % 60}/tsconfig.json","../${(at + 2) % 60}/tsconfig.json"],"include":[${repeated(33, (each) => `"**/*a*${each}*/**/*b*",`)}"x"]}`,
    ]),
  ),
  "package.json": `{"name":"r","workspaces":[${repeated(9_000, (at) => `"**/{a,b,c${at}}*/**/*x*",`)}"z"]}`,
  "pnpm-workspace.yaml": `packages:\n${repeated(LENGTH, (at) => `  - '*${at}/**/*a*'\n`)}`,
  "pyproject.toml": "[[".repeat(LENGTH),
  "setup.cfg": "where = ".repeat(30_000),
  "go.mod": `replace (\n${repeated(LENGTH, (at) => `a.b/c${at} => ./d${at}\n`)}`,
  "Cargo.toml": `[workspace]\nmembers=[${repeated(9_000, (at) => `"**/*a*${at}",`)}]`,
  "composer.json": `{"autoload":{"psr-4":{${repeated(9_000, (at) => `"A${at}\\\\":"s${at}/",`)}"z":"y"}}}`,
  "Package.swift": ".target(".repeat(30_000),
  ".gitattributes": "* text eol\n".repeat(9_000),
};

test(
  "a repository of them is indexed, searched, packed and compared",
  async () => {
    const files = [...worstTexts(LENGTH)].flatMap(([, text], at) =>
      ["md", "ts", "c"].map((ending) => [`worst/${at}.${ending}`, text.toWellFormed()] as const),
    );
    const repo = shared(
      tempRepo({ ...Object.fromEntries(files), ...CONFIGURATIONS, "main.py": "def total(): pass\n" }, { git: true }),
    );
    for (const words of [
      ["index"],
      ["search", "total"],
      ["retrieve", "fix total"],
      ["retrieve", "fix total", "--no-quick"],
    ]) {
      const { exitCode, signal, stderr } = await runCra(words, { cwd: repo.path });
      expect([exitCode, signal, stderr.includes("bug")]).toEqual([0, null, false]);
    }
    // Of each text the file in one of the languages.
    const changed = files.filter((_, at) => at % 3 === Math.floor(at / 3) % 3);
    repo.write(Object.fromEntries(changed.map(([path, text]) => [path, text.split("\n").toReversed().join("\n")])));
    const compared = await runCra(["retrieve", "--diff"], { cwd: repo.path });
    expect([compared.exitCode, compared.signal]).toEqual([0, null]);
  },
  HANG_MS,
);
