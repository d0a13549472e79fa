/**
 * `cra retrieve`: a task in, a context package out.
 *
 * The package is data and goes to stdout or a file; everything else, also `-v`, goes to stderr. With
 * `--events jsonl` stdout has one event a line; the last one holds the package, or what stopped the run.
 */
import type { App, RetrieveRequest, RetrieveResult } from "../../app/app-types.ts";
import { Failed } from "../../failure.ts";
import { counted } from "../../present/layout.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { onlyPlaces } from "../options/work-options.ts";
import { copyText } from "../output/clipboard.ts";
import { budgetLedger, countsTable, scoringTable, taskTable } from "../output/retrieve-tables.ts";
import { waitingOn } from "../output/run-progress.ts";
import { writeWhole } from "../output/write-file.ts";
import { typedConstraints } from "../requests/refining-request.ts";
import { readAppRequest, readTarget, readTask, retrieveRequest, type Target } from "../requests/retrieve-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";
import { indexWithProgress } from "./index-repo.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const target = readTarget(context);
  const request = readAppRequest(context);
  const task = await readTask(context);
  return await withApp(context, request, async (app) => {
    const wishes = retrieveRequest(values, task, app.config);
    const only = onlyPlaces(context, app.root);
    await haveIndex(context, app);
    const asked = { ...wishes, only, constraints: typedConstraints(context, app.root) };
    const result = await follow(
      context,
      app,
      (onRefresh) => app.retrieve({ ...asked, onRefresh }, context.signal),
      target,
    );
    if (target.path !== null) writeWhole(target.path, result.rendered, target);
    else if (!target.events) await output.data(result.rendered);
    if (values.switch("--copy")) await copyText(context, result.rendered, app.root);
    await output.say(closingLine(result, target));
    demandInputs(result, values.switch("--strict"));
    return 0;
  });
};

/** Under `--strict` a package of an index that lacks inputs is no success. */
export function demandInputs({ inputsSkipped }: Pick<RetrieveResult, "inputsSkipped">, strict: boolean): void {
  if (strict && inputsSkipped > 0) throw new Failed({ code: "inputs-skipped", count: inputsSkipped });
}

/** Indexes first when told to, or when somebody says yes; else there must be an index. */
async function haveIndex(context: Context, app: App): Promise<void> {
  if (app.isIndexed()) return;
  const wanted =
    context.values.switch("--index") || (await context.input.confirm(`${app.root} is not indexed. Index it now?`));
  if (!wanted) throw new Failed({ code: "not-indexed", repo: app.root });
  const { notices } = await indexWithProgress(context, app, { failFast: false, rebuild: false });
  // That there is no history is said by every run on the index.
  for (const notice of notices) if (notice.code !== "history-missing") await context.output.notice(notice);
}

/** Runs the pipeline and shows its events; nothing is shown that is not an event or in the result. */
export async function follow<Result extends RetrieveResult>(
  { output }: Context,
  app: App,
  begin: (onRefresh: RetrieveRequest["onRefresh"]) => AsyncGenerator<PipelineEvent, Result>,
  { events }: Target,
): Promise<Result> {
  const progress = output.progress(app.nowMs);
  const counts = new Map<string, Readonly<Record<string, number>>>();
  let considered = 0;
  let stage = "reading the task";
  const asking = waitingOn(progress, app.nowMs);
  const onEvent = async (event: PipelineEvent): Promise<void> => {
    if (events) await output.jsonLine(event);
    if (asking.follow(event)) {
      if (event.event === "judgement_finished" && event.status === "remembered") {
        await progress.clear();
        await output.detail(`cra: ${event.stage}: answers of an earlier run`);
      }
      return;
    }
    if (event.event === "stage_started") [stage, considered] = [event.stage, 0];
    if (event.event === "file_considered" || event.event === "symbol_placed") considered += 1;
    if (event.event === "stage_finished") counts.set(event.stage, event.counts);
    if (event.event === "notice") {
      await progress.clear();
      const line = `cra: note: ${event.message.replaceAll(/[\n\t]/g, " ")}`;
      if (ORDINARY.has(event.code)) await output.detail(line);
      else await output.say(line);
    }
    progress.update({ phase: stage, done: considered, total: null });
  };
  try {
    const pipeline = begin(progress.update);
    let step = await pipeline.next();
    while (!step.done) {
      await onEvent(step.value);
      step = await pipeline.next();
    }
    await progress.clear();
    if (output.look.verbose) await output.detail(tablesOf(step.value, counts));
    return step.value;
  } finally {
    asking.stop();
    await progress.clear();
  }
}

function tablesOf(
  { package: found, scores, shown }: RetrieveResult,
  counts: Parameters<typeof countsTable>[0],
): string {
  const tables = [taskTable(found), scoringTable(scores), countsTable(counts), budgetLedger(found, shown)];
  return tables.filter(Boolean).join("\n");
}

/** Notices of nearly every run: news only to who wants to know everything. */
const ORDINARY: ReadonlySet<string> = new Set(["enrichment-missing"]);

/** What went where, and how to ask why. */
export function closingLine({ package: found }: RetrieveResult, { path }: Target): string {
  const symbols = found.files.reduce((sum, { symbols: own }) => sum + own.length, 0);
  const what = `${counted(found.files.length, "file")}, ${counted(symbols, "symbol")}, ${found.token_count} of ${found.budget} tokens`;
  return `cra: ${path === null ? "" : `wrote ${path}: `}${what}; why: cra explain ${found.task_id}`;
}
