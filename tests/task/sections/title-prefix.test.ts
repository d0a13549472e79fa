import { expect, test } from "bun:test";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { titlePrefixes } from "../../../src/task/sections/title-prefix.ts";

const prefixesOf = (text: string): readonly string[] =>
  titlePrefixes(analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() }));

test("a title says which part of the repository it is about", () => {
  const said: Readonly<Record<string, readonly string[]>> = {
    "fix(compiler-core): keep the lifecycle": ["compiler-core"],
    "feat(Parser)!: read numbers": ["parser"],
    "fix(ssr, css): order the chunks": ["ssr", "css"],
    "credentials/alts: stop on other clouds": ["credentials/alts"],
    "net/http, io: close what is open": ["net/http", "io"],
    "json_lines: respect the limit": ["json_lines"],
    "JsonLines: respect the limit": ["jsonlines"],
    "fix(@shop/cart-ui): count once": ["cart-ui"],
    "[runtime-core] Props are fetched twice": ["runtime-core"],
    "[Bug][parser] Numbers are lost": ["parser"],
    "## Title: [SPARK-1][sql]: Numbers are lost": ["spark-1", "sql"],
  };
  expect(Object.fromEntries(Object.keys(said).map((text) => [text, prefixesOf(text)]))).toEqual(said);
});

test.each([
  "fix: keep the lifecycle",
  "Bug: numbers are lost",
  "Error: cannot find module 'cart'",
  "Views: custom cache keys",
  "[Feature Request] Show a badge",
  "Read numbers in the parser: they are lost",
  "the parser (fast): loses numbers",
  "[0]parser loses numbers",
  "..: what is above",
  "",
])("other titles do not: %s", (text) => {
  expect(prefixesOf(text)).toEqual([]);
});

test("only the title counts", () => {
  expect(prefixesOf("Numbers are lost\n\nparser: it loses them\nfix(cart): count once")).toEqual([]);
});

test("a title that is a list of tags names the first of them", () => {
  const tags = Array.from({ length: 2_000 }, (_, at) => `[part${at}]`).join("");
  const named = ["part0", "part1", "part2", "part3", "part4", "part5", "part6", "part7"];
  expect(prefixesOf(`From: someone\nSubject: ${tags} fix it\n\nIt is lost.`)).toEqual(named);
});
