/** Help as a golden file, and its laws. `UPDATE_GOLDEN=1 bun test tests/cli/syntax/help` updates the file. */

import { expect, test } from "bun:test";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { optionsOf } from "../../../src/cli/syntax/command.ts";
import { commandHelp, flagsOf, programHelp } from "../../../src/cli/syntax/help.ts";

const GOLDEN = `${import.meta.dir}/../../golden/help.txt`;
const all = [
  programHelp(COMMAND_TABLE),
  ...COMMAND_TABLE.commands.map((command) => commandHelp(command, COMMAND_TABLE)),
].join(`${"-".repeat(100)}\n`);

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
