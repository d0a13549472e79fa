/** Help as a golden file, and its laws. `UPDATE_GOLDEN=1 bun test tests/cli/syntax/help` updates the file. */

import { expect, test } from "bun:test";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { optionsOf } from "../../../src/cli/syntax/command.ts";
import { commandHelp, flagsOf, programHelp } from "../../../src/cli/syntax/help.ts";
import { ran } from "../stub-app.ts";

const GOLDEN = `${import.meta.dir}/../../golden/help.txt`;
const pagesOfAll = [
  programHelp(COMMAND_TABLE),
  ...COMMAND_TABLE.commands.map((command) => commandHelp(command, COMMAND_TABLE)),
];
const all = pagesOfAll.join(`${"-".repeat(100)}\n`);

test("help equals the golden file", async () => {
  if (Bun.env.UPDATE_GOLDEN === "1") await Bun.write(GOLDEN, all);
  expect(all).toBe(await Bun.file(GOLDEN).text());
});

test("no line is wider than 100 columns, none ends in a space", () => {
  for (const line of all.split("\n")) {
    expect(line.length).toBeLessThanOrEqual(100);
    expect(line).toBe(line.trimEnd());
  }
});

test("examples come first, and every option is there", () => {
  for (const command of COMMAND_TABLE.commands) {
    const help = commandHelp(command, COMMAND_TABLE);
    expect(help.indexOf("Examples:")).toBeLessThan(help.indexOf("Usage:"));
    for (const option of optionsOf(command, COMMAND_TABLE)) expect(help).toContain(`  ${flagsOf(option)}`);
  }
});

test("help names every word that an argument or option takes", () => {
  for (const command of COMMAND_TABLE.commands) {
    const help = commandHelp(command, COMMAND_TABLE);
    for (const { choices = [] } of [...command.arguments, ...optionsOf(command, COMMAND_TABLE)])
      expect([command.name, choices.filter((word) => !new RegExp(`\\b${word}\\b`).test(help))]).toEqual([
        command.name,
        [],
      ]);
  }
});

test.each([80, 60, 59, 40])("help for a terminal of %d columns fits, but for lines to copy", (width) => {
  const pages = [
    programHelp(COMMAND_TABLE, width),
    ...COMMAND_TABLE.commands.map((command) => commandHelp(command, COMMAND_TABLE, width)),
  ];
  const copied = new Set(COMMAND_TABLE.commands.flatMap(({ examples }) => examples.map(({ line }) => `  ${line}`)));
  for (const [at, page] of pages.entries()) {
    for (const line of page.split("\n")) {
      expect(line).toBe(line.trimEnd());
      // A single word, such as the names of a list, may be longer, and usage is one line.
      if (!copied.has(line) && !line.startsWith("Usage:") && line.trim().includes(" "))
        expect([line, line.length <= width]).toEqual([line, true]);
    }
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== "#");
    expect(words(page)).toEqual(words(pagesOfAll[at] ?? ""));
  }
});

test("help has the width of the terminal, at most 100 columns, and 100 without a terminal", async () => {
  const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));
  for (const words of [["--help"], ["help", "retrieve"], ["retrieve", "--help"]]) {
    const plain = (await ran(words)).out;
    expect(widest(plain)).toBe(100);
    const narrow = (await ran(words, {}, { isTerminal: true })).out;
    expect([narrow === plain, widest(narrow) > 80]).toEqual([false, false]);
  }
  expect(widest((await ran([], {}, { isTerminal: true })).err)).toBeLessThanOrEqual(80);
});
