/** Tools as rows: what clients are told of each, and answers that no client would take. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { LIMITS } from "../../../src/mcp/limits.ts";
import { openLongAnswers } from "../../../src/mcp/long-answers.ts";
import { checked, listed, resultOf, tool } from "../../../src/mcp/tools/tool.ts";
import { listedTools, TOOLS } from "../../../src/mcp/tools/tools.ts";

const ROW = tool({
  name: "try",
  title: "Try",
  description: "x",
  writes: true,
  isIdempotent: false,
  less: "ask for less",
  input: z.strictObject({ count: z.int().optional(), names: z.array(z.string()).optional() }),
  output: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
  answer: async ({ count = 0 }) => ({ text: `${count}`, structured: { count } }),
});

test("arguments are checked before the work, and can be omitted", () => {
  expect(typeof ROW.prepared(undefined)).toBe("function");
  // A model that called an argument otherwise needs both sentences.
  expect(() => checked(z.strictObject({ what: z.string() }), { path: "a" }, "read")).toThrow(
    /^what: it is missing; the arguments: Unrecognized key: "path"; read takes what$/,
  );
  expect(() => ROW.prepared({ names: ["a", 2] })).toThrow(/^names\.1: .*; see the input schema of try$/);
  expect(() => ROW.prepared({ more: 1 })).toThrow(/^the arguments: .*more/);
  expect(() => ROW.prepared([])).toThrow(/^the arguments: /);
});

test("arguments mean what models mean by them: null and nothing are none, and a text may be a value, a choice or the only entry of a list", () => {
  const type = z.strictObject({
    what: z.string().optional(),
    count: z.int().min(1).optional(),
    share: z.union([z.literal("auto"), z.number()]).optional(),
    check: z.boolean().optional(),
    names: z.array(z.string().min(1)).optional(),
    for: z.enum(["plan", "fix"]).optional(),
    since: z.string().min(1).optional(),
  });
  const read = (args: unknown): unknown => checked(type, args, "try");
  expect(read({ what: null, count: null, names: null })).toEqual({});
  expect(read({ what: "", since: "", count: "", for: "", names: "" })).toEqual({});
  expect(read({ names: ["", "a.py", null] })).toEqual({ names: ["a.py"] });
  expect(read({ for: "Fix" })).toEqual({ for: "fix" });
  expect(read({ what: "7", count: "7", share: "0.5", check: "true" })).toEqual({
    ...{ what: "7", count: 7, share: 0.5, check: true },
  });
  expect(read({ share: "auto" })).toEqual({ share: "auto" });
  expect(read({ names: "a.py" })).toEqual({ names: ["a.py"] });
  expect(read({ names: "2024" })).toEqual({ names: ["2024"] });
  expect(read({ names: '["a.py", "b.py"]' })).toEqual({ names: ["a.py", "b.py"] });
  for (const [args, says] of [
    [{ count: "many" }, /^count: Invalid input: expected number, received string; see/],
    [{ count: "0" }, /^count: Too small/],
    [
      { count: "7", more: 1 },
      /^the arguments: Unrecognized key: "more"; try takes what, count, share, check, names, for, since$/,
    ],
    [{ names: '["a", 2]' }, /^names\.1: /],
    [{ for: "bugfix" }, /^for: Invalid option: expected one of "plan"\|"fix"; see/],
    [{ what: 3 }, /^what: /],
  ] as const)
    expect(() => read(args)).toThrow(says);
  const deep = "[".repeat(100_000);
  expect(read({ names: deep })).toEqual({ names: [deep] });
  expect(() => checked(z.strictObject({ what: z.string() }), { what: null }, "read")).toThrow(
    /^what: it is missing; see/,
  );
});

test("clients get object schemas and the maximum size of an answer", () => {
  const whole = listed(ROW, LIMITS, true);
  expect([whole.inputSchema.type, whole.outputSchema?.type]).toEqual(["object", "object"]);
  expect(whole._meta).toEqual({ "anthropic/maxResultSizeChars": 84_000 });
  expect(listed(ROW, { budgetDefault: 1, budgetMax: 1_000_000 }, true)._meta).toEqual({
    "anthropic/maxResultSizeChars": 500_000,
  });
  expect(listed(ROW, LIMITS, false)).not.toHaveProperty("outputSchema");
  for (const row of TOOLS) expect(JSON.stringify(row.input)).not.toContain('"additionalProperties":true');
});

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
  const tools = listedTools([]).map((row) => listed(row, LIMITS, false));
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

const how = (isStructured: boolean) => ({ isStructured, longAnswers: openLongAnswers() });

test("an answer is said once: as text, or as structured content", () => {
  const small = { text: "zebra", structured: { a: "y" } };
  expect(resultOf(small, ROW, LIMITS, how(false))).toEqual({ content: [{ type: "text", text: "zebra" }] });
  const structured = resultOf(small, ROW, LIMITS, how(true));
  expect(structured.structuredContent).toEqual({ a: "y" });
  expect(JSON.stringify(structured.content)).not.toContain("zebra");
});

test("structured content that is too large is refused with a suggestion", () => {
  const large = { text: "x", structured: { a: "x".repeat(90_000) } };
  expect(() => resultOf(large, ROW, LIMITS, how(true))).toThrow(/than the 84000 that clients accept; ask for less$/);
  expect(resultOf(large, ROW, LIMITS, how(false))).toEqual({ content: [{ type: "text", text: "x" }] });
});

test("a text that is too long links to its rest, and both together are the text", () => {
  const kept = how(false);
  const text = "a line of it\n".repeat(10_000);
  const { content } = resultOf({ text, structured: {} }, ROW, LIMITS, kept);
  const [shown, link] = content;
  if (shown?.type !== "text" || link?.type !== "resource_link") throw new Error(JSON.stringify(content).slice(0, 200));
  expect(shown.text.length).toBeLessThanOrEqual(84_000);
  const [beginning = ""] = shown.text.split("\nThe answer goes on");
  expect(`${beginning}${kept.longAnswers.read(link.uri)}`).toBe(text);
  expect(kept.longAnswers.uris()).toEqual([link.uri]);
});

test("only the newest rests are kept", () => {
  const kept = openLongAnswers();
  const uris = Array.from({ length: 20 }, () => kept.shown("\ud83d\ude42".repeat(1_000), 501).rest?.uri ?? "");
  expect(kept.uris()).toEqual(uris.slice(4));
  expect(kept.read(uris.at(-1) ?? "").isWellFormed()).toBe(true);
  expect(() => kept.read(uris[0] ?? "")).toThrow("there is no such resource");
});
