/** Tools as rows: their arguments are checked before their work begins. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { tool } from "../../../src/mcp/tools/tool.ts";

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
