/** What clients are told of a tool, and answers that no client would take. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { LIMITS } from "../../../src/mcp/limits.ts";
import { openLongAnswers } from "../../../src/mcp/long-answers.ts";
import { listedTool, toolResult } from "../../../src/mcp/tools/protocol.ts";
import { tool } from "../../../src/mcp/tools/tool.ts";
import { TOOLS } from "../../../src/mcp/tools/tools.ts";

const ROW = tool({
  name: "try",
  title: "Try",
  description: "x",
  writes: true,
  isIdempotent: false,
  less: "ask for less",
  input: z.strictObject({}),
  output: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
  answer: async () => ({ text: "", structured: {} }),
});

test("clients get object schemas and the maximum size of an answer", () => {
  const whole = listedTool(ROW, LIMITS, true);
  expect([whole.inputSchema.type, whole.outputSchema?.type]).toEqual(["object", "object"]);
  expect(whole._meta).toEqual({ "anthropic/maxResultSizeChars": 84_000 });
  expect(listedTool(ROW, { budgetDefault: 1, budgetMax: 1_000_000 }, true)._meta).toEqual({
    "anthropic/maxResultSizeChars": 500_000,
  });
  expect(listedTool(ROW, LIMITS, false)).not.toHaveProperty("outputSchema");
  for (const row of TOOLS) expect(JSON.stringify(row.input)).not.toContain('"additionalProperties":true');
});

const how = (isStructured: boolean) => ({ isStructured, longAnswers: openLongAnswers() });

test("an answer is said once: as text, or as structured content", () => {
  const small = { text: "zebra", structured: { a: "y" } };
  expect(toolResult(small, ROW, LIMITS, how(false))).toEqual({ content: [{ type: "text", text: "zebra" }] });
  const structured = toolResult(small, ROW, LIMITS, how(true));
  expect(structured.structuredContent).toEqual({ a: "y" });
  expect(JSON.stringify(structured.content)).not.toContain("zebra");
});

test("structured content that is too large is refused with a suggestion", () => {
  const large = { text: "x", structured: { a: "x".repeat(90_000) } };
  expect(() => toolResult(large, ROW, LIMITS, how(true))).toThrow(/than the 84000 that clients accept; ask for less$/);
  expect(toolResult(large, ROW, LIMITS, how(false))).toEqual({ content: [{ type: "text", text: "x" }] });
});

test("a text that is too long links to its rest, and both together are the text", () => {
  const kept = how(false);
  const text = "a line of it\n".repeat(10_000);
  const { content } = toolResult({ text, structured: {} }, ROW, LIMITS, kept);
  const [shown, link] = content;
  if (shown?.type !== "text" || link?.type !== "resource_link") throw new Error(JSON.stringify(content).slice(0, 200));
  expect(shown.text.length).toBeLessThanOrEqual(84_000);
  const [beginning = ""] = shown.text.split("\nThe answer goes on");
  expect(`${beginning}${kept.longAnswers.read(link.uri)}`).toBe(text);
  expect(kept.longAnswers.uris()).toEqual([link.uri]);
});
