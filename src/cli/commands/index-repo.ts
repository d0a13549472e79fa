/** `cra index`; `index` alone is a forbidden file name. */
import { resolve } from "node:path";
import type { App } from "../../app/app.ts";
import type { IndexRequest, IndexSummary } from "../../app/indexing/index-repository.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { secondsText } from "../../present/amounts.ts";
import { counted } from "../../text/counted.ts";
import { LEASE_RETURN_MS, STORE_OPTIONS, storeRequest } from "../options/store-options.ts";
import { changesText, leftOutText, summaryJson, summaryText, type WrittenExport } from "../output/index-summary.ts";
import type { Output } from "../output/output.ts";
import { writeWhole } from "../output/write-file.ts";
import { appRequest, REPO_ARGUMENT, repoArgument } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withAppOf, withProgress } from "../with-app.ts";

export const INDEX: Command = {
  name: "index",
  summary: "index a repository; later runs read only what changed",
  arguments: [REPO_ARGUMENT],
  options: [
    { flag: "--fail-fast", summary: "stop at the first file that cannot be parsed" },
    { flag: "--strict", summary: "exit 3 if files were skipped because they could not be read or parsed" },
    { flag: "--rebuild", summary: "rebuild the index from scratch, and replace other databases that are damaged" },
    { flag: "--watch", summary: "keep running, and index again after every change" },
    {
      flag: "--export",
      value: "file",
      summary: "then write the parse results to a file, for --import on other machines",
      conflicts: ["--watch"],
      completes: "file",
    },
    {
      flag: "--import",
      value: "file|url",
      summary: "reuse exported parse results for files with the same content",
      conflicts: ["--watch"],
      completes: "file",
    },
    {
      flag: "--from",
      value: "address",
      summary: "begin with what a team's store has, as postgres://user@host/database",
      conflicts: ["--watch", "--import"],
    },
    ...STORE_OPTIONS.map((option) => ({ ...option, needs: ["--from"] as const })),
    {
      flag: "--share",
      summary: "let machines that run cra work parse what the store lacks, and wait for them; sends the texts",
      needs: ["--from"],
    },
    {
      flag: "--scip",
      value: "file",
      summary: "take exact references from a SCIP index, for the files whose content it was made from",
      conflicts: ["--watch"],
      completes: "file",
    },
  ],
  examples: [
    { line: "cra index", does: "index the repository around the current folder" },
    { line: "cra index ~/code/app -v", does: "index another one, and list what was skipped" },
    { line: "cra index --watch", does: "keep the index up to date until Ctrl-C" },
    { line: "cra index --export app.cra-export", does: "index once in CI, for everybody" },
    { line: "cra index --import https://ci.example.com/app.cra-export", does: "start from what CI parsed" },
    { line: "cra index --from postgres://me@db.example.com/cra", does: "start from what the team has pushed" },
    { line: "cra index --scip index.scip", does: "use what a compiler knows of references" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output } = context;
  const folder = repoArgument(values);
  const target = await exportTarget(context);
  return await withAppOf(context, appRequest(context, [], folder), async (app) => {
    checkRepositories(context, app);
    const importFrom = values.text("--import");
    const scipFrom = values.text("--scip");
    const store = storeRequest(values, "--from");
    const fromStore = store === undefined ? undefined : { ...store, share: values.switch("--share") };
    if (fromStore?.share === true) context.takeTime(LEASE_RETURN_MS);
    const options = {
      failFast: values.switch("--fail-fast"),
      rebuild: values.switch("--rebuild"),
      ...(importFrom === undefined ? {} : { importFrom }),
      ...(scipFrom === undefined ? {} : { scipFrom }),
      ...(fromStore === undefined ? {} : { fromStore }),
    };
    if (values.switch("--watch")) return await watch(context, app, options);
    const summary = await indexWithProgress(context, app, options);
    const exported = target === null ? null : await exportTo(context, app, target);
    await printSummary(output, app, summary, exported);
    const { length } = summary.problems;
    if (length > 0 && values.switch("--strict")) throw new Failed({ code: "inputs-skipped", count: length });
    await noteProblems(output, summary);
    return 0;
  });
}

/** Throws, before any work, where several repositories are asked and an option is of one. */
function checkRepositories({ values }: Context, { config }: App): void {
  const isOfOne = values.switch("--watch") ? "--watch" : values.text("--export") === undefined ? null : "--export";
  if (isOfOne !== null && config.settings["workspace.repos"].length > 0)
    throw new Failed({ code: "usage", message: `${isOfOne} takes one repository`, next: "run it in each of them" });
}

/** The path of `--export`; null without it. Throws, before any work, for a file that must not be overwritten. */
async function exportTarget({ values, environment }: Context): Promise<string | null> {
  const typed = values.text("--export");
  if (typed === undefined) return null;
  const target = resolve(environment.cwd, typed);
  const { checkExportTarget } = await import("../output/export-target.ts");
  checkExportTarget(target);
  return target;
}

async function exportTo(context: Context, app: App, file: string): Promise<WrittenExport> {
  return await withProgress(context, app, async ({ progress }) => {
    const exported = await app.exportIndex(progress.update, context.signal);
    writeWhole(file, exported.bytes, { force: true });
    return { ...exported, file };
  });
}

/** Prints the first run in full and a line for every later one, until a signal ends it. */
async function watch({ output, signal }: Context, app: App, options: IndexOptions): Promise<never> {
  const progress = output.progress(app.nowMs);
  const runs = app.watch({ ...options, onProgress: progress.update }, signal);
  // A notice that holds for every run is printed once.
  const printed = new Set<string>();
  const isNew = (notice: Notice): boolean => printed.size < printed.add(JSON.stringify(notice)).size;
  for (let isFirst = true; ; isFirst = false) {
    const { value } = await runs.next();
    const summary = { ...value, notices: value.notices.filter(isNew) };
    await progress.clear();
    if (output.mode.json) {
      for (const notice of summary.notices) await output.notice(notice);
      await output.jsonLine(summaryJson(app.root, summary));
    } else if (isFirst) {
      await printSummary(output, app, summary);
      await noteProblems(output, summary);
      await output.say("cra: watching for changes; stop with Ctrl-C");
    } else {
      for (const notice of summary.notices) await output.notice(notice);
      await output.data(`${changesText(summary.files)} in ${secondsText(summary.msTotal)}`);
      await output.detail(leftOutText(summary));
    }
  }
}

async function printSummary(
  output: Output,
  app: App,
  summary: IndexSummary,
  exported: WrittenExport | null = null,
): Promise<void> {
  for (const notice of summary.notices) await output.notice(notice);
  if (output.mode.json) await output.json(summaryJson(app.root, summary, exported));
  else {
    await output.data(summaryText(app.root, summary, exported));
    await output.detail(leftOutText(summary));
  }
}

/** The history is no file, and a notice says why it could not be read. */
async function noteProblems(output: Output, { problems }: IndexSummary): Promise<void> {
  const { length } = problems.filter(({ path }) => path !== ".git");
  if (length > 0 && !output.mode.verbose)
    await output.say(`cra: note: ${counted(length, "file")} could not be read or parsed; see which with -v`);
}

type IndexOptions = Omit<IndexRequest, "onProgress">;

/** Indexes and shows progress. */
export const indexWithProgress = (
  context: Pick<Context, "output" | "signal">,
  app: App,
  options: IndexOptions,
): Promise<IndexSummary> =>
  withProgress(context, app, ({ progress }) => app.index({ ...options, onProgress: progress.update }, context.signal));
