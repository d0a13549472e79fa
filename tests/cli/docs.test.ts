/** Generated text in the README: every command and key, and fresh. */
import { expect, test } from "bun:test";
import { SECTIONS, withSections } from "../../scripts/docs.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { CONFIG_KEYS } from "../../src/config-keys.ts";

test("sections are filled between their marks, again and again alike, and nothing else changes", () => {
  const page = "# a\n<!-- commands:begin (generated) -->\nold\n<!-- commands:end -->\nb $& $1\n";
  const once = withSections(page);
  expect(once).toContain("| `cra retrieve <task> [options]` | find the code");
  expect(once).not.toContain("old");
  expect(once).toEndWith("<!-- commands:end -->\nb $& $1\n");
  expect(withSections(once)).toBe(once);
  expect(withSections("# no marks\n")).toBe("# no marks\n");
});

test("every command and key is in its table", () => {
  for (const { name } of COMMANDS) expect(SECTIONS.commands?.()).toContain(`\`cra ${name}`);
  for (const key of CONFIG_KEYS) expect(SECTIONS.configuration?.()).toContain(`\`${key}\``);
});
