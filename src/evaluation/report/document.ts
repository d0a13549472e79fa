/**
 * The results of a run as a JSON document, for comparison with later runs.
 *
 * A document that is read is validated as a whole; metrics with unknown names are dropped, and ids must be unique.
 */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Comparison } from "../compare.ts";
import { type AmountName, isAmountName, isMetricName, type MetricName } from "../metric-names.ts";
import type { CaseResult } from "../model.ts";
import type { Summary } from "../summary.ts";
import type { FailedCase } from "./report.ts";

/** Raised when older readers would misread the document. */
const RESULTS_VERSION = 1;

/** Where the results come from: version, case file, options. Never read back. */
type About = Readonly<Record<string, string | number | boolean | null>>;

const share = z.number().min(0).max(1);
const rank = z.int().positive().nullable();
const milliseconds = z.number().nonnegative();
const word = z.string().nullable();

/** One case of the document; also a line in the journal of finished cases. */
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
    // Results of earlier versions lack the rest.
    amounts: z.record(z.string(), z.number().nonnegative()).optional(),
    exactness: z.object({ group: z.string(), level: z.int() }).nullish(),
  })
  .transform(
    ({ id, repo, language, source, gives_away, file_ranks, ms, scores, amounts, exactness }): CaseResult => ({
      id,
      repo,
      language,
      source,
      answerLeak: gives_away,
      exactness: exactness ?? null,
      metrics: {
        scores: known(scores, isMetricName),
        amounts: known(amounts ?? {}, isAmountName),
        fileRanks: file_ranks,
        ms,
      },
    }),
  );

/** The parts of a document that are read: version and cases; the rest follows from them. */
const documentSchema = z.object({
  schema_version: z.literal(RESULTS_VERSION, {
    error: ({ input }) =>
      input === undefined
        ? "is missing"
        : `written in version ${String(input)}; this cra reads version ${RESULTS_VERSION}`,
  }),
  cases: z.array(caseRowSchema),
});

function known<Name extends MetricName | AmountName>(
  values: Readonly<Record<string, number>>,
  isKnown: (name: string) => name is Name,
): Partial<Record<Name, number>> {
  const kept: Partial<Record<Name, number>> = {};
  for (const [name, value] of Object.entries(values)) if (isKnown(name)) kept[name] = value;
  return kept;
}

/** A case in the document; `caseRowSchema` reads it back. */
export function caseRow({ id, repo, language, source, answerLeak, exactness, metrics }: CaseResult): CaseRow {
  return {
    id,
    repo,
    language,
    source,
    gives_away: answerLeak,
    file_ranks: [...metrics.fileRanks],
    ms: metrics.ms,
    scores: { ...metrics.scores },
    amounts: { ...metrics.amounts },
    exactness,
  };
}

type CaseRow = z.input<typeof caseRowSchema>;

/** What a document holds besides its cases. `comparison` is with the baseline; null without one. */
type Findings = {
  readonly about: About;
  readonly summary: Summary;
  readonly comparison: Comparison | null;
  readonly failed: readonly FailedCase[];
};

/** The whole document. Cases keep their order. */
export function resultsDocument(results: readonly CaseResult[], { about, summary, comparison, failed }: Findings) {
  const { cases, means, amounts, latency, groups, curve, exactness } = summary;
  return {
    schema_version: RESULTS_VERSION,
    about,
    summary: { cases, means, amounts, latency_ms: latency, groups, curve, exactness },
    comparison,
    failed,
    cases: results.map(caseRow),
  };
}

/**
 * The results in the text of a document. `where` names the file in errors.
 * @throws {Failed} config: no JSON, another version, an invalid value, or a repeated id.
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
    if (ids.has(id)) throw unreadable(where, `the case ${JSON.stringify(id)} is repeated`);
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
  new Failed({ code: "config", where, message, next: "name a file written by cra evaluate --json" }, options);
