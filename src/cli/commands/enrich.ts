/** `cra enrich`: stores each answer as it arrives, so a stopped run continues where it stopped. */
import type { App } from "../../app/app.ts";
import type { EnrichSummary } from "../../app/indexing/enrich.ts";
import { EXIT, Failed } from "../../failure.ts";
import { type Cell, pairs } from "../../present/layout.ts";
import { counted } from "../../text/counted.ts";
import { MODEL_OPTIONS } from "../options/model-options.ts";
import { appRequest, locationText, REPO_ARGUMENT, repoArgument } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { requireIndex, withAppOf } from "../with-app.ts";

export const ENRICH: Command = {
  name: "enrich",
  summary: "optional: ask a local model what files are for; helps tasks in words that code lacks",
  arguments: [REPO_ARGUMENT],
  options: [
    ...MODEL_OPTIONS,
    { flag: "--promote", summary: "put the answers into the index, where retrieve uses them" },
    {
      flag: "--limit",
      value: "files",
      whole: { least: 1, most: 1_000_000 },
      summary: "ask about at most this many files",
    },
  ],
  examples: [
    {
      line: "cra enrich --model qwen3:8b --promote",
      does: "ask about changed files; to continue after Ctrl-C, run it again",
    },
    { line: "cra enrich --model none --promote", does: "ask nothing, only promote earlier answers" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output } = context;
  return await withAppOf(context, appRequest(context, [], repoArgument(values)), async (app) => {
    // Of several repositories each is looked at.
    if (app.config.settings["workspace.repos"].length === 0) requireIndex(app);
    const promote = values.switch("--promote");
    if (app.config.settings.model === null && !promote) {
      throw new Failed({
        code: "usage",
        message: "cra enrich needs a model to ask",
        next: "name one with --model, or promote earlier answers with --promote",
      });
    }
    const startedMs = app.nowMs();
    const summary = await enrichWithProgress(context, app, { promote, limit: values.whole("--limit") ?? null });
    const ms = app.nowMs() - startedMs;
    await output.result({
      json: () => summaryJson(app.root, summary, ms),
      text: () => summaryText(app.root, summary, locationText(values)),
    });
    const { length } = summary.failed;
    if (length === 0) return 0;
    const which = output.mode.verbose ? "" : " (see which with -v)";
    await output.say(`cra: note: no usable answer for ${counted(length, "file")}${which}; the next run asks again`);
    return EXIT["model-failed"];
  });
}

/** Runs it and shows progress; with `-v` a file that fails is named at once. */
async function enrichWithProgress(
  { output, signal }: Context,
  app: App,
  options: { readonly promote: boolean; readonly limit: number | null },
): Promise<EnrichSummary> {
  const progress = output.progress(app.nowMs);
  const onNotice = (notice: Parameters<typeof output.notice>[0]): void => void output.notice(notice);
  try {
    const files = app.enrich({ ...options, onNotice, onRefresh: progress.update }, signal);
    let step = await files.next();
    while (!step.done) {
      const { path, done, total, why } = step.value;
      if (why !== null && output.mode.verbose) {
        await progress.clear();
        await output.detail(`failed ${path.replaceAll(/[\n\t]/g, " ")}: ${why}`);
      }
      progress.update({ phase: "enrich", done, total });
      step = await files.next();
    }
    return step.value;
  } finally {
    await progress.clear();
  }
}

function summaryText(root: string, summary: EnrichSummary, location: string): string {
  const { model, files, answeredBefore, answered, failed, left, promoted } = summary;
  const rows: (readonly [string, Cell])[] = [
    ["files", files],
    ["answered", answeredBefore === 0 ? answered : `${answered}, ${answeredBefore} before`],
    ...(failed.length === 0 ? [] : [["failed", failed.length] as const]),
    ...(left === 0 ? [] : [["left", left] as const]),
    [
      "in the index",
      promoted === null
        ? `not promoted; run: cra enrich${location} --promote`
        : `${promoted.files}, ${promoted.changed} new`,
    ],
  ];
  return `enriched ${root}${model === null ? "" : ` with ${model}`}\n${pairs(rows)}`;
}

function summaryJson(root: string, summary: EnrichSummary, ms: number) {
  return {
    schema_version: 1,
    repository: root,
    model: summary.model,
    files: summary.files,
    answered_before: summary.answeredBefore,
    answered: summary.answered,
    failed: summary.failed,
    gone: summary.gone,
    left: summary.left,
    promoted: summary.promoted,
    ms: Math.round(ms),
  };
}
