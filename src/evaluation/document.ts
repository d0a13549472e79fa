/**
 * Results as a JSON document that another run can be compared with.
 *
 * What is read back is not trusted: it is checked whole, metrics of unknown names are dropped, and ids must be unique.
 */
import { z } from "zod";
import { Failed } from "../failure.ts";
import type { Comparison } from "./compare.ts";
import { isMetricName, type MetricName } from "./metric-names.ts";
import type { CaseResult } from "./model.ts";
import type { FailedCase } from "./report.ts";
import type { Latency, Means, Summary } from "./summary.ts";

/** Raised when a reader of the older form would misread the newer. */
const RESULTS_VERSION = 1;

/** What the results are of: version, file of cases, options. Told, never read. */
export type About = Readonly<Record<string, string | number | boolean | null>>;

const share = z.number().min(0).max(1);
const rank = z.int().positive().nullable();
const milliseconds = z.number().nonnegative();
const word = z.string().nullable();

/** One case of the document. It is whole in itself, so a journal of finished cases can be lines of these. */
export const caseRowSchema = z
  .object({
    id: z.string().min(1),
    repo: word,
    language: word,
    source: word,
    gives_away: z.object({ path: z.boolean(), basename: z.boolean(), symbol: z.boolean() }).nullable(),
    file_ranks: z.array(rank),
    ms: z.object({ index: milliseconds, retrieve: milliseconds }),
    scores: z.record(z.string(), share),
  })
  .transform(
    ({ id, repo, language, source, gives_away, file_ranks, ms, scores }): CaseResult => ({
      id,
      repo,
      language,
      source,
      givesAway: gives_away,
      metrics: { scores: knownScores(scores), fileRanks: file_ranks, ms },
    }),
  );

/** What is read of a document: its version and its cases; the rest follows from them. */
const documentSchema = z.object({
  schema_version: z.literal(RESULTS_VERSION, {
    error: ({ input }) => `written in form ${String(input)}; this cra reads form ${RESULTS_VERSION}`,
  }),
  cases: z.array(caseRowSchema),
});

function knownScores(scores: Readonly<Record<string, number>>): Partial<Record<MetricName, number>> {
  const known: Partial<Record<MetricName, number>> = {};
  for (const [name, value] of Object.entries(scores)) if (isMetricName(name)) known[name] = value;
  return known;
}

/** A case as it stands in the document; `caseRowSchema` reads it back. */
export function caseRow({ id, repo, language, source, givesAway, metrics }: CaseResult): CaseRow {
  return {
    id,
    repo,
    language,
    source,
    gives_away: givesAway,
    file_ranks: [...metrics.fileRanks],
    ms: metrics.ms,
    scores: { ...metrics.scores },
  };
}

export type CaseRow = z.input<typeof caseRowSchema>;

type ResultsDocument = {
  readonly schema_version: typeof RESULTS_VERSION;
  readonly about: About;
  readonly summary: {
    readonly cases: number;
    readonly means: Means;
    readonly latency_ms: { readonly index: Latency | null; readonly retrieve: Latency | null };
    readonly groups: Summary["groups"];
  };
  /** Of this run with a baseline; null without one. */
  readonly comparison: Comparison | null;
  readonly failed: readonly FailedCase[];
  readonly cases: readonly CaseRow[];
};

/** The whole document, to be written as JSON. Cases keep their order. */
export function resultsDocument(
  results: readonly CaseResult[],
  {
    about,
    summary,
    comparison,
    failed,
  }: {
    readonly about: About;
    readonly summary: Summary;
    readonly comparison: Comparison | null;
    readonly failed: readonly FailedCase[];
  },
): ResultsDocument {
  const { cases, means, latency, groups } = summary;
  return {
    schema_version: RESULTS_VERSION,
    about,
    summary: { cases, means, latency_ms: latency, groups },
    comparison,
    failed,
    cases: results.map(caseRow),
  };
}

/**
 * The results in the text of a document. `where` names the file in errors.
 * @throws {Failed} config: no JSON, another version, a value that cannot be, or one id twice.
 */
export function readResults(text: string, where: string): readonly CaseResult[] {
  const parsed = documentSchema.safeParse(jsonOf(text, where));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(
      where,
      `${issue?.path.join(".") || "document"}: ${issue?.message ?? "not results of cra evaluate"}`,
    );
  }
  const ids = new Set<string>();
  for (const { id } of parsed.data.cases) {
    if (ids.has(id)) throw unreadable(where, `the case ${JSON.stringify(id)} is there twice`);
    ids.add(id);
  }
  return parsed.data.cases;
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(where, "not JSON", { cause: error });
  }
}

const unreadable = (where: string, message: string, options?: ErrorOptions): Failed =>
  new Failed({ code: "config", where, message, next: "give a file that cra evaluate --json has written" }, options);
