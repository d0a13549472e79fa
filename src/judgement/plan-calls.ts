/** Lays a question out as calls that fit the model's window, and the time as far as the speed of the server is known. */
import type { TokenCounter } from "../text/tokens/tokens.ts";
import { REPAIR_TOKENS_MAX } from "./ask.ts";
import { type Appearance, planBatches } from "./batches.ts";
import { windowTokensFor, windowTokensOfCall } from "./context-window.ts";
import { FENCE_TOKENS_MAX, type Fence, openFence } from "./fence.ts";
import type { Question } from "./judge.ts";
import { formOf, listsSchema, listsTokens } from "./lists.ts";
import { type AskedQuestion, listingPrompt, type Prompt } from "./prompt.ts";
import { expectedMs, type Throughput } from "./throughput.ts";

/** What all calls of a question share. `task` comes from `asItem`, cut to what fits. */
type Asked = {
  readonly question: Pick<Question<string>, "instruction" | "lists" | "perCall" | "proposals" | "candidates">;
  readonly task: string;
  readonly windowTokens: number;
  readonly fence: Fence;
};

type Planned = {
  /** Not everything fits the time. */
  readonly isShort: boolean;
  readonly calls: readonly (Prompt & {
    readonly batch: readonly Appearance[];
    readonly schema: ReturnType<typeof listsSchema>;
    readonly replyTokensMax: number;
    readonly promptTokens: number;
  })[];
};

/** When time is short, this share of the candidates is tried next, down to so few. */
const FEWER = 0.75;
const SHORTEST = 8;

/** The calls about the best of these that can be answered in time; null if the window is too small for one. */
export function planCalls(
  unknown: readonly Appearance[],
  asked: Asked,
  { measured, ms, counter }: { readonly measured: Throughput; readonly ms: number; readonly counter: TokenCounter },
): Planned | null {
  for (let count = unknown.length; ; count = Math.floor(count * FEWER)) {
    const calls = layOut(unknown.slice(0, count), asked, counter);
    if (calls === null) return null;
    const needed = calls.reduce((sum, { promptTokens }) => sum + (expectedMs(measured, promptTokens) ?? 0), 0);
    if (needed <= ms || count <= SHORTEST) return { isShort: count < unknown.length, calls };
  }
}

function layOut(
  appearances: readonly Appearance[],
  { question, task, windowTokens, fence }: Asked,
  counter: TokenCounter,
): Planned["calls"] | null {
  const { instruction, lists, perCall, proposals } = question;
  const takesWords = proposals !== undefined;
  const listed = question.candidates.length === 0 ? [] : lists;
  const asked: AskedQuestion = { instruction, task, form: formOf(listed, takesWords) };
  const replyTokensOf = (count: number): number => listsTokens(count, listed.length, takesWords);
  const bare = { ...listingPrompt(asked, [{ text: "" }], LAYOUT_FENCE), replyTokensMax: 0 };
  const around = windowTokensOfCall(bare, counter) + windowTokensFor(FENCES * FENCE_TOKENS_MAX + REPAIR_TOKENS_MAX);
  const limits = { perCall, windowTokens: windowTokens - around, replyTokensOf };
  const batches = planBatches(appearances, limits, counter);
  if (batches === null) return null;
  return (takesWords && batches.length === 0 ? [[]] : batches).map((batch) => {
    const prompt = listingPrompt(asked, batch, fence);
    return {
      ...prompt,
      batch,
      schema: listsSchema(listed, batch.length, takesWords),
      replyTokensMax: replyTokensOf(batch.length),
      promptTokens: counter.count(prompt.system) + counter.count(prompt.prompt),
    };
  });
}

/** Token counts use this fence, so that the layout does not depend on the token of the task. */
const LAYOUT_FENCE = openFence("stand-in");

/** How often a prompt contains the fence token. */
const FENCES = 5;
