/**
 * `cra enrich`: asks a model what each file is for, and with `--promote` puts that into the index.
 *
 * Each answer is kept as it comes, so a run that is stopped goes on where it was when it is started again.
 */

import type { App } from "../../app/app-types.ts";
import type { EnrichSummary } from "../../app/enrich.ts";
import { EXIT, Failed } from "../../failure.ts";
import { type Cell, counted, pairs } from "../../present/layout.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withIndexed } from "../with-app.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const folder = values.argument("repo");
  if (folder !== undefined && values.text("--repo") !== undefined) {
    throw new Failed({ code: "usage", message: "the repository is named twice", next: "leave out --repo" });
  }
  return await withIndexed(context, appRequest(context, [], folder), async (app) => {
    const promote = values.switch("--promote");
    if (app.config.settings.model === null && !promote) {
      throw new Failed({
        code: "usage",
        message: "cra enrich needs a model to ask",
        next: "name one with --model, or only --promote what was answered before",
      });
    }
    const startedMs = app.nowMs();
    const summary = await follow(context, app, { promote, limit: values.whole("--limit") ?? null });
    const ms = app.nowMs() - startedMs;
    if (output.look.json) await output.json(summaryJson(app.root, summary, ms));
    else await output.data(summaryText(app.root, summary));
    const { length } = summary.failed;
    if (length === 0) return 0;
    const which = output.look.verbose ? "" : "; see which with -v";
    await output.say(
      `cra: note: ${counted(length, "file")} got no usable answer and will be asked about again${which}`,
    );
    return EXIT["model-failed"];
  });
};

/** Shows how far it is; names a file that failed as soon as it has. */
async function follow(
  { output, signal }: Context,
  app: App,
  wish: { readonly promote: boolean; readonly limit: number | null },
): Promise<EnrichSummary> {
  const progress = output.progress(app.nowMs);
  const onNotice = (notice: Parameters<typeof output.notice>[0]): void => void output.notice(notice);
  try {
    const files = app.enrich({ ...wish, onNotice, onRefresh: progress.update }, signal);
    let step = await files.next();
    while (!step.done) {
      const { path, done, total, why } = step.value;
      if (why !== null && output.look.verbose) {
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

function summaryText(root: string, summary: EnrichSummary): string {
  const { model, files, answeredBefore, answered, failed, left, promoted } = summary;
  const rows: (readonly [string, Cell])[] = [
    ["files", files],
    ["answered", answeredBefore === 0 ? answered : `${answered}, ${answeredBefore} before`],
    ...(failed.length === 0 ? [] : [["failed", failed.length] as const]),
    ...(left === 0 ? [] : [["left", left] as const]),
    [
      "in the index",
      promoted === null ? "not promoted; run: cra enrich --promote" : `${promoted.files}, ${promoted.changed} new`,
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
