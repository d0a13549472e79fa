/** What is searched for in a short task that says nothing but names of files. */
import { expect, test } from "bun:test";
import { isShort } from "../../../src/task/searched-task.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const PARTS = ["axle", "brake", "chain", "drum", "engine", "frame"];
const FILES = {
  "README.md": "# Parts\n\nA small shop.\n",
  "src/parts/stock.ts": 'export function update(part: string): string {\n  return "restocked " + part;\n}\n',
  ...Object.fromEntries(
    PARTS.map((part) => [`src/parts/${part}/index.ts`, `export function ${part}Price(): number {\n  return 1;\n}\n`]),
  ),
};
const shop = shared(await indexed(FILES));
const tested = shared(
  await indexed({
    "src/runner.ts": 'export function tests(): string {\n  return "tests in its text, and tests again";\n}\n',
    ...Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`tests/more/t${at}.ts`, `export const more${at} = ${at};\n`]),
    ),
    ...Object.fromEntries(
      PARTS.map((part) => [`tests/${part}.ts`, `export function ${part}Price(): number {\n  return 1;\n}\n`]),
    ),
  }),
);
const library = shared(
  await indexed({
    "src/gear.ts": "export function teeth(): number {\n  return 12;\n}\n",
    "src/cog.ts": "export function size(): number {\n  return 3;\n}\n",
    "src/upload.ts": "export function uploadFile(file: string): string {\n  return file;\n}\n",
    "src/loader.ts": "export function loadModule(module: string): string {\n  return module;\n}\n",
    "src/line.ts": "export function lineOf(l2: string): string {\n  return l2;\n}\n",
    "src/run.ts": "export function runScripts(scripts: string): string {\n  return scripts;\n}\n",
  }),
);
const shown = async (task: string): Promise<readonly string[]> =>
  (await shop.run(task)).pkg.files.flatMap(({ path, symbols }) => [path, ...symbols.map(({ name }) => name)]);

test("a verb that a function is called like is no name beside a file that is named alone", async () => {
  expect(await shown("update README.md")).toEqual(["README.md"]);
  expect(await shown("update README")).toEqual(["README.md"]);
  expect(await shown("update of stock.ts")).toContain("update");
});

test("words of names that too many files have are searched for, if the task has no others", async () => {
  const names = PARTS.map((part) => `${part}Price`);
  for (const task of ["explain src/parts/**/*.ts", "fix the index.ts"])
    expect(await shown(task)).toEqual(expect.arrayContaining(names));
});

test("a pattern means all of its files, unless there are too many", async () => {
  const files = async (task: string) => (await tested.run(task)).pkg.files.map(({ path }) => path);
  expect(await files("Review tests/*.ts")).toEqual(PARTS.map((part) => `tests/${part}.ts`));
  const many = await tested.run("Review tests/**/*.ts");
  expect(many.pkg.warnings.join()).toContain('"tests/**/*.ts" is in 27 files, so it names none of them');
});

test("what a named file is called beside its path is not searched for", async () => {
  const files = async (task: string) => (await library.run(task)).pkg.files.map(({ path }) => path);
  for (const task of [
    "explain the file src/gear.ts",
    "Explain the src/gear.ts file.",
    "fix the module `src/gear.ts`",
    "refactor the `gear.ts` module",
    "review the scripts src/gear.ts and src/cog.ts",
    "Module src/gear.ts is slow",
  ])
    expect((await files(task)).filter((path) => !["src/gear.ts", "src/cog.ts"].includes(path))).toEqual([]);
});

test("elsewhere the same words are searched for", async () => {
  const keywords = async (task: string) => (await library.run(task)).task.keywords;
  expect(await keywords("upload of a file in src/gear.ts")).toEqual(["upload", "file"]);
  expect(await keywords("upload src/gear.ts filesystem")).toEqual(["upload", "filesystem"]);
  expect(await keywords("which file has gears")).toEqual(["file", "gears"]);
  const report = "The file src/gear.ts is slow.\n\nIt takes a second. Sometimes two.";
  expect(await keywords(report)).toContain("file");
});

test("a line of a file says more exactly what a short task is about, and is not searched for", async () => {
  for (const place of [
    "src/gear.ts:2",
    "src/gear.ts:2:3",
    "src/gear.ts#L2",
    "src/gear.ts line 2",
    "line 2 of src/gear.ts",
  ]) {
    const { task, pkg, selection } = await library.run(`fix ${place}`);
    expect([place, ...task.keywords, ...pkg.files.map(({ path }) => path)]).toEqual([place, "src/gear.ts"]);
    expect(selection.symbols.flatMap(({ symbol, floor }) => (floor ? [symbol.name] : []))).toEqual(["teeth"]);
  }
});

test("a call in a stack trace reports a failure, in one sentence too", async () => {
  const { task } = await library.run("TypeError: wheel is undefined at teeth (src/gear.ts:2:3)");
  expect(isShort(task)).toBe(false);
});
