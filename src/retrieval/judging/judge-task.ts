/**
 * Asks the model by which words a task is found, and adds them to the analysis. A task of more than a sentence says them itself, and
 * is not asked about.
 */

import type { EdgeQueries, FileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { applyIntent, type IntentBackground, type IntentClass, intentQuestion } from "../../judgement/intent.ts";
import { PROPOSED } from "../../judgement/judge.ts";
import type { TaskQuery } from "../../task/query.ts";
import { isShort } from "../../task/searched-task.ts";
import { byPath, inOrder } from "../../text/order.ts";
import type { Decision } from "../model/decision.ts";
import type { PipelineEvent } from "../model/events.ts";
import type { StageJudge, Verdicts } from "../model/judging.ts";
import { judgedBy } from "./judged-by.ts";

/** `concepts` are the words that enrichment knows; `assistOnly` asks only about a vague task. */
type TaskJudgementInput = {
  readonly kb: EdgeQueries & SymbolQueries;
  readonly files: readonly FileRow[];
  readonly task: TaskQuery;
  readonly concepts: ReadonlySet<string>;
  readonly judge: StageJudge | null;
  readonly assistOnly: boolean;
  readonly isVague: boolean;
};

/** The refined task, and a decision for each thing that was judged. */
type JudgedTask = { readonly task: TaskQuery; readonly verdicts: readonly Decision[] };

export async function* judgeTask(input: TaskJudgementInput): AsyncGenerator<PipelineEvent, JudgedTask> {
  const { task, judge, assistOnly, isVague } = input;
  const isAsked = isVague || (!assistOnly && isShort(task));
  if (judge === null || !isAsked) return { task, verdicts: [] };
  const background = backgroundOf(input);
  const verdicts = yield* judge.ask(intentQuestion(task, background));
  if (verdicts === null) return { task, verdicts: [] };
  return { task: applyIntent(task, verdicts, background), verdicts: rowsOf(verdicts, judge.model) };
}

/** Files whose exported symbols the model sees: the most imported ones. */
const KNOWN_FILES = 10;
const KNOWN_PER_FILE = 3;

function backgroundOf({ kb, files, isVague, concepts }: TaskJudgementInput): IntentBackground {
  return {
    concepts: [...concepts].sort(),
    areas: isVague ? areasOf(files) : [],
    symbols: isVague ? bestKnown(kb, files) : [],
  };
}

/** The top-level folders, largest first. */
function areasOf(files: readonly FileRow[]): readonly string[] {
  const sizes = new Map<string, number>();
  for (const { path } of files) {
    const cut = path.indexOf("/");
    if (cut > 0) sizes.set(path.slice(0, cut), (sizes.get(path.slice(0, cut)) ?? 0) + 1);
  }
  return [...sizes].sort(([a, more], [b, less]) => less - more || inOrder(a, b)).map(([area]) => area);
}

/** Exported names of the most imported files. */
function bestKnown(kb: EdgeQueries & SymbolQueries, files: readonly FileRow[]): readonly string[] {
  const importers = kb.importerCounts();
  const most = files
    .filter(({ id, isTest }) => !isTest && importers.has(id))
    .toSorted((a, b) => (importers.get(b.id) ?? 0) - (importers.get(a.id) ?? 0) || byPath(a, b))
    .slice(0, KNOWN_FILES);
  const byFile = Map.groupBy(kb.symbolsIn(most.map(({ id }) => id)), ({ fileId }) => fileId);
  return most.flatMap(({ id }) =>
    (byFile.get(id) ?? [])
      .filter(({ exported, parentId }) => exported && parentId === null)
      .slice(0, KNOWN_PER_FILE)
      .map(({ name }) => name),
  );
}

const PROPOSED_KIND = PROPOSED.slice(0, -1);

/** Words are recorded under the root, areas under the path of their folder. */
function rowsOf(verdicts: Verdicts<IntentClass>, model: string): readonly Decision[] {
  return [...verdicts].map(([key, verdict]) => {
    const cut = key.indexOf(":");
    const [kind, name] = [key.slice(0, cut), key.slice(cut + 1)];
    const isArea = kind === "area";
    return {
      path: isArea ? name : ".",
      symbol: isArea ? null : name,
      line: null,
      kind,
      tier: verdict.class,
      included: verdict.class !== "irrelevant",
      detail: "none",
      score: 0,
      terms: null,
      tokens: null,
      reason: kind === PROPOSED_KIND ? `proposed by ${model} as a word to search for` : judgedBy(model, verdict),
    };
  });
}
