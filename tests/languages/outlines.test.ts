/** Outlines: what of data, style sheets and prose is a symbol, and how much of it. */
import { expect, test } from "bun:test";
import { factsOf, symbolLines } from "../syntax/render.ts";

/** Kind, qualified name and lines. */
async function outlineOf(language: string, text: string): Promise<readonly string[]> {
  const { symbols, parsed } = await factsOf(language, text);
  expect(parsed).toBe(true);
  return symbols.map(
    ({ kind, qualifiedName, startLine, endLine }) => `${kind} ${qualifiedName} ${startLine}-${endLine}`,
  );
}

test("JSON: keys down to the second level", async () => {
  const source = `{
  // with comments
  "name": "x",
  "scripts": { "build": "tsc", "test": "bun test" },
  "list": [1, { "deep": 1 }],
  "nested": {
    "a": { "b": { "c": 1 } }
  }
}
`;
  expect(await symbolLines("json", source)).toEqual([
    '-property name 3-3 "name": "x"',
    '-namespace scripts 4-4 "scripts"',
    '-property scripts.build 4-4 "build": "tsc"',
    '-property scripts.test 4-4 "test": "bun test"',
    '-property list 5-5 "list": [1, { "deep": 1 }]',
    '-namespace nested 6-8 "nested"',
    '-namespace nested.a 7-7 "a"',
  ]);
});

test("TOML: tables, arrays of tables, and the keys in them", async () => {
  const source = `title = "x"
a.b.c = 1
[package]
name = "y"
[tool.poetry.dependencies]
inline = { version = "1" }

[[bin]]
name = "z"
[[bin]]
["quoted key".x]
`;
  expect(await symbolLines("toml", source)).toEqual([
    '-property title 1-1 title = "x"',
    "-property a.b.c 2-2 a.b.c = 1",
    "-namespace package 3-4 [package]",
    '-property package.name 4-4 name = "y"',
    "-namespace tool.poetry.dependencies 5-6 [tool.poetry.dependencies]",
    '-property tool.poetry.dependencies.inline 6-6 inline = { version = "1" }',
    "-namespace bin 8-9 [[bin]]",
    '-property bin.name 9-9 name = "z"',
    "-namespace bin 10-10 [[bin]]",
    '-namespace "quotedkey".x 11-11 ["quoted key".x]',
  ]);
});

test("YAML: keys down to the second level in every document, and items with a name", async () => {
  const source = `name: CI
on:
  push:
    branches: [main]
env: { A: 1 }
jobs:
  build:
    runs-on: ubuntu
    steps:
      - uses: actions/checkout@v4
      - name: Install
        run: npm ci
---
kind: Deployment
---
- hosts: all
  tasks:
    - name: "Task one"
`;
  expect(await symbolLines("yaml", source)).toEqual([
    "-property name 1-1 name: CI",
    "-namespace on 2-4 on",
    "-namespace on.push 3-4 push",
    "-property env 5-5 env: { A: 1 }",
    "-namespace jobs 6-12 jobs",
    "-namespace jobs.build 7-12 build",
    "-namespace jobs.build.Install 11-12 - name: Install",
    "-property kind 14-14 kind: Deployment",
    '-namespace Task one 18-18 - name: "Task one"',
  ]);
});

test("CSS: selectors, at-rules and custom properties of the root", async () => {
  const source = `@import url("x.css");
:root { --main: #fff; color: red; }
.btn, .btn:hover > a {
  color: red;
  &:focus { .deep { c: d; } }
}
@media (max-width: 10px) {
  .btn { color: blue; }
}
@keyframes spin { from { a: b; } }
@layer a, b;
@font-face { font-family: X; }
`;
  expect(await outlineOf("css", source)).toEqual([
    "namespace :root 2-2",
    "property :root.--main 2-2",
    "namespace .btn, .btn:hover > a 3-6",
    "namespace .btn, .btn:hover > a.&:focus 5-5",
    "namespace @media (max-width: 10px) 7-9",
    "namespace @media (max-width: 10px)..btn 8-8",
    "namespace @keyframes spin 10-10",
    "namespace @font-face 12-12",
  ]);
});

test("Markdown: headings of both forms, each with its section", async () => {
  const source = `---
title: x
# not a heading
---
<!-- # hidden
-->
Intro *text*
============
## Install [docs](https://x) \`cra\` ##
\`\`\`sh
# comment
\`\`\`
~~~~
~~~
## no
~~~~
### From source {#src}
> # quoted
- item
---
Title two
---
#notheading
####### seven
| a |
---
# Last
`;
  expect(await outlineOf("markdown", source)).toEqual([
    "namespace Intro text 7-26",
    "namespace Intro text.Install docs cra 9-20",
    "namespace Intro text.Install docs cra.From source 17-20",
    "namespace Intro text.Title two 21-26",
    "namespace Last 27-27",
  ]);
});

test.each([
  ["json", "[1, 2]"],
  ["json", ""],
  ["yaml", "- a\n- b\n"],
  ["toml", "# nothing\n"],
  ["css", "/* nothing */"],
  ["markdown", "---\nnot: closed\n"],
  ["markdown", "```\n# open to the end\n"],
])("no outline: %s %p", async (language, text) => {
  expect(await outlineOf(language, text)).toEqual([]);
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

test("wide maps and long files are truncated", async () => {
  const wide = `{ "a": {${numbers(500).map((n) => `"k${n}": 1`)}}, "b": { "c": 1 } }`;
  const names = (await outlineOf("json", wide)).map((line) => line.split(" ")[1]);
  expect(names).toHaveLength(103);
  expect(names.slice(-3)).toEqual(["a.k99", "b", "b.c"]);
  for (const [language, text] of [
    ["json", `{${numbers(1_000).map((n) => `"k${n}": 1`)}}`],
    [
      "toml",
      numbers(1_000)
        .map((n) => `k${n} = 1\n`)
        .join(""),
    ],
    [
      "yaml",
      numbers(1_000)
        .map((n) => `k${n}: 1\n`)
        .join(""),
    ],
    [
      "css",
      numbers(1_000)
        .map((n) => `.k${n} { a: b; }\n`)
        .join(""),
    ],
    [
      "markdown",
      numbers(1_000)
        .map((n) => `# k${n}\n`)
        .join(""),
    ],
  ] as const)
    expect(await outlineOf(language, text)).toHaveLength(300);
});

test.each([
  ["yaml", "- ".repeat(30_000)],
  [
    "yaml",
    numbers(2_000)
      .map((n) => `${" ".repeat(n)}a:\n`)
      .join(""),
  ],
  ["markdown", `# ${"[a".repeat(50_000)}`],
  [
    "markdown",
    numbers(50_000)
      .map((n) => `${"#".repeat(1 + (n % 6))} a\n`)
      .join(""),
  ],
])("nothing breaks on deep %s", async (language, text) => {
  expect((await factsOf(language, text)).problem).toBeNull();
});
