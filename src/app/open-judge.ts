/**
 * Hands retrieval a judge: whether one is wanted, and the model behind it.
 *
 * What is wrong with the wish is found before anything is done for it; the client loads when a run begins. Not here:
 * the model itself (`open-model.ts`), what is asked (`judgement/`, `retrieval/judging/judging.ts`).
 */

import { DEFAULT_SETTINGS, type Settings } from "../config/keys.ts";
import { Failed } from "../failure.ts";
import type { Judging, OpenJudge } from "../retrieval/model/judging.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { TokenCounter } from "../text/tokens/tokens.ts";
import type { Environment } from "./app-types.ts";
import { openModel, readServer, sendingNotice } from "./open-model.ts";
import { guardedModel } from "./redaction.ts";

/** What the settings want of a model; null for none. Throws a usage failure when that cannot be. */
export function planJudging(settings: Settings, strict: boolean): Judging | null {
  const { model, llm_assist } = settings;
  if (model === null) {
    if (!llm_assist) return null;
    throw new Failed({
      code: "usage",
      message: "--llm-assist needs --model",
      next: "name a model: --model qwen3:8b",
    });
  }
  readServer(settings);
  const windowTokens = settings["llm.context_window"];
  const isUsual = windowTokens === DEFAULT_SETTINGS["llm.context_window"];
  return { model, assistOnly: llm_assist, strict, ...(isUsual ? {} : { windowTokens }) };
}

/** Opens what opens the judge of a run. Sends nothing yet. */
export async function judgeOpener(
  { model: name }: Judging,
  settings: Settings,
  variables: Environment["variables"],
  counter: TokenCounter,
  redactor: Redactor,
): Promise<OpenJudge> {
  const model = guardedModel(await openModel(name, settings, variables), redactor);
  const sending = sendingNotice(settings);
  const { openJudge } = await import("../judgement/open-judge.ts");
  const { modelFailureWords } = await import("../llm/model-failure.ts");
  return ({ memory, onCall }) => ({
    judge: openJudge({
      model,
      counter,
      fenceToken: crypto.randomUUID(),
      memory,
      onCall,
      nowMs: () => performance.now(),
      nowIso: () => new Date().toISOString(),
    }),
    sayFailure: (failure) => modelFailureWords(failure, model),
    ...(sending === null ? {} : { sending }),
  });
}
