/**
 * Shows what summaries of files (`cra enrich --promote`) bring to ranking and packing: summaries of known quality are put into the
 * indexes of cases, and each case is answered without and with them.
 *
 * `bun scripts/bench/summaries.ts --cases FILE --work FOLDER [--every N] [--rows FILE]`: FOLDER is the work folder of a finished
 * `cra evaluate --keep-indexes --work FOLDER` on these cases; it is only read. `--every 3` takes each third case. `--rows` keeps
 * what was found for each case, and a later run continues there. The cases of a repository are all in one half of them.
 */
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { answer, openCounters } from "../../src/app/evaluate/answer-case.ts";
import { loadConfig } from "../../src/config/read-files.ts";
import type { FileMetadataRow, KnowledgeBase } from "../../src/db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { isAskedAbout } from "../../src/enrichment/choose-files.ts";
import { RECORD_LIMITS } from "../../src/enrichment/record.ts";
import type { ReadCase } from "../../src/evaluation/cases.ts";
import type { MetricName } from "../../src/evaluation/metric-names.ts";
import { resultOf } from "../../src/evaluation/metrics.ts";
import { analyzeTask } from "../../src/task/analyze.ts";
import { termsIn } from "../../src/text/terms/identifiers.ts";
import { STOP_WORDS } from "../../src/text/terms/stop-words.ts";
import { line, meanOf, signed } from "./case-figures.ts";
import { type IndexedCase, indexedCases, measuredRows } from "./kept-rows.ts";
import { runMain } from "./run-main.ts";

const COLUMNS = [
  ["acc@1", "acc@1"],
  ["acc@3", "acc@3"],
  ["acc@5", "acc@5"],
  ["mrr", "mrr"],
  ["sym@5", "symbol_all@5"],
  ["gold@4k", "symbol_recall@4k"],
  ["gold@8k", "symbol_recall@8k"],
  ["gold", "symbol_recall"],
  ["files", "file_recall"],
] as const satisfies readonly (readonly [label: string, name: MetricName])[];

/**
 * How good the summaries are. Each has the words of a file's names, path and doc comment. Besides, each word of the task is a concept of
 * a file that the fix changes, and of any other file, with these probabilities: a model that knows by which words people
 * ask for a file, and errs.
 */
const QUALITIES = {
  "names only": { right: 0, wrong: 0 },
  "10 of 100, 2 wrong": { right: 0.1, wrong: 0.02 },
  "30 of 100, 2 wrong": { right: 0.3, wrong: 0.02 },
  "all, none wrong": { right: 1, wrong: 0 },
} as const;
type Quality = keyof typeof QUALITIES;

/** Weights of `domain_match` and `concept_overlap`: the default, which uses summaries only for the tier of scope, and others. */
const DEFAULT_WEIGHTS = { domain: 0, concepts: 0 };
const TRIED_WEIGHTS = { domain: 0.3, concepts: 3 };

const NONE = "no summaries";
const BUDGETS = [4_000, 8_000];

const Row = z.object({
  id: z.string(),
  repo: z.string(),
  summaries: z.string(),
  scores: z.record(z.string(), z.number()),
  tokens: z.number(),
});
type Row = z.infer<typeof Row>;
type Variant = {
  readonly name: string;
  readonly quality: Quality | null;
  readonly weights: { readonly domain: number; readonly concepts: number };
};

const variant = (quality: Quality, weights: Variant["weights"]): Variant => ({
  ...{ quality, weights },
  name: `${quality}; weights ${weights.domain} and ${weights.concepts}`,
});
const VARIANTS: readonly Variant[] = [
  { name: NONE, quality: null, weights: DEFAULT_WEIGHTS },
  variant("names only", DEFAULT_WEIGHTS),
  variant("all, none wrong", DEFAULT_WEIGHTS),
  variant("names only", TRIED_WEIGHTS),
  variant("10 of 100, 2 wrong", TRIED_WEIGHTS),
  variant("30 of 100, 2 wrong", TRIED_WEIGHTS),
  variant("all, none wrong", TRIED_WEIGHTS),
];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      cases: { type: "string" },
      work: { type: "string" },
      every: { type: "string" },
      rows: { type: "string" },
    },
  });
  if (values.cases === undefined || values.work === undefined) {
    process.stderr.write(
      "usage: bun scripts/bench/summaries.ts --cases FILE --work FOLDER [--every N] [--rows FILE]\n",
    );
    return 2;
  }
  const every = Number(values.every ?? 1);
  const rows = await measuredRows({
    cases: indexedCases(values.cases, resolve(values.work)).filter((_, at) => at % every === 0),
    variants: VARIANTS.map(({ name }) => name),
    path: values.rows,
    schema: Row,
    variantOf: ({ summaries }) => summaries,
    measure: (names, indexed) =>
      answered(
        VARIANTS.filter(({ name }) => names.includes(name)),
        indexed,
      ),
  });
  process.stdout.write(report(rows));
  return 0;
}

async function* answered(variants: readonly Variant[], { one, folder }: IndexedCase): AsyncGenerator<Row, void> {
  const { settings } = loadConfig({ flags: [], variables: {}, root: folder });
  const counters = await openCounters(settings);
  const kb = openKnowledgeBase(dataPaths(folder).curated, folder);
  try {
    const plain = plainSummaries(kb);
    for (const { name, quality, weights } of variants) {
      const rows = quality === null ? [] : withTaskWords(plain, kb, one, quality);
      const found = await answer(
        { kb: { ...kb, fileMetadata: () => rows }, counters, nowMs: () => 0 },
        {
          of: one,
          settings: { ...settings, weights: { domain_match: weights.domain, concept_overlap: weights.concepts } },
          indexMs: 0,
          budgets: BUDGETS,
        },
        new AbortController().signal,
      );
      const { scores, amounts } = resultOf(one, found).metrics;
      yield {
        id: one.id,
        repo: one.repo ?? "",
        summaries: name,
        scores: Object.fromEntries(
          COLUMNS.flatMap(([, metric]) => (scores[metric] === undefined ? [] : [[metric, scores[metric]]])),
        ),
        tokens: amounts.tokens ?? 0,
      };
    }
  } finally {
    kb.close();
  }
}

/** What can be said of a file by its path, doc comment and names: its most frequent words, and its folder. */
function plainSummaries(kb: KnowledgeBase): readonly FileMetadataRow[] {
  const files = kb.files().filter(isAskedAbout);
  const ids = files.map(({ id }) => id);
  const symbols = Map.groupBy(kb.symbolsIn(ids), ({ fileId }) => fileId);
  const docs = new Map(
    kb.docstringsIn(ids).flatMap((row) => (row.symbolId === null ? [[row.fileId, row.content]] : [])),
  );
  return files.map(({ id, path }) => {
    const texts = [path, docs.get(id) ?? "", ...(symbols.get(id) ?? []).map(({ name }) => name)];
    const counts = new Map<string, number>();
    for (const term of texts.flatMap(termsIn))
      if (term.length > 2 && !STOP_WORDS.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const concepts = [...counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([term]) => term)
      .slice(0, RECORD_LIMITS.concepts);
    const module = dirname(path).split("/").at(-1) ?? "";
    return { fileId: id, purpose: concepts.join(" "), module, domain: concepts[0] ?? null, concepts };
  });
}

function withTaskWords(
  plain: readonly FileMetadataRow[],
  kb: KnowledgeBase,
  { id, task, expectedFiles }: ReadCase,
  quality: Quality,
): readonly FileMetadataRow[] {
  const { right, wrong } = QUALITIES[quality];
  const { keywords } = analyzeTask(task, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });
  const gold = new Set(kb.idsOf(expectedFiles).values());
  return plain.map((row) => {
    const rate = gold.has(row.fileId) ? right : wrong;
    const said = keywords.filter((word) => drawn([id, String(row.fileId), word]) < rate);
    return { ...row, concepts: [...new Set([...said, ...row.concepts])].slice(0, RECORD_LIMITS.concepts) };
  });
}

/** A number from 0 to 1 that depends on these texts alone. */
const drawn = (of: readonly string[]): number => Number(Bun.hash(JSON.stringify(of)) % 1_000_003n) / 1_000_003;

/** A table of all cases, and one of each half of the repositories. */
function report(rows: readonly Row[]): string {
  const halves = [0, 1].map((half) => rows.filter(({ repo }) => Bun.hash.crc32(repo) % 2 === half));
  return [rows, ...halves].map((of, at) => tableOf(["all", "one half", "the other half"][at] ?? "", of)).join("\n");
}

function tableOf(what: string, rows: readonly Row[]): string {
  const of = Map.groupBy(rows, ({ summaries }) => summaries);
  const plain = of.get(NONE) ?? [];
  const head = ["summaries", ...COLUMNS.map(([label]) => label), "tokens"];
  const lines = VARIANTS.map(({ name }) => {
    const own = of.get(name) ?? [];
    const cells = COLUMNS.map(([, metric]) => {
      const value = meanOf(own, ({ scores }) => scores[metric]) * 100;
      const before = meanOf(plain, ({ scores }) => scores[metric]) * 100;
      return name === NONE ? value.toFixed(1) : signed(value - before);
    });
    return line([name, ...cells, meanOf(own, ({ tokens }) => tokens).toFixed(0)]);
  });
  const repositories = new Set(plain.map(({ repo }) => repo)).size;
  const title = `${what}: ${plain.length} cases of ${repositories} repositories\n\n`;
  return [title, line(head), line(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...lines].join("");
}

await runMain("summaries", main);
