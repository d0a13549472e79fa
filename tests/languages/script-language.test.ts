/** Scripts without an ending have the language of the program that their first line names. */
import { expect, test } from "bun:test";
import { LANGUAGE_NAMES, languageNamed } from "../../src/languages/languages.ts";
import { canBeOf, INTERPRETERS, languageIn, scriptLanguageOf } from "../../src/languages/script-language.ts";

const FIRST_LINES: readonly (readonly [line: string, language: string])[] = [
  ["#!/bin/sh", "bash"],
  ["#! /bin/sh -e", "bash"],
  ["#!/usr/bin/env bash", "bash"],
  ["#!/usr/bin/env  zsh", "bash"],
  ["#!/usr/bin/python", "python"],
  ["#!/usr/bin/env python3 -u", "python"],
  ["#!/opt/pythons/3.12/bin/python3.12", "python"],
  ["#!/usr/bin/env -S PYTHONUTF8=1 python3 -u", "python"],
  ["#!/usr/bin/env -S uv run --script", "python"],
  ["#!/usr/bin/env node", "javascript"],
  ["#!/usr/bin/env -S node --no-warnings", "javascript"],
  ["#!/usr/bin/env -Snode", "javascript"],
  ["#!/usr/bin/env --split-string=node --test", "javascript"],
  ["#!/usr/bin/env -i node", "javascript"],
  ["#!/usr/bin/env bun", "typescript"],
  ["#!/usr/bin/env ruby\r", "ruby"],
  ["#!/usr/bin/env Rscript", "r"],
  ["#!/usr/bin/make -f", "makefile"],
  ["#!/bin/frobble", "text"],
  ["#!/usr/bin/env", "text"],
  ["#!", "text"],
  [" #!/bin/sh", "text"],
  ["# /bin/sh", "text"],
  ["#!/usr/bin/constructor", "text"],
];

test("the first line says the language, with paths, options, variables and versions", () => {
  const found = FIRST_LINES.map(([line]) => [line, languageIn("bin/tool", `${line}\nbody\n`)] as const);
  expect(found).toEqual([...FIRST_LINES]);
  for (const [line, language] of FIRST_LINES)
    expect(scriptLanguageOf("bin/tool", Buffer.from(`${line}\nbody\n`)) ?? "text").toBe(language);
});

test("a name that says its language decides, whatever the first line says", () => {
  const head = "#!/usr/bin/env node\n";
  for (const [path, language] of [
    ["a.py", "python"],
    ["notes.txt", "text"],
    ["LICENSE", "text"],
    ["Rakefile", "ruby"],
    ["Dockerfile.dev", "dockerfile"],
  ] as const)
    expect([path, languageIn(path, head), scriptLanguageOf(path, Buffer.from(head))]).toEqual([path, language, null]);
  expect(languageIn("tool.cgi", head)).toBe("javascript");
});

test("only a file whose name says nothing can be of several languages", () => {
  expect([canBeOf("bin/tool", "python"), canBeOf("bin/tool", "text"), canBeOf("bin/tool", "markdown")]).toEqual([
    true,
    true,
    false,
  ]);
  expect([canBeOf("a.py", "python"), canBeOf("a.py", "ruby"), canBeOf("a.txt", "bash")]).toEqual([true, false, false]);
});

test("every language of the table exists, and no program runs two", () => {
  expect(Object.keys(INTERPRETERS).filter((name) => !LANGUAGE_NAMES.includes(name))).toEqual([]);
  expect(Object.keys(INTERPRETERS).map(languageNamed)).toEqual(Object.keys(INTERPRETERS));
  const programs = Object.values(INTERPRETERS).flatMap((words) => words.split(" "));
  expect(new Set(programs).size).toBe(programs.length);
});
