/**
 * `cra explain`: why files and symbols are in a package, or are not, from the log of the run.
 */
import type { LoggedDecision } from "../db/raw-log.ts";
import { Failed } from "../failure.ts";
import { appRequest } from "./app-request.ts";
import type { Runner } from "./command.ts";
import { type Cell, table } from "./table.ts";
import { withApp } from "./with-app.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const taskId = values.argument("task-id") ?? "";
  const what = values.argument("what") ?? null;
  return await withApp(context, appRequest(context), async (app) => {
    const logged = app.run(taskId);
    if (logged === null) throw new Failed({ code: "unknown-task", taskId });
    const decisions = app.decisions(taskId, what);
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
      });
      return decisions.length === 0 ? 1 : 0;
    }
    if (decisions.length === 0) {
      const message =
        what === null
          ? "the run decided on nothing"
          : `the run considered nothing that is called ${JSON.stringify(what)}`;
      throw new Failed({ code: "no-match", message });
    }
    await output.data(what === null ? overview(decisions) : decisions.map(inFull).join("\n"));
    return 0;
  });
};

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
  return `${nameOf(row)}\n  stage   ${row.stage}\n  verdict ${verdict}\n  why     ${row.reason}\n  score   ${row.score.toFixed(4)}${working(row.terms)}\n${tokens}`;
}

const nameOf = ({ path, line, kind, symbol }: LoggedDecision): string =>
  symbol === null ? path : `${path}${line === null ? "" : `:${line}`} ${kind ?? ""} ${symbol}`.replace("  ", " ");

/** `= mention 0.4 + recency 0.1`; the log holds JSON, so only what has this shape is shown. */
function working(terms: unknown): string {
  if (!Array.isArray(terms)) return "";
  const parts = terms.flatMap((term: unknown) => {
    if (typeof term !== "object" || term === null || !("signal" in term)) return [];
    const share = "share" in term && typeof term.share === "number" ? ` ${term.share.toFixed(4)}` : "";
    return [`${String(term.signal)}${share}`];
  });
  return parts.length === 0 ? "" : ` = ${parts.join(" + ")}`;
}

function decisionJson({ runId: _, ...row }: LoggedDecision) {
  return row;
}
