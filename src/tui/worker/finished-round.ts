/** A finished round as the interface shows it. */
import type { App } from "../../app/app.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import { constraintsInWords } from "../../retrieval/model/refinement.ts";
import { shellCommand } from "../../retrieval/refinement/reproduction.ts";
import { fencedDiff } from "../../retrieval/render/review.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import type { Round } from "../state/review-state.ts";
import { shippedFiles } from "../state/shipped.ts";

export const roundOf = async (result: RetrieveResult, app: App, locationFlags: readonly string[]): Promise<Round> => ({
  taskId: result.package.task_id,
  number: result.round,
  latest: result.round,
  package: result.package,
  scores: result.scores,
  shown: result.shown,
  ships: shippedFiles(result.package, app.indexedFiles(result.package.files.map(({ path }) => path))),
  diffTokens: await diffTokens(result.package, app),
  constraints: result.constraints,
  notApplied: result.notApplied === null ? null : constraintsInWords(result.notApplied),
  command: shellCommand(locationFlags, result.reproduction),
  levels: result.dryRun.levels(),
});

/** The tokens of the diff of a review; null in other tasks. */
async function diffTokens(pkg: ContextPackage, { config }: App): Promise<number | null> {
  if (pkg.review === undefined) return null;
  const { tokenizer, safety_margin } = config.settings;
  const counter = await openTokenCounter(tokenizer, { margin: safety_margin ?? 0, remember: false });
  return counter.count(fencedDiff(pkg));
}
