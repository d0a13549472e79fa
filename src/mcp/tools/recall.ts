/** The tool `recall`: what is known about a subject. Writes nothing but missing vectors. */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { ContextJson } from "../../recall/context/context-json.ts";
import { CONTEXT_TYPES } from "../../recall/context/context-types.ts";
import { ITEMS_DEFAULT, limit, max_tokens, noticing, tokensOf } from "./context-answer.ts";
import { tool } from "./tool.ts";

const RECALL_TOKENS = 2_000;

export const RECALL = tool({
  name: "recall",
  title: "Recall what is known",
  description:
    "Recalls what is known about a subject in this repository: memories, earlier experiences and the values derived from them, code, and commits. Use it before a decision that may have been made before, such as a convention, a past failure, or the reason for a design.",
  mention: "recall for what was learned about a subject",
  writes: false,
  isIdempotent: true,
  less: "ask for less with limit or max_tokens",
  input: z.strictObject({
    query: z.string().min(1).max(10_000).describe("what it is about, in words"),
    types: z.array(z.enum(CONTEXT_TYPES)).min(1).max(CONTEXT_TYPES.length).optional().describe("all by default"),
    limit: limit("type"),
    max_tokens: max_tokens(RECALL_TOKENS),
  }),
  output: ContextJson,
  async answer({ query, types, limit: items = ITEMS_DEFAULT, max_tokens: tokens }, call) {
    if (query.trim() === "")
      throw new Failed({ code: "usage", message: "query: it is empty", next: "say what it is about" });
    const wanted = CONTEXT_TYPES.filter((type) => types === undefined || types.includes(type));
    const maxTokens = tokensOf(tokens, RECALL_TOKENS, call.limits);
    const asked = { query: query.trim(), types: wanted, limit: items, maxTokens };
    return await noticing(call, () => call.app.recall(asked, call.signal));
  },
});
