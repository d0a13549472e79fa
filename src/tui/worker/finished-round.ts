/** A finished round as the interface shows it. */
import type { App } from "../../app/app.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import { SAFETY_MARGIN_DEFAULT } from "../../retrieval/model/budget.ts";
import { shellCommand } from "../../retrieval/refinement/reproduction.ts";
import { fencedDiff } from "../../retrieval/render/review.ts";
import { constraintsInWords } from "../../retrieval/requests/refinement.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import type { Round } from "../state/review-state.ts";
import { shippedFiles } from "../state/shipped.ts";

export async function roundOf(result: RetrieveResult, app: App, locationFlags: readonly string[]): Promise<Round> {
  const { package: made } = result;
  const { tokenizer, safety_margin } = app.config.settings;
  const margin = safety_margin ?? SAFETY_MARGIN_DEFAULT;
  const { count } = await openTokenCounter(tokenizer, { margin, remember: false });
  return {
    taskId: made.task_id,
    number: result.round,
    latest: result.round,
    package: made,
    scores: result.scores,
    ships: shippedFiles(made, app.indexedFiles(made.files.map(({ path }) => path)), count),
    diffTokens: made.review === undefined ? null : count(fencedDiff(made)),
    constraints: result.constraints,
    notApplied: result.notApplied === null ? null : constraintsInWords(result.notApplied),
    command: shellCommand(locationFlags, result.reproduction),
    isRecorded: result.unrecorded === null,
    levels: result.dryRun.levels(),
  };
}
