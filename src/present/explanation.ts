/**
 * Why files and symbols are in a package or not, as text and as JSON, for `cra explain` and the explain tool.
 *
 * A run or a folder is shown as a head and a line for each file; one file or symbol is shown in full.
 */
import { z } from "zod";
import type { LoggedDecision, LoggedRun } from "../db/raw-log/raw-log.ts";
import type { Explanation, UnrecordedFile } from "../retrieval/explain/explain.ts";
import { type FileVerdict, UNFINISHED } from "../retrieval/explain/file-verdicts.ts";
import { PATH_PENALTY, REPOSITORY_WEIGHT } from "../retrieval/model/scores.ts";
import { isOnTask } from "../retrieval/record/model-verdicts.ts";
import { counted } from "../text/counted.ts";
import { display } from "../text/display.ts";
import { shellWord } from "../text/shell-word.ts";
import type { ExplainAnswer } from "./answers.ts";
import { budgetText } from "./budget-text.ts";
import { explanationSummary } from "./explanation-summary.ts";
import { type Cell, pairs, table, taskLine } from "./layout.ts";

/**
 * One file or symbol in ten lines, and in full below them; or an overview. `location`: the text of the options that name where the log
 * is; null for a reader without commands.
 */
export function explanationText(found: Explanation, verbose: boolean, location: string | null = ""): string {
  const { about, decisions, unrecorded, run } = found;
  if (unrecorded !== null) return outOfScope(unrecorded);
  if (about !== "thing") return overview(found, verbose, location !== null);
  if (decisions.length < 2) return decisions.map(inFull).join("\n");
  const all = location === null ? null : commandForAll(found, location);
  const summary = explanationSummary(decisions, all, {
    nameOf,
    scoreOf: ({ score, terms }) => `${score.toFixed(4)}${scoreTerms(terms)}`,
    unpacked: ["failed", "cancelled"].includes(run.result?.status ?? "") ? UNFINISHED : null,
  });
  return verbose ? `${summary}\n${decisions.map(inFull).join("\n")}` : summary;
}

/** The command that shows all decisions: about the target, or about all files where no line of a shell can name it. */
function commandForAll({ run, target }: Explanation, location: string): string {
  const command = `cra explain ${run.taskId}${location}`;
  if (target === null || display(target) !== target) return `${command} -v`;
  return target.startsWith("-") ? `${command} -v -- ${shellWord(target)}` : `${command} ${shellWord(target)} -v`;
}

function overview({ run: logged, files, decisions }: Explanation, verbose: boolean, hasOptions: boolean): string {
  const shown = verbose ? files : files.filter(({ rank, judged }) => rank !== null || judged !== null);
  const hidden = files.length - shown.length;
  const how = hasOptions ? "; see them with -v" : "";
  const rest = hidden === 0 ? "" : `and ${counted(hidden, "file")} out of scope${how}\n`;
  const parts = [head(logged), `${filesTable(shown)}${rest}`, verbose ? decisionsTable(decisions) : ""];
  return parts.filter(Boolean).join("\n");
}

/** The run in a few lines. */
function head({ taskId, round, task, startedAt, budget, result }: LoggedRun): string {
  return pairs([
    ["task", taskLine(task)],
    ["run", `${taskId}, round ${round}, ${startedAt}`],
    ["status", result?.status ?? "not finished"],
    ["budget", budgetText(budget, result?.tokenCount ?? null)],
  ]);
}

/** The column `judged` exists only if a model judged files. */
function filesTable(files: readonly FileVerdict[]): string {
  const isJudged = files.some(({ judged }) => judged !== null);
  return table(
    ["rank", "in", "tier", ...(isJudged ? ["judged"] : []), "score", "tokens", "path", "why"],
    files.map(({ rank, shown, tier, judged, score, tokens, path, reason }): readonly Cell[] => [
      rank ?? "-",
      shown ? "yes" : "no",
      rank === null && judged === null ? "-" : tier,
      ...(isJudged ? [judged?.class ?? "-"] : []),
      score.toFixed(4),
      tokens,
      path,
      reason,
    ]),
  );
}

function decisionsTable(decisions: readonly LoggedDecision[]): string {
  return table(
    ["stage", "in", "tier", "score", "what", "why"],
    decisions.map((row): readonly Cell[] => [
      row.stage,
      row.included ? "yes" : "no",
      row.tier,
      row.score.toFixed(4),
      nameOf(row),
      row.reason,
    ]),
  );
}

/** A file out of scope, which the run did not record. */
function outOfScope({ path, reason, score }: UnrecordedFile): string {
  return `${display(path)}\n  verdict out of scope\n  why     ${display(reason)}\n  score   ${(score?.total ?? 0).toFixed(4)}${scoreTerms(score?.terms)}\n`;
}

/** One decision with the terms of its score. */
function inFull(row: LoggedDecision): string {
  const verdict = `${row.included ? "in" : "out"}, ${row.tier}${row.detail === "none" ? "" : `, shown as ${row.detail}`}`;
  const tokens = row.tokens === null ? "" : `  tokens  ${row.tokens}\n`;
  return `${display(nameOf(row))}\n  stage   ${row.stage}\n  verdict ${verdict}\n  why     ${display(row.reason)}\n  score   ${row.score.toFixed(4)}${scoreTerms(row.terms)}\n${tokens}`;
}

const nameOf = ({ stage, path, line, kind, symbol }: LoggedDecision): string =>
  isOnTask({ stage })
    ? `${kind ?? ""} ${symbol ?? path}`
    : symbol === null
      ? path
      : `${path}${line === null ? "" : `:${line}`} ${kind ?? ""} ${symbol}`.replace("  ", " ");

const Term = z.looseObject({ signal: z.string(), value: z.number(), weight: z.number() });

/** Why a file loses a share of its score, by the name of the term. */
const FOR_ITS_KIND = "it is a test, an example, a declaration, settings, data or prose";
const LOSSES: Readonly<Record<string, string>> = {
  [PATH_PENALTY]: FOR_ITS_KIND,
  // The same in logs of version 0.1.0.
  damping: FOR_ITS_KIND,
  [REPOSITORY_WEIGHT]: "another repository matches the task better",
};

/**
 * `= mention 0.4×1 + recency 0.1×2, less 60% (path_penalty: it is a test, …); not counted: path_match 1`; the log holds JSON, so terms
 * of another shape are left out.
 */
function scoreTerms(terms: unknown): string {
  const known = (Array.isArray(terms) ? terms : []).flatMap((term: unknown) => Term.safeParse(term).data ?? []);
  const named = ({ signal, value }: z.infer<typeof Term>): string => `${display(signal)} ${value.toFixed(4)}`;
  const lost = ({ signal, value }: z.infer<typeof Term>): string => {
    const why = LOSSES[signal];
    return `, less ${Number((-100 * value).toFixed(1))}% (${display(signal)}${why === undefined ? "" : `: ${why}`})`;
  };
  const weighed = known.filter(({ weight }) => weight !== 0);
  const summed = weighed.filter(({ value }) => value >= 0).map((term) => `${named(term)}×${term.weight}`);
  const losses = weighed.filter(({ value }) => value < 0).map(lost);
  const others = known.filter(({ weight }) => weight === 0).map(named);
  return [
    summed.length === 0 ? "" : ` = ${summed.join(" + ")}`,
    ...losses,
    others.length === 0 ? "" : `; not counted: ${others.join(", ")}`,
  ].join("");
}

/** What `--json` prints. */
export function explanationJson({ run: logged, files, decisions, unrecorded }: Explanation): ExplainAnswer {
  const { taskId, round, task, startedAt, budget, result } = logged;
  return {
    schema_version: 1,
    task_id: taskId,
    round,
    task,
    started_at: startedAt,
    status: result?.status ?? null,
    budget,
    token_count: result?.tokenCount ?? null,
    files,
    decisions: decisions.map(({ runId: _, ...row }) => row),
    asked: unrecorded,
  };
}
