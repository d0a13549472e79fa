/**
 * Asks the model which of the files in scope the task needs, and leaves out those that it does not.
 *
 * Files that the task names or the user asked for stay, whatever it says. Files that rank too low to be asked about are
 * left out. Not here: the question and what its verdicts
 * do (`judgement/scope.ts`), which files are in scope without a model (`scope-stage.ts`).
 */

import { keysAsked } from "../../judgement/judge.ts";
import { applyScope, type ScopeClass, scopeQuestion } from "../../judgement/scope.ts";
import { judgedBy, UNASKED } from "../judging/judging.ts";
import type { Decision } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { Verdicts } from "../model/judging.ts";
import type { DefinitionScore } from "../model/scores.ts";
import type { ScopedFile } from "../model/selection.ts";
import type { StageInput, StageOutcome } from "../model/stage.ts";

/** What the model sees of a file: so many of its best definitions. */
const SHOWN_SYMBOLS = 3;

/** The outcome as it is after the model's verdicts; the same one when there are none. */
export async function* judgedScope(
  input: Pick<StageInput, "kb" | "task" | "judge" | "symbolRequests">,
  outcome: StageOutcome,
): AsyncGenerator<PipelineEvent, StageOutcome> {
  const { judge, task } = input;
  const { selection, decisions } = outcome;
  const { files } = selection;
  if (judge === null || files.length === 0) return outcome;
  const best = files.reduce((most, { score }) => Math.max(most, score.total), 0);
  const summaries = summariesOf(input, files, selection.definitions);
  const question = scopeQuestion(
    task.raw,
    files.map(({ file, tier, relation, score }) => ({
      path: file.path,
      language: file.language,
      tier,
      relation,
      score: best > 0 ? score.total / best : 0,
      summary: summaries(file.id),
    })),
  );
  const verdicts = yield* judge.ask(question);
  if (verdicts === null) return outcome;
  const isHeld = ({ file, tier }: ScopedFile): boolean => tier === "seed" || input.symbolRequests.files.has(file.id);
  const named = new Set(files.filter(isHeld).map(({ file }) => file.path));
  const judged = applyScope(files, verdicts, keysAsked(question), named);
  const { overruled } = judged;
  const unasked = new Set(judged.unasked.map(({ file }) => file.path));
  const out = new Set([...judged.leftOut.map(({ file }) => file.file.path), ...unasked]);
  const kept = judged.kept.map((file, index) => ({ ...file, rank: index + 1 }));
  const ids = new Set(kept.map(({ file }) => file.id));
  return {
    ...outcome,
    selection: {
      ...selection,
      files: kept,
      definitions: selection.definitions.filter(({ fileId }) => ids.has(fileId)),
    },
    judgement: {
      verdicts: rowsOf(files, verdicts, { out, unasked, overruled, model: judge.model }),
      decisions: decisions.map((decision) =>
        out.has(decision.path) ? { ...decision, tier: "excluded", included: false } : decision,
      ),
    },
    notices: overruled
      ? [...outcome.notices, { code: "judgement-overruled", stage: question.stage, model: judge.model }]
      : outcome.notices,
  };
}

/** Lines on each file: its purpose, then its best definitions, or where none ranks the first that it exports. */
function summariesOf(
  { kb }: Pick<StageInput, "kb">,
  files: readonly ScopedFile[],
  definitions: readonly DefinitionScore[],
): (fileId: number) => readonly string[] {
  const ids = files.map(({ file }) => file.id);
  const purposes = new Map(kb.fileMetadata().map(({ fileId, purpose }) => [fileId, purpose]));
  const about = new Map(
    kb.docstringsIn(ids).flatMap(({ fileId, symbolId, content }) => (symbolId === null ? [[fileId, content]] : [])),
  );
  const ranked = Map.groupBy(definitions, ({ fileId }) => fileId);
  const symbols = kb.symbolsIn(ids);
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const byFile = Map.groupBy(symbols, ({ fileId }) => fileId);
  return (fileId) => {
    const best = (ranked.get(fileId) ?? []).flatMap(({ symbolId }) => byId.get(symbolId) ?? []);
    const own = best.length > 0 ? best : (byFile.get(fileId) ?? []).filter(({ parentId }) => parentId === null);
    const said = [purposes.get(fileId), about.get(fileId)].find((words) => typeof words === "string" && words !== "");
    return [said ?? "", ...own.slice(0, SHOWN_SYMBOLS).map(({ signature }) => signature)].filter(Boolean);
  };
}

function rowsOf(
  files: readonly ScopedFile[],
  verdicts: Verdicts<ScopeClass>,
  how: {
    readonly out: ReadonlySet<string>;
    readonly unasked: ReadonlySet<string>;
    readonly overruled: boolean;
    readonly model: string;
  },
): readonly Decision[] {
  return files.flatMap(({ file, score }): readonly Decision[] => {
    const { out, unasked, overruled, model } = how;
    const verdict = verdicts.get(file.path);
    const row = {
      path: file.path,
      symbol: null,
      line: null,
      kind: null,
      included: !out.has(file.path),
      detail: "none" as const,
      score: score.total,
      terms: null,
      tokens: file.tokenCount,
    };
    if (verdict === undefined) return unasked.has(file.path) ? [{ ...row, ...UNASKED }] : [];
    const isHeld = verdict.class === "irrelevant" && !out.has(file.path);
    const stays = overruled ? ", but then nothing would be left, so it stays" : ", but the task names it, so it stays";
    return [
      {
        ...row,
        tier: verdict.class,
        reason: isHeld ? `judged irrelevant${stays}` : judgedBy(model, verdict),
      },
    ];
  });
}
