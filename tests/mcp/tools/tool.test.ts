/** Tools as rows: what clients are told of each, and answers that no client would take. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { LIMITS } from "../../../src/mcp/limits.ts";
import { listed, resultOf, tool } from "../../../src/mcp/tools/tool.ts";
import { TOOLS } from "../../../src/mcp/tools/tools.ts";

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
  expect(() => ROW.prepared({ names: ["a", 2] })).toThrow(/^names\.1: .*; see the input schema of try$/);
  expect(() => ROW.prepared({ more: 1 })).toThrow(/^the arguments: .*more/);
  expect(() => ROW.prepared([])).toThrow(/^the arguments: /);
});

test("clients get object schemas and the maximum size of an answer", () => {
  const whole = listed(ROW, LIMITS, false);
  expect([whole.inputSchema.type, whole.outputSchema?.type]).toEqual(["object", "object"]);
  expect(whole._meta).toEqual({ "anthropic/maxResultSizeChars": 84_000 });
  expect(listed(ROW, { budgetDefault: 1, budgetMax: 1_000_000 }, false)._meta).toEqual({
    "anthropic/maxResultSizeChars": 500_000,
  });
  expect(listed(ROW, LIMITS, true)).not.toHaveProperty("outputSchema");
  for (const row of TOOLS) expect(JSON.stringify(row.input)).not.toContain('"additionalProperties":true');
});

test("an answer that is too large is refused with a suggestion, by the part that counts", () => {
  const large = { text: "x", structured: { a: "x".repeat(90_000) } };
  expect(() => resultOf(large, ROW, LIMITS, false)).toThrow(/than the 84000 that clients accept; ask for less$/);
  expect(resultOf(large, ROW, LIMITS, true)).toEqual({ content: [{ type: "text", text: "x" }] });
  const small = { text: "x", structured: { a: "y" } };
  expect(resultOf(small, ROW, LIMITS, false)).toEqual({
    content: [{ type: "text", text: "x" }],
    structuredContent: { a: "y" },
  });
});
