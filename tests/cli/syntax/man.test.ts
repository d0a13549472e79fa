/** The manual page has every command and option, and the text of rows is escaped. */

import { expect, test } from "bun:test";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { optionsOf } from "../../../src/cli/syntax/command.ts";
import { manPage } from "../../../src/cli/syntax/man.ts";
import { CONFIG_KEYS } from "../../../src/config/keys.ts";

const PAGE = manPage("1.2.3", COMMAND_TABLE);

/** The page as a reader sees it, without fonts and escapes. */
const seen = PAGE.replace(/\\f[BIR]/g, "")
  .replaceAll("\\-", "-")
  .replaceAll("\\(aq", "'")
  .replaceAll("\\(dq", '"');

test("every command, option and setting is in the page", () => {
  for (const command of COMMAND_TABLE.commands) {
    expect(seen).toContain(`.SS "cra ${command.name}`);
    for (const { flag } of optionsOf(command, COMMAND_TABLE)) expect(seen).toContain(flag);
    for (const { line } of command.examples.filter(({ line: words }) => !/[\\^~`]/.test(words)))
      expect(seen).toContain(line);
  }
  for (const { summary } of COMMAND_TABLE.globalOptions) expect(seen).toContain(summary);
  for (const key of CONFIG_KEYS) expect(seen).toContain(`\n${key}\n`);
  expect(seen).toContain('.TH CRA 1 "" "cra 1.2.3" "User Commands"');
});

test("only known roff requests begin a line, and all bytes are ASCII", () => {
  for (const line of PAGE.split("\n")) {
    expect(line).toMatch(/^(?:[^.']|$|\.(?:TH|SH|SS|TP|PP|RS|RE|br|nh)(?: |$))/);
    expect(line).toMatch(/^[\x20-\x7e]*$/);
  }
});

test("groff reports no warning, if it is installed", async () => {
  const groff = Bun.which("groff");
  if (groff === null) return;
  const run = Bun.spawn([groff, "-man", "-Tutf8", "-ww"], {
    stdin: Buffer.from(PAGE),
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(run.stderr).text()).toBe("");
});
