/**
 * Asks the model which of the files in scope the task needs, and leaves the others out.
 *
 * Files that the task names or the user requested stay regardless of the verdict. Files that rank too low to be asked about
 * are left out.
 */
import { keysAsked } from "../../judgement/judge.ts";
import { applyScope, type ScopeClass, scopeQuestion } from "../../judgement/scope.ts";
import { onFile } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { DefinitionScore } from "../model/scores.ts";
import type { ScopedFile } from "../model/selection.ts";
import type { StageInput, StageOutcome } from "../model/stage.ts";
import { type Judged, overruledNotices, verdictDecisions } from "./verdict-decisions.ts";

/** Definitions of a file that the model sees, best first. */
const SHOWN_SYMBOLS = 3;

/** The outcome after the model's verdicts; the same object if there are none. */
export async function* judgeFiles(
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
  const out = new Set([...judged.leftOut.map(({ file }) => file.path), ...unasked]);
  const kept = judged.kept.map((file, index) => ({ ...file, rank: index + 1 }));
  const ids = new Set(kept.map(({ file }) => file.id));
  const stays = `judged irrelevant, but ${overruled ? "then nothing would be left" : "the task names it"}, so it stays`;
  const candidates = files.map(
    ({ file, score }): Judged<ScopeClass> => ({
      key: file.path,
      decision: {
        ...onFile(file.path),
        included: !out.has(file.path),
        score: score.total,
        terms: null,
        tokens: file.tokenCount,
      },
      isUnasked: unasked.has(file.path),
      overruled: (judged) => (judged === "irrelevant" && !out.has(file.path) ? stays : null),
    }),
  );
  return {
    ...outcome,
    selection: {
      ...selection,
      files: kept,
      definitions: selection.definitions.filter(({ fileId }) => ids.has(fileId)),
    },
    judgement: {
      verdicts: verdictDecisions(candidates, verdicts, judge.model),
      decisions: decisions.map((decision) =>
        out.has(decision.path) ? { ...decision, tier: "excluded", included: false } : decision,
      ),
    },
    notices: [...outcome.notices, ...overruledNotices(overruled, question, judge)],
  };
}

/** Describes each file: its purpose, then its best definitions, or if none ranks, its first exported ones. */
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
