/** Packs the selection of the stages into a package that fits the budget, with a decision on every item. */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { NO_REDACTION, type Redactor } from "../../secrets/redactor.ts";
import type { TaskQuery } from "../../task/query.ts";
import { cutMiddle, type TokenCounter } from "../../text/tokens/tokens.ts";
import { type LineScorer, lineScorer } from "../lexical/line-scorer.ts";
import type { PricedText } from "../lexical/snippets.ts";
import type { Budget } from "../model/budget.ts";
import type { RoundShown } from "../model/changes.ts";
import type { Decision } from "../model/decision.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import type { Review } from "../model/review.ts";
import type { Weights } from "../model/scores.ts";
import type { Selection } from "../model/selection.ts";
import { asksForTests } from "../ranking/path-penalty.ts";
import { fileReasons } from "../reasons/file-reasons.ts";
import { shownReasons } from "../reasons/shown-reasons.ts";
import { quotedTask, renderMarkdown } from "../render/markdown.ts";
import { renderPrompt, type Template } from "../render/prompt.ts";
import type { TextRenderer } from "../render/renderer.ts";
import { exactTask } from "../scope/exact-task.ts";
import { assemble, cutBodies, type PackageFacts, withCounts, withFiles } from "./assemble-package.ts";
import { budgetDecisions } from "./budget-decisions.ts";
import { isWithin, type Packed } from "./fitting/fit-rendering.ts";
import type { Shown } from "./fitting/knapsack.ts";
import { TASK_TOKENS_MAX } from "./fitting/packing-order.ts";
import type { Item } from "./items/items.ts";
import { type SelectedItems, selectedItems } from "./items/selected-items.ts";
import { packWithMemory } from "./memory-section.ts";
import { redactions } from "./redaction-notice.ts";
import { packWithReview } from "./review-section.ts";
import { type CoverageLevel, coverageLevels, isNarrower } from "./worth/coverage-levels.ts";
import { taskShape } from "./worth/expected-worth.ts";
import { openStop, type Stop } from "./worth/stop.ts";

/** Counts a text as the package quotes it: one with many backticks needs long fences. */
const asShown = (counter: TokenCounter): TokenCounter => ({
  name: counter.name,
  count: (text) => counter.count(quotedTask(text)),
});

/** The task's text as the package shows it, cut in the middle when it is long. */
export const shownTask = (task: TaskQuery, counter: TokenCounter): string =>
  cutMiddle(task.raw, TASK_TOKENS_MAX, "\n[… cut …]\n", asShown(counter));

/** The index, the tokenizer of the budget, and the version that a package names. */
export type PackDeps = { readonly kb: KnowledgeBase; readonly counter: TokenCounter; readonly craVersion: string };

/** A run after its stages. `safetyMargin` is null when counts are exact. */
type PackRun = {
  readonly taskId: string;
  readonly task: TaskQuery;
  readonly weights: Weights;
  readonly selection: Selection;
  /** What the round before showed, in a round that keeps it. */
  readonly kept?: RoundShown | null;
  readonly notices: readonly Notice[];
  readonly budget: Budget;
  readonly safetyMargin: number | null;
  readonly template: Template;
  /** The renderer of the format that is printed, if it has a size of its own. */
  readonly ownText?: TextRenderer;
  readonly reasons?: boolean;
  /** Hides secrets that are still in the index and the task. */
  readonly redactor?: Redactor;
  /** The changes under review; only with `--diff` or `--since`. */
  readonly review?: Review;
  /** Memories, most relevant first; only with `--with-memory`. */
  readonly learned?: ContextPackage["learned"];
};

type RunToPack = Omit<PackRun, "budget">;

/** The facts that do not depend on the budget. */
type RunFacts = Omit<PackageFacts, "run" | "stop"> & { readonly run: Omit<PackageFacts["run"], "budget"> };

/** `notices` are those of packing; `verdicts` begin with one for each item, in order. */
export type PackedSelection = {
  readonly budget: Budget;
  readonly items: readonly Item[];
  readonly stop: Stop;
  readonly isAboutTests: boolean;
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly scorer: LineScorer;
  readonly packed: Packed;
  readonly pkg: ContextPackage;
  readonly verdicts: readonly Decision[];
  readonly notices: readonly Notice[];
  /** The package for another rendering, packed again from the same items if this one exceeds the budget in it. */
  readonly packedFor: (render: TextRenderer) => ContextPackage;
  /** A package of the same items with nothing but these of its things. */
  readonly showing: (pkg: ContextPackage, shown: readonly Shown[]) => ContextPackage;
  /** The coverages to step through, the narrowest first. */
  readonly levels: () => readonly CoverageLevel[];
};

/** Packs a selection. Throws `budget-below-floor` when the budget is too small. */
export const packSelection = (deps: PackDeps, { budget, ...run }: PackRun): PackedSelection =>
  selectionPacker(deps, run)(budget);

/**
 * Reads once what packing needs of a selection. The returned function packs it into a budget, as often as there are budgets;
 * it throws `budget-below-floor` when one is too small.
 */
export function selectionPacker(deps: PackDeps, run: RunToPack): (budget: Budget) => PackedSelection {
  const { kb, counter } = deps;
  const { selection, kept = null, task } = run;
  const selected = selectedItems(kb, selection, kept, counter);
  const shownText = shownTask(task, counter);
  const notices: readonly Notice[] = [
    ...(shownText === task.raw ? [] : [{ code: "task-cut", tokens: TASK_TOKENS_MAX } as const]),
    ...(run.safetyMargin === null ? [] : [{ code: "tokens-approximate", margin: run.safetyMargin } as const]),
  ];
  const facts = packageFacts(deps, run, { selected, shownText, notices: [...run.notices, ...notices] });
  const stopAt = stopsOf(run, selected);
  const levels: Levels = ({ coverage: current, tokens }) => {
    const levelAt = kept === null ? stopAt : stopsOf(run, { ...selected, items: selected.unmarked });
    return coverageLevels((coverage) => levelAt({ coverage, tokens }), current, tokens);
  };
  return (budget) => packInto(budget, { run, facts, counter, notices, shownText, stopAt, levels });
}

type Levels = (budget: Budget) => readonly CoverageLevel[];
type ReadSelection = {
  readonly run: RunToPack;
  readonly facts: RunFacts;
  readonly counter: TokenCounter;
  readonly notices: readonly Notice[];
  readonly shownText: string;
  readonly stopAt: ReturnType<typeof openStop>;
  readonly levels: Levels;
};

function packInto(
  budget: Budget,
  { run, facts: ofRun, counter, notices, shownText, stopAt, levels }: ReadSelection,
): PackedSelection {
  const { selection, task } = run;
  const { items, sources } = ofRun;
  const stop = stopAt(budget);
  const isAboutTests = asksForTests(task);
  const facts: PackageFacts = { ...ofRun, run: { ...ofRun.run, budget }, stop };
  const scorer = lineScorer(task);
  const { text: redacted } = run.redactor ?? NO_REDACTION;
  const packFor = (ownText: TextRenderer | undefined): Packed =>
    packWithReview(
      {
        items: stop.relevant,
        isAboutTests,
        sources,
        scorer,
        budget,
        counter,
        assemble: (fit, room) => assemble(facts, fit, room),
        render: (pkg) => ({
          markdown: redacted(renderMarkdown(pkg)),
          prompt: redacted(renderPrompt(pkg, run)),
          ...(ownText === undefined ? {} : { own: redacted(ownText(pkg)) }),
        }),
      },
      run.review,
      (input) => packWithMemory(input, run.learned),
    );
  const packed = packFor(run.ownText);
  const counted = (fitting: Packed): ContextPackage => withCounts(fitting.pkg, fitting);
  return {
    packedFor: (render) => counted(isWithin(redacted(render(packed.pkg)), budget, counter) ? packed : packFor(render)),
    showing: (pkg, shown) => withFiles(pkg, assemble(facts, { ...packed.fit, shown })),
    levels: () => levels(budget),
    budget,
    items,
    stop,
    isAboutTests,
    sources,
    scorer,
    packed,
    pkg: counted(packed),
    verdicts: budgetDecisions({ selection, items, stop, shown: packed.fit.shown, sources }),
    notices: [
      ...notices,
      ...cutBodies(packed.fit),
      ...redactions(shownText, packed.pkg.files, packed.pkg.review?.diff),
    ],
  };
}

/** What a package says about its run at any budget. `shownText` is the task's text as it is shown; `notices` are all so far. */
function packageFacts(
  { kb, counter, craVersion }: PackDeps,
  run: RunToPack,
  {
    selected,
    shownText,
    notices,
  }: {
    readonly selected: SelectedItems;
    readonly shownText: string;
    readonly notices: readonly Notice[];
  },
): RunFacts {
  const { task, selection } = run;
  const dependencies = kb.dependenciesBetween(selection.files.map(({ file }) => file.id));
  const reasons = fileReasons(kb, selection, task, dependencies);
  const vague = run.notices.find(({ code }) => code === "task-vague");
  return {
    ...selected,
    run: {
      taskId: run.taskId,
      task,
      taskCut: shownText === task.raw ? null : shownText,
      craVersion,
      meta: kb.meta(),
      weights: Object.fromEntries(run.weights.bySignal),
      tokenizer: counter.name,
    },
    files: selection.files,
    dependencies,
    reasons,
    shownReasons: run.reasons === false ? () => new Map() : shownReasons(reasons, counter),
    warnings: notices.map(noticeSentence),
    map: vague === undefined ? null : noticeSentence(vague),
  };
}

const stopsOf = ({ task, selection }: Pick<PackRun, "task" | "selection">, { items, sources }: SelectedItems) =>
  openStop({
    items,
    sources,
    task: taskShape(task, selection.files),
    exactness: exactTask(task, selection.seeds)?.exactness ?? null,
    isAboutTests: asksForTests(task),
  });

/** Whether less of a selection is relevant at the coverage of the budget than at that of the round before. */
export function isNarrowed(
  { kb, counter }: Pick<PackDeps, "kb" | "counter">,
  { selection, task, budget }: Pick<PackRun, "task" | "selection" | "budget">,
  { coverage: before = budget.coverage }: RoundShown,
): boolean {
  // Building the items takes as long as packing does.
  if (before === budget.coverage) return false;
  const stopAt = stopsOf({ task, selection }, selectedItems(kb, selection, null, counter));
  return isNarrower((coverage) => stopAt({ ...budget, coverage }), budget.coverage, before);
}
