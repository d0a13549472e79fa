/** The table of tools: what agents are told of each. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../../src/mcp/limits.ts";
import { listedTool } from "../../../src/mcp/tools/protocol.ts";
import { listedTools, TOOLS } from "../../../src/mcp/tools/tools.ts";

test("schemas mean the same in draft 7, which many clients check with, as in 2020-12", () => {
  // Draft 7 ignores prefixItems, so that the "items": false beside it allows nothing.
  const later = /"(?:prefixItems|unevaluated\w+|dependent\w+)"/;
  for (const { name, input, output } of TOOLS)
    expect([name, later.exec(JSON.stringify([input, output]))?.[0]]).toEqual([name, undefined]);
});

test("the page for agents has every tool, in the order of the table", () => {
  const page = readFileSync(join(import.meta.dir, "../../../docs/agents.md"), "utf8");
  const [, section = ""] = page.split(/^## Tools$/m);
  const rows = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(TOOLS.map(({ name }) => name));
});

test("the list that agents get by default takes less than 8 KB, and each tool says when it is the wrong one", () => {
  const tools = listedTools([]).map((row) => listedTool(row, LIMITS, false));
  expect(tools.map(({ name }) => name)).toEqual(["retrieve", "refine", "read", "search", "explain"]);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(8_000);
  for (const { description = "" } of tools) {
    expect(description).toContain('Example: {"');
    expect(description).toMatch(/\b[Nn]ot\b|\bno code\b|use retrieve/);
  }
  expect(listedTools(["recall"]).map(({ name }) => name)).toContain("recall");
  expect(listedTools(["all"])).toEqual(TOOLS);
  expect(() => listedTools(["none"])).toThrow('--tools: there is no tool "none"; name all, or of recall, premortem');
});
