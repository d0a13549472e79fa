/** A selection as JSON for the session: with paths and names, since row ids change when the index is rebuilt. */

import { z } from "zod";
import { JudgementsJson } from "../judging/judgement-cache.ts";
import { ShownItem } from "../model/changes.ts";
import type { Selection } from "../model/selection.ts";
import { FILE_TIERS, SYMBOL_TIERS } from "../model/tiers.ts";
import { Constraints, StoredRequest } from "../requests/refinement.ts";

const line = z.int().positive();

export const SelectionJson = z.strictObject({
  seeds: z.array(z.strictObject({ path: z.string(), reason: z.string(), given: z.boolean() })),
  files: z.array(
    z.strictObject({ path: z.string(), tier: z.enum(FILE_TIERS), relation: z.string(), score: z.number(), rank: line }),
  ),
  symbols: z.array(
    z.strictObject({
      path: z.string(),
      qualified_name: z.string(),
      start_line: line,
      tier: z.enum(SYMBOL_TIERS),
      floor: z.boolean(),
      score: z.number(),
      why: z.string(),
    }),
  ),
  snippets: z.array(
    z.strictObject({ path: z.string(), ranges: z.array(z.tuple([line, line])), score: z.number(), why: z.string() }),
  ),
});
export type SelectionJson = z.infer<typeof SelectionJson>;

/** The result of a finished round, from which the next one is refined. Rounds of an older cra lack the optional keys. */
export const FinalContext = SelectionJson.extend({
  token_count: z.int().nonnegative(),
  constraints: Constraints.optional(),
  /** The round dropped what earlier rounds had asked for. */
  dropped: z.literal(true).optional(),
  shown: z.array(ShownItem).optional(),
});

/** The schema of each value in a session. `record-run.ts`, `refine-round.ts`, `judgement-cache.ts` and the session itself write them. */
export const SESSION_SHAPES = {
  stage_outputs: z.record(z.string(), SelectionJson),
  stage_progress: z.array(z.strictObject({ stage: z.string(), status: z.literal("finished") })),
  final_context: FinalContext,
  refinement_request: StoredRequest,
  judgements: JudgementsJson,
  unfinished_before: z.array(z.int().positive()),
} as const;

export function selectionJson(selection: Selection): SelectionJson {
  const paths = new Map(selection.files.map(({ file }) => [file.id, file.path]));
  const pathOf = (id: number): string => paths.get(id) ?? "";
  return {
    seeds: selection.seeds.map(({ fileId, reason, given }) => ({ path: pathOf(fileId), reason, given })),
    files: selection.files.map(({ file, tier, relation, score, rank }) => ({
      path: file.path,
      tier,
      relation,
      score: score.total,
      rank,
    })),
    symbols: selection.symbols.map(({ symbol, tier, floor, score, why }) => ({
      path: pathOf(symbol.fileId),
      qualified_name: symbol.qualifiedName,
      start_line: symbol.startLine,
      tier,
      floor,
      score,
      why,
    })),
    snippets: selection.snippets.map(({ fileId, ranges, score, why }) => ({
      path: pathOf(fileId),
      ranges: ranges.map(({ startLine, endLine }): [number, number] => [startLine, endLine]),
      score,
      why,
    })),
  };
}
