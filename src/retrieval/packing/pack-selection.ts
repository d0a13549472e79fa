/**
 * From what the stages chose to a package that fits, with a verdict on every item.
 *
 * Reads the texts, documentation and comments of the chosen files, makes items of them, and packs.
 * Not here: the stages, and recording anything.
 */

import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { type Notice, noticeSentence } from "../../failure.ts";
import { NO_REDACTION, type Redactor } from "../../secrets/redactor.ts";
import type { TaskQuery } from "../../task/query.ts";
import { cutMiddle, type TokenCounter } from "../../text/tokens/tokens.ts";
import { type LineScorer, lineScorer, type PricedText } from "../lexical/snippets.ts";
import type { Budget } from "../model/budget.ts";
import type { Decision } from "../model/decision.ts";
import type { ContextPackage, LearnedJson } from "../model/package-schema.ts";
import type { Weights } from "../model/scores.ts";
import type { Selection } from "../model/selection.ts";
import { unshownSymbols } from "../precision/symbol-requests.ts";
import { renderMarkdown } from "../render/markdown.ts";
import { learnedWithin } from "../render/memory-section.ts";
import { renderPrompt, type Template } from "../render/prompt.ts";
import { quotedTask } from "../render/task-markdown.ts";
import { assemble, cutBodies, withCounts } from "./assemble-package.ts";
import { withBlocks } from "./enclosing-lines.ts";
import { isWithin, type Packed, type PackInput, pack, smallest } from "./fit-rendering.ts";
import { costOf, type Item, itemsOf } from "./items.ts";
import type { Shown } from "./knapsack.ts";
import { TASK_TOKENS_MAX } from "./packing-order.ts";
import { pricedFile } from "./priced-text.ts";
import { redactions } from "./redaction-notice.ts";

/** What the index counts tokens with. */
const STORED_COUNTS: TokenCounter["name"] = "o200k_base";

/** Counts a task's text as the package shows it: a text full of backticks needs long fences. */
const asShown = (counter: TokenCounter): TokenCounter => ({
  name: counter.name,
  count: (text) => counter.count(quotedTask(text)),
});

/** The task's text as the package shows it: cut in the middle when it is long. */
export const shownTask = (task: TaskQuery, counter: TokenCounter): string =>
  cutMiddle(task.raw, TASK_TOKENS_MAX, "\n[… cut …]\n", asShown(counter));

export type PackWorld = { readonly kb: KnowledgeBase; readonly counter: TokenCounter; readonly craVersion: string };

/** A run as far as the stages brought it. `safetyMargin` is null when counts are exact. */
export type PackRun = {
  readonly taskId: string;
  readonly task: TaskQuery;
  readonly weights: Weights;
  readonly selection: Selection;
  readonly notices: readonly Notice[];
  readonly budget: Budget;
  readonly safetyMargin: number | null;
  readonly template: Template;
  /** Takes out of the rendered text what the index and the task still hold; nothing when it is left out. */
  readonly redactor?: Redactor;
  /** What was learned before, the most relevant first; left out where it was not asked for. */
  readonly learned?: ContextPackage["learned"];
};

/** `notices` are those that packing adds to the run's. */
export type PackedSelection = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly scorer: LineScorer;
  readonly packed: Packed;
  readonly pkg: ContextPackage;
  readonly verdicts: readonly Decision[];
  readonly notices: readonly Notice[];
  /** The package as `render` writes it; where that is over the budget, what of the same items fits when so written. */
  readonly packedFor: (render: (pkg: ContextPackage) => string) => ContextPackage;
};

/** Packs a selection. Throws `budget-below-floor` when the budget is too small. */
export function packSelection({ kb, counter, craVersion }: PackWorld, run: PackRun): PackedSelection {
  const { selection, task } = run;
  const shownFiles = [
    ...new Set([
      ...selection.symbols.map(({ symbol }) => symbol.fileId),
      ...selection.snippets.map(({ fileId }) => fileId),
    ]),
  ];
  const texts = kb.texts(shownFiles);
  const sources = new Map(
    selection.files.flatMap(({ file }) => {
      const text = texts.get(file.id);
      return text === undefined ? [] : [[file.id, pricedFile(file, text, counter)] as const];
    }),
  );
  const symbolsOf = Map.groupBy(kb.symbolsIn(shownFiles), (symbol) => symbol.fileId);
  const unshown = unshownSymbols(selection);
  const ownItems = itemsOf({
    selection,
    sources,
    symbolsOf,
    docs: kb.docstringsIn(shownFiles),
    comments: kb.rationalesIn(shownFiles),
    countsAreStored: counter.name === STORED_COUNTS,
  });
  const languages = new Map(selection.files.map(({ file }) => [file.id, file.language]));
  const items = withBlocks({ items: ownItems, sources, symbolsOf, languages, unshown });
  const cut = shownTask(task, counter);
  const notices: Notice[] = [];
  if (cut !== task.raw) notices.push({ code: "task-cut", tokens: TASK_TOKENS_MAX });
  if (run.safetyMargin !== null) notices.push({ code: "tokens-approximate", margin: run.safetyMargin });
  const facts = {
    taskId: run.taskId,
    task,
    taskCut: cut === task.raw ? null : cut,
    craVersion,
    meta: kb.meta(),
    weights: Object.fromEntries(run.weights.bySignal),
    budget: run.budget,
    tokenizer: counter.name,
    files: selection.files,
    items,
    sources,
    dependencies: kb.dependenciesBetween(selection.files.map(({ file }) => file.id)),
    unshown,
    warnings: [...run.notices, ...notices].map(noticeSentence),
  };
  const scorer = lineScorer(task);
  const { text: shown } = run.redactor ?? NO_REDACTION;
  const bare: PackInput = {
    items,
    sources,
    scorer,
    budget: run.budget,
    counter,
    assemble: (fit) => assemble(facts, fit),
    render: (pkg) => ({ markdown: shown(renderMarkdown(pkg)), prompt: shown(renderPrompt(pkg, run)) }),
  };
  const packed = packLearned(bare, run.learned);
  const packedFor: PackedSelection["packedFor"] = (render) => {
    const written = (pkg: ContextPackage): string => shown(render(pkg));
    if (isWithin(written(packed.pkg), run.budget, counter)) return withCounts(packed.pkg, packed);
    const again = packLearned(
      { ...bare, render: (pkg) => ({ markdown: written(pkg), prompt: written(pkg) }) },
      run.learned,
    );
    return withCounts(again.pkg, again);
  };
  return {
    packedFor,
    items,
    sources,
    scorer,
    packed,
    pkg: withCounts(packed.pkg, packed),
    verdicts: [...verdictsOf(items, packed, sources), ...missingFiles(selection, items, packed)],
    notices: [...notices, ...cutBodies(packed.fit), ...redactions(cut, packed.pkg.files)],
  };
}

/** Packs, with what was learned before where it was asked for. */
function packLearned(bare: PackInput, found: ContextPackage["learned"]): Packed {
  if (found === undefined) return pack(bare);
  const including = (learned: LearnedJson[]): PackInput => ({
    ...bare,
    assemble: (fit) => ({ ...bare.assemble(fit), learned }),
  });
  const learned = learnedWithin(found, bare.budget, bare.counter, (some) => smallest(including(some)));
  const packed = pack(including(learned));
  return learned.length === 0 ? packed : { ...packed, floor: smallest(bare).tokens };
}

function verdictsOf(
  items: readonly Item[],
  packed: Packed,
  sources: ReadonlyMap<number, PricedText>,
): readonly Decision[] {
  const shown = new Map(packed.fit.shown.map((entry) => [entry.item.key, entry]));
  return items.map((item) => {
    const entry = shown.get(item.key);
    const detail = entry?.detail ?? "none";
    const whole = detail === "body" || (detail !== "none" && item.ranges.length === 0);
    return {
      path: item.path,
      symbol: item.symbol?.qualifiedName ?? null,
      line: item.symbol?.startLine ?? item.ranges[0]?.startLine ?? null,
      kind: item.symbol?.kind ?? (item.reason === null ? "snippet" : "comment"),
      tier: item.tier,
      included: detail !== "none",
      detail,
      score: item.score,
      terms: null,
      tokens: tokensOf(item, entry, sources.get(item.fileId)),
      reason: whole
        ? item.why
        : detail === "none"
          ? "did not fit into the budget"
          : `cut to ${detail === "excerpt" ? "an excerpt" : "its signature"} to fit the budget`,
    };
  });
}

/** The files in scope of which nothing is shown, and why. */
function missingFiles({ files }: Selection, items: readonly Item[], packed: Packed): readonly Decision[] {
  const wanted = new Set(items.map(({ fileId }) => fileId));
  const shown = new Set(packed.fit.shown.map(({ item }) => item.fileId));
  return files
    .filter(({ file }) => !shown.has(file.id))
    .map(({ file, tier, score }) => ({
      path: file.path,
      symbol: null,
      line: null,
      kind: null,
      tier,
      included: false,
      detail: "none",
      score: score.total,
      terms: null,
      tokens: null,
      reason: wanted.has(file.id)
        ? "in scope, but nothing of it fitted into the budget"
        : "in scope, but nothing in it is relevant enough to show",
    }));
}

/** What an item takes as it is shown, or where it is not shown what it would have taken. */
function tokensOf(item: Item, entry: Shown | undefined, source: PricedText | undefined): number {
  if (entry?.detail === "excerpt" && source) return costOf(entry.ranges, source, entry.cut);
  return entry?.detail === "signature" || item.ranges.length === 0
    ? (item.signatureTokens ?? item.bodyTokens)
    : item.bodyTokens;
}
