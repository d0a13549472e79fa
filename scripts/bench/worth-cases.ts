/**
 * The primary items of a case with their features and what they turned out to hold, from an index that `cra evaluate
 * --keep-indexes` kept.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pipelineRequest } from "../../src/app/retrieval/retrieve-request.ts";
import { loadConfig } from "../../src/config/read-files.ts";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import type { ReadCase } from "../../src/evaluation/cases.ts";
import type { GoldSymbol } from "../../src/evaluation/model.ts";
import { scoredSymbols, symbolRanks } from "../../src/evaluation/symbol-metrics.ts";
import { Failed } from "../../src/failure.ts";
import { queuesOf } from "../../src/retrieval/packing/fitting/packing-order.ts";
import { fullTokens, type Item } from "../../src/retrieval/packing/items/items.ts";
import { shownTask } from "../../src/retrieval/packing/pack-selection.ts";
import { taskShape, WORTH_FEATURE_NAMES, WORTH_FEATURES } from "../../src/retrieval/packing/worth/expected-worth.ts";
import { primaries } from "../../src/retrieval/packing/worth/stop.ts";
import { NO_LOG, NO_SESSION } from "../../src/retrieval/record/record-run.ts";
import { DEFAULT_TEMPLATE, parseTemplate } from "../../src/retrieval/render/prompt.ts";
import { type RetrieveResult, retrieve } from "../../src/retrieval/retrieve.ts";
import { stagesNamed } from "../../src/retrieval/stages.ts";
import { openTokenCounter, type TokenCounter } from "../../src/text/tokens/tokens.ts";
import { VERSION } from "../../src/version.ts";
import type { Rows } from "./poisson-regression.ts";

/** `golds` are the changed definitions that the item is, or whose lines it shows, by their place in the case. */
export type WorthItem = {
  readonly path: string;
  readonly tokens: number;
  readonly isNamed: boolean;
  readonly golds: readonly number[];
};

/** `items` and the rows are in order of score; `order` has their places in the order of packing. */
export type WorthCase = Rows & {
  readonly id: string;
  readonly repo: string;
  readonly items: readonly WorthItem[];
  readonly order: readonly number[];
  readonly golds: number;
  readonly taskTokens: number;
};

/** Items beyond these hold nothing. */
const ITEMS_MAX = 2_500;

/** The folders of kept indexes, by commit. */
export function keptIndexes(work: string): ReadonlyMap<string, string> {
  const folders = readdirSync(work).flatMap((group) => {
    const indexes = join(work, group, "indexes");
    return existsSync(indexes) ? readdirSync(indexes).map((name) => [name, join(indexes, name)] as const) : [];
  });
  return new Map(
    folders.flatMap(([name, folder]) =>
      existsSync(dataPaths(folder).curated) && !name.endsWith(".part")
        ? [[name.slice(0, name.lastIndexOf("-")), folder]]
        : [],
    ),
  );
}

/** Null when the case has no changed definition, or retrieval finds nothing. */
export async function worthCase(one: ReadCase, folder: string): Promise<WorthCase | null> {
  const gold = scoredSymbols(one);
  if (gold.length === 0) return null;
  const counter = await openTokenCounter("o200k_base", { margin: 0 });
  const result = await retrieved(one.task, folder, counter);
  if (result === null) return null;
  const { sources, task, selection } = result;
  const items = primaries(result.items).slice(0, ITEMS_MAX);
  const shape = taskShape(task, selection.files);
  const rows = items.map((item, position) => {
    const fileLines = sources.get(item.fileId)?.lines.length ?? 0;
    return WORTH_FEATURE_NAMES.map((name) => WORTH_FEATURES[name]({ item, position, fileLines, task: shape }));
  });
  const held = items.map((item) => goldsOf(item, gold, one.expectedFiles));
  const places = new Map(queuesOf({ ...result, items }).primary.map(({ key }, at) => [key, at]));
  const placeOf = (at: number): number => places.get(items[at]?.key ?? "") ?? items.length;
  return {
    id: one.id,
    repo: one.repo ?? "",
    features: Float64Array.from(rows.flat()),
    targets: Float64Array.from(held, (found) => found.length / gold.length),
    items: items.map((item, at) => ({
      ...{ path: item.path, tokens: fullTokens(item), isNamed: item.floor, golds: held[at] ?? [] },
    })),
    order: items.map((_, at) => at).sort((a, b) => placeOf(a) - placeOf(b)),
    golds: gold.length,
    taskTokens: counter.count(shownTask(task, counter)),
  };
}

function goldsOf(item: Item, gold: readonly GoldSymbol[], expectedFiles: readonly string[]): readonly number[] {
  const { symbol, path, ranges } = item;
  const shows = ({ path: file, lines }: GoldSymbol): boolean =>
    file === path &&
    lines !== null &&
    ranges.some((range) => range.startLine <= lines.start && range.endLine >= lines.end);
  if (symbol === null) return gold.flatMap((one, at) => (shows(one) ? [at] : []));
  const { qualifiedName: qualified, name, startLine: start, endLine: end } = symbol;
  const ranks = symbolRanks([{ path, qualified, name, start, end }], gold, expectedFiles);
  return ranks.flatMap((rank, at) => (rank === null ? [] : [at]));
}

async function retrieved(task: string, folder: string, counter: TokenCounter): Promise<RetrieveResult | null> {
  const { settings } = loadConfig({ flags: [], variables: {}, root: folder });
  const kb = openKnowledgeBase(dataPaths(folder).curated, folder);
  try {
    const request = pipelineRequest(
      {
        request: { task, settings, hintPaths: [], hintSymbols: [] },
        stages: stagesNamed(settings.stages),
        template: parseTemplate(DEFAULT_TEMPLATE, "the built-in template"),
      },
      [],
    );
    const record = { log: NO_LOG, openSession: () => NO_SESSION, now: () => 0 };
    const deps = { kb, counter, ...record, craVersion: VERSION.version, openJudge: null };
    const run = retrieve(deps, request, new AbortController().signal);
    let step = await run.next();
    while (!step.done) step = await run.next();
    return step.value;
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  } finally {
    kb.close();
  }
}
