/**
 * `cra explain`: why files and symbols are in a package, or are not, from the log of the run.
 */
import type { LoggedDecision } from "../db/raw-log.ts";
import type { Asked } from "../retrieval/explain.ts";
import { display } from "../text/display.ts";
import { appRequest } from "./app-request.ts";
import type { Runner } from "./command.ts";
import { type Cell, table } from "./table.ts";
import { withApp } from "./with-app.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const taskId = values.argument("task-id") ?? "";
  const what = values.argument("what") ?? null;
  return await withApp(context, appRequest(context), async (app) => {
    const { run: logged, decisions, asked } = await app.explain(taskId, what);
    if (output.look.json) {
      const { round, task, startedAt, result } = logged;
      await output.json({
        schema_version: 1,
        task_id: taskId,
        round,
        task,
        started_at: startedAt,
        status: result?.status ?? null,
        decisions: decisions.map(decisionJson),
        asked,
      });
      return 0;
    }
    if (asked !== null) await output.data(outOfScope(asked));
    else await output.data(what === null ? overview(decisions) : decisions.map(inFull).join("\n"));
    return 0;
  });
};

/** A file that the run did not record. */
function outOfScope({ path, reason, score }: Asked): string {
  return `${display(path)}\n  verdict out of scope\n  why     ${display(reason)}\n  score   ${(score?.total ?? 0).toFixed(4)}${working(score?.terms)}\n`;
}

/** One line for each decision. */
export function overview(decisions: readonly LoggedDecision[]): string {
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

/** One decision with the working of its score. */
function inFull(row: LoggedDecision): string {
  const verdict = `${row.included ? "in" : "out"}, ${row.tier}${row.detail === "none" ? "" : `, shown as ${row.detail}`}`;
  const tokens = row.tokens === null ? "" : `  tokens  ${row.tokens}\n`;
  return `${display(nameOf(row))}\n  stage   ${row.stage}\n  verdict ${verdict}\n  why     ${display(row.reason)}\n  score   ${row.score.toFixed(4)}${working(row.terms)}\n${tokens}`;
}

const nameOf = ({ path, line, kind, symbol }: LoggedDecision): string =>
  symbol === null ? path : `${path}${line === null ? "" : `:${line}`} ${kind ?? ""} ${symbol}`.replace("  ", " ");

/** `= mention 0.4 + recency 0.1`; the log holds JSON, so only what has this shape is shown. */
function working(terms: unknown): string {
  if (!Array.isArray(terms)) return "";
  const parts = terms.flatMap((term: unknown) => {
    if (typeof term !== "object" || term === null || !("signal" in term)) return [];
    const value = "value" in term && typeof term.value === "number" ? term.value : 0;
    const weight = "weight" in term && typeof term.weight === "number" ? term.weight : 0;
    return [`${String(term.signal)} ${value.toFixed(4)}×${weight}`];
  });
  return parts.length === 0 ? "" : ` = ${parts.join(" + ")}`;
}

function decisionJson({ runId: _, ...row }: LoggedDecision) {
  return row;
}
