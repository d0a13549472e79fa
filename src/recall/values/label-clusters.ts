/**
 * Asks a model for one sentence about what the experiences of a value have in common.
 *
 * Experiences are fenced and named as data; the answer is one bounded line. A value without a usable answer keeps its text.
 * When the server or the model is gone, the remaining values are not asked about.
 */

import { z } from "zod";
import { resultOf } from "../../concurrency/result-of.ts";
import { type AskDeps, ask, REPAIR_TOKENS_MAX } from "../../judgement/ask.ts";
import { windowTokensFor, windowTokensOfCall } from "../../judgement/context-window.ts";
import { type Prompt, systemPrompt } from "../../judgement/prompt.ts";
import { shorten } from "../../judgement/shorten.ts";
import type { Model, ModelFailure } from "../../llm/model.ts";
import type { Experience, Value } from "../../memory/experience.ts";
import { axisText } from "../../memory/experience-text.ts";
import type { Axis } from "../../memory/vocabulary.ts";
import { inOrder } from "../../text/order.ts";

/** Only the largest clusters are labeled; each takes one call. */
const VALUES_MAX = 40;
/** The experiences nearest to the centre that are shown to the model. */
const EXPERIENCES_MAX = 12;
const EXPERIENCE_CHARS_MAX = 800;
const VALUE_CHARS_MAX = 400;
const ANSWER_TOKENS_MAX = 256;

const STAGE = "values";
const ROLE =
  "You state what several experiences of a software developer have in common. You only state what is shown: you cannot open, run or change anything.";
const ABOUT: Readonly<Record<Axis, string>> = {
  full: "how such work went and what to learn from it",
  strategy: "how going about it in this way went, and when to do so",
  surprise: "what was unexpected, and what to expect instead",
  root_cause: "why things failed, and what to look at first",
};

const Answer = z.object({ value: z.string().trim().min(1).max(4_000) });

type LabelingDeps = AskDeps & {
  readonly model: Model;
  readonly experiencesById: (ids: readonly string[]) => readonly Experience[];
  readonly onProgress: (done: number, total: number) => void;
};

/** `unworded`: how many values kept their text although the model was asked; `failure` is the last reason. */
type LabeledValues = {
  readonly values: readonly Value[];
  readonly worded: number;
  readonly unworded: number;
  readonly failure: ModelFailure | null;
};

/** The same values, with the model's text where it gave one. Throws the signal's reason. */
export async function labelValues(
  values: readonly Value[],
  deps: LabelingDeps,
  signal: AbortSignal,
): Promise<LabeledValues> {
  const largest = [...values]
    .sort((a, b) => b.cluster_size - a.cluster_size || inOrder(a.id, b.id))
    .slice(0, VALUES_MAX);
  const texts = new Map<string, string>();
  let failure: ModelFailure | null = null;
  for (const [done, value] of largest.entries()) {
    deps.onProgress(done, largest.length);
    const answer = await askAbout(value, deps, signal);
    if (answer.ok) {
      texts.set(value.id, shorten(answer.value.value, VALUE_CHARS_MAX));
      continue;
    }
    failure = answer.failure;
    // These failures concern one answer only; all others concern every call.
    if (!["invalid", "no-text", "no-room", "overlong"].includes(failure.kind)) break;
  }
  return {
    values: values.map((value) => ({ ...value, text: texts.get(value.id) ?? value.text })),
    worded: texts.size,
    unworded: largest.length - texts.size,
    failure,
  };
}

async function askAbout(value: Value, deps: LabelingDeps, signal: AbortSignal) {
  const { model } = deps;
  const question = promptFor(value, deps);
  if (question === null) return { ok: false, failure: { kind: "no-room", windowTokens: model.windowTokens } } as const;
  const query = { model, stage: STAGE, schema: Answer, ...question, replyTokensMax: ANSWER_TOKENS_MAX };
  return resultOf(ask(query, deps, signal));
}

/** The question with as many experiences as fit; null when not even three do. */
function promptFor({ axis, experience_ids }: Value, deps: LabelingDeps): Prompt | null {
  const { model, counter, fence } = deps;
  const ids = experience_ids.slice(0, EXPERIENCES_MAX);
  const byId = new Map(deps.experiencesById(ids).map((experience) => [experience.id, experience]));
  const shown = ids.flatMap((id) => {
    const experience = byId.get(id);
    return experience === undefined ? [] : [shorten(experienceText(experience, axis), EXPERIENCE_CHARS_MAX)];
  });
  const system = systemPrompt(ROLE, fence);
  for (let count = shown.length; count >= Math.min(3, shown.length) && count > 0; count -= 1) {
    const listed = shown.slice(0, count).map((text, at) => `[e${at + 1}] ${text}`);
    const prompt = [
      `Say in one sentence of at most 40 words what these experiences have in common: ${ABOUT[axis]}. Write it as advice to the next who does such work, in English, without naming the experiences.`,
      `The experiences, one a line, each after its id in brackets:\n${fence.wrap("experiences", listed.join("\n"))}`,
    ].join("\n\n");
    const room = windowTokensOfCall({ system, prompt, replyTokensMax: ANSWER_TOKENS_MAX }, counter);
    if (room + windowTokensFor(REPAIR_TOKENS_MAX) <= model.windowTokens) return { system, prompt };
  }
  return null;
}

function experienceText(experience: Experience, axis: Axis): string {
  const text = axisText(experience, axis) ?? experience.goal;
  const { lesson } = experience;
  return lesson === null || axis === "full" ? text : `${text}\nlesson: ${lesson.what_worked} ${lesson.takeaway ?? ""}`;
}
