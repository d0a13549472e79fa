/** The tool `premortem`: what went wrong before in work of one kind. */
import { z } from "zod";
import { DOMAINS, STRATEGIES } from "../../memory/vocabulary.ts";
import { ContextJson } from "../../recall/context/context-json.ts";
import { ITEMS_DEFAULT, limit, max_tokens, noticing, tokensOf } from "./context-answer.ts";
import { tool } from "./tool.ts";

const PREMORTEM_TOKENS = 1_500;

export const PREMORTEM = tool({
  name: "premortem",
  title: "What went wrong before",
  description:
    "Lists what went wrong before in one kind of work: common failures, how strategies performed, surprises, root causes and lessons. Use it before you begin a change, or after an attempt has failed, to avoid known mistakes.",
  mention: "premortem for what went wrong before in such work",
  writes: false,
  isIdempotent: true,
  less: "ask for less with limit or max_tokens",
  input: z.strictObject({
    domain: z.enum(DOMAINS).describe("the kind of work"),
    strategy: z.enum(STRATEGIES).optional().describe("how it is done; all ways by default"),
    limit: limit("section"),
    max_tokens: max_tokens(PREMORTEM_TOKENS),
  }),
  output: ContextJson,
  async answer({ domain, strategy, limit: items = ITEMS_DEFAULT, max_tokens: tokens }, call) {
    const maxTokens = tokensOf(tokens, PREMORTEM_TOKENS, call.limits);
    const asked = { domain, strategy: strategy ?? null, limit: items, maxTokens };
    return await noticing(call, () => call.app.premortem(asked, call.signal));
  },
});
