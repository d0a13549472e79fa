/** Runs the pipeline for `cra retrieve` and `cra refine`, and shows its progress, notices and tables on stderr. */
import type { App } from "../../app/app.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../app/retrieval/retrieve-request.ts";
import { EXIT, Failed } from "../../failure.ts";
import { duration } from "../../present/amounts.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { renderJson } from "../../retrieval/render/json.ts";
import { counted } from "../../text/counted.ts";
import { locationText } from "../requests/app-request.ts";
import type { Context } from "../syntax/command.ts";
import { nextStep } from "./next-step.ts";
import type { Progress } from "./progress.ts";
import { budgetLedger, countsTable, nextTable, reasonsTable, scoringTable, taskTable } from "./retrieve-tables.ts";
import { completed } from "./suggested-commands.ts";

/** The package is as `--format json` prints it. */
const printed = (event: PipelineEvent): PipelineEvent =>
  event.event === "package" ? { ...event, package: renderJson(event.package) } : event;

/** Runs the pipeline to its end and shows its events; prints them as JSON lines with `--events jsonl`. */
export async function runPipeline<Result extends RetrieveResult>(
  { output, values, table }: Pick<Context, "output" | "values" | "table">,
  app: App,
  begin: (onRefresh: RetrieveRequest["onRefresh"]) => AsyncGenerator<PipelineEvent, Result>,
  { events }: { readonly events: boolean },
): Promise<Result> {
  const progress = output.progress(app.nowMs);
  const counts = new Map<string, Readonly<Record<string, number>>>();
  let considered = 0;
  let stage = "reading the task";
  let isUndescribed = false;
  const waiting = modelWait(progress, app.nowMs);
  const onEvent = async (event: PipelineEvent): Promise<void> => {
    if (events) await output.jsonLine(printed(event));
    if (waiting.follow(event)) {
      if (event.event === "judgement_finished" && event.status === "remembered") {
        await progress.clear();
        await output.detail(`cra: ${event.stage}: reused answers of an earlier run`);
      }
      return;
    }
    if (event.event === "stage_started") [stage, considered] = [event.stage, 0];
    if (event.event === "file_considered" || event.event === "symbol_placed") considered += 1;
    if (event.event === "stage_finished") counts.set(event.stage, event.counts);
    if (event.event === "notice") {
      await progress.clear();
      const told = `${event.message.replaceAll(/[\n\t]/g, " ")}${nextStep(event.code, app)}`;
      const line = `cra: note: ${completed(told, { values, table })}`;
      if (event.code !== UNDESCRIBED) await output.say(line);
      else {
        isUndescribed = true;
        await output.detail(line);
      }
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
    if (output.mode.verbose) await output.detail(tablesOf(step.value, counts, locationText(values)));
    else if (step.value.isFirstRun && isUndescribed) await output.say(DESCRIBING_HINT);
    return step.value;
  } finally {
    waiting.stop();
    await progress.clear();
  }
}

function tablesOf(
  { package: made, scores, shown, tokens }: RetrieveResult,
  counts: Parameters<typeof countsTable>[0],
  location: string,
): string {
  // Of JSON, `tokens` is the count in the package.
  const found = { ...made, token_count: tokens };
  const tables = [
    taskTable(found),
    scoringTable(scores),
    reasonsTable(found),
    countsTable(counts),
    budgetLedger(found, shown, location),
    nextTable(found),
  ];
  return tables.filter(Boolean).join("\n");
}

/** True of nearly every repository, so it is shown with `-v` only; the first run in a repository has a hint instead. */
const UNDESCRIBED = "enrichment-missing";
const DESCRIBING_HINT =
  "cra: hint: a local model can describe what each file is for, for tasks in words that the code lacks: cra enrich --help";

/**
 * The last line: the size of the package, its file, and the command that explains it if the run is recorded. `location`: the text of the
 * options that it needs.
 */
export function closingLine(
  { package: found, tokens, unrecorded }: RetrieveResult,
  path: string | null,
  location: string,
): string {
  const symbols = found.files.reduce((sum, { symbols: own }) => sum + own.length, 0);
  const what = `${counted(found.files.length, "file")}, ${counted(symbols, "symbol")}, ${tokens} of ${found.budget} tokens`;
  const stopped = found.provenance.budget.stop?.reason === "enough" ? " (enough)" : "";
  const why = unrecorded === null ? `; why: cra explain ${found.task_id}${location}` : "";
  return `cra: ${path === null ? "" : `wrote ${path}: `}${what}${stopped}${why}`;
}

/** The exit code of a finished run: that of no match if the package has neither a file nor a diff. With `--strict`, throws for an index that lacks inputs. */
export function exitCodeOf({ inputsSkipped, package: found }: RetrieveResult, strict: boolean): number {
  if (strict && inputsSkipped > 0) throw new Failed({ code: "inputs-skipped", count: inputsSkipped });
  return found.files.length === 0 && found.review === undefined ? EXIT["no-match"] : 0;
}

/** How often the seconds are redrawn, in milliseconds. */
const TICK_MS = 500;

type ModelWait = {
  /** Whether the event was about a model. */
  follow(event: PipelineEvent): boolean;
  stop(): void;
};

/** Shows that a model is at work, redrawn by a timer, since a model that loads or hangs sends nothing. Call `stop` in any case. */
function modelWait(progress: Progress, nowMs: () => number): ModelWait {
  let timer: ReturnType<typeof setInterval> | null = null;
  let call = "";
  let heardAt = 0;
  const draw = (): void => progress.update({ phase: waitText(call, nowMs() - heardAt), done: 0, total: null });
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    stop,
    follow(event) {
      switch (event.event) {
        case "judgement_started": {
          const { stage, model, candidates, calls, expected_ms, left_ms } = event;
          const which = calls > 1 ? `, call ${event.call} of ${calls}` : "";
          const about = expected_ms === null ? "" : `about ${seconds(expected_ms)}, `;
          const what = candidates === 0 ? "is asked for words" : `judges ${candidates}`;
          call = `${stage}: ${model} ${what}${which}, ${about}at most ${seconds(left_ms)}`;
          heardAt = nowMs();
          draw();
          timer ??= setInterval(draw, TICK_MS);
          return true;
        }
        case "judgement_waiting":
          call = `${event.stage}: waiting for another run at the model server (${event.holder})`;
          heardAt = nowMs();
          draw();
          timer ??= setInterval(draw, TICK_MS);
          return true;
        case "judgement_text":
          heardAt = nowMs();
          return true;
        case "judgement_finished":
          stop();
          return true;
        default:
          return false;
      }
    },
  };
}

const seconds = (ms: number): string => duration(Math.ceil(ms / 1_000));

/** The line's text, with the time since the model last sent something, from one second on. */
function waitText(call: string, silentMs: number): string {
  return silentMs < 1_000 ? call : `${call}, silent for ${duration(Math.floor(silentMs / 1_000))}`;
}
