/** What is searched for in a short task that says nothing but names of files. */
import { expect, test } from "bun:test";
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
