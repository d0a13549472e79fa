/**
 * `cra retrieve`: the package goes to stdout or a file, everything else to stderr.
 *
 * With `--events jsonl` stdout has one event a line; the last one holds the package, or what stopped the run.
 */
import type { App } from "../../app/app.ts";
import { Failed } from "../../failure.ts";
import { isOfHistory } from "../../notice.ts";
import { JUDGING_OPTIONS } from "../options/model-options.ts";
import { NO_QUICK, NO_REASONS, NO_REFRESH, OUTPUT_OPTIONS, WITH_MEMORY } from "../options/package-options.ts";
import { REFINING_OPTIONS, STANDING_OPTIONS } from "../options/refining-options.ts";
import { REPOS, SELECTING_OPTIONS } from "../options/selecting-options.ts";
import { settingOption } from "../options/setting-option.ts";
import { ONLY, WORK_OPTIONS } from "../options/work-options.ts";
import { closingLine, exitCodeOf, runPipeline } from "../output/run-progress.ts";
import { locationText } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withAppOf } from "../with-app.ts";
import { indexWithProgress } from "./index-repo.ts";

export const RETRIEVE: Command = {
  name: "retrieve",
  summary: "find the code that a task needs, within a token budget",
  arguments: [
    {
      name: "task",
      summary:
        'the task in words, or "-" to read it from standard input; optional with --handoff, --trace, --diff or --since',
      required: false,
      unless: ["--handoff", "--trace", "--diff", "--since"],
      isText: true,
    },
  ],
  options: [
    ...SELECTING_OPTIONS,
    ...REPOS,
    ONLY,
    ...WORK_OPTIONS,
    {
      flag: "--hint-path",
      value: "path",
      repeatable: true,
      summary: "a file that the task is about",
      completes: "file",
    },
    { flag: "--hint-symbol", value: "name", repeatable: true, summary: "a symbol that the task is about" },
    settingOption("hint_language", "language", { repeatable: true }),
    ...REFINING_OPTIONS,
    ...STANDING_OPTIONS,
    {
      flag: "--keep-shown",
      value: "task:round",
      summary: "keep what that round showed while there is room, as refine does",
    },
    ...OUTPUT_OPTIONS,
    settingOption("template", "file", { completes: "file" }),
    { flag: "--index", summary: "index first if there is no index, and wait for it", conflicts: ["--no-refresh"] },
    NO_QUICK,
    NO_REFRESH,
    NO_REASONS,
    WITH_MEMORY,
    ...JUDGING_OPTIONS,
    {
      flag: "--strict",
      summary:
        "require --model, --base-url, --stages and a budget; exit 13 if the model fails, 3 if files were skipped",
    },
  ],
  examples: [
    { line: 'cra retrieve "fix the login validation bug"', does: "print the context package" },
    { line: "cra retrieve - --format prompt -o prompt.md < issue.md", does: "turn an issue into a prompt" },
    { line: 'cra retrieve "why is startup slow" --budget 8000 -v', does: "a small package, with scores and costs" },
    {
      line: 'cra retrieve "rename the login endpoint" --repos ../api,../web',
      does: "one package from two repositories",
    },
    { line: "cra retrieve --diff", does: "uncommitted changes, and the code to read to review them" },
    { line: "cra retrieve --trace - < test.log", does: "the code to read after a failed run" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, signal } = context;
  const requests = await import("../requests/retrieve-request.ts");
  const target = requests.readTarget(context);
  const appRequest = requests.readAppRequest(context);
  const task = await requests.readTask(context);
  return await withAppOf(context, appRequest, async (app) => {
    const request = requests.retrieveRequest(context, task, app);
    for (const notice of [requests.missingTemplate(app.config), requests.unprintedTemplate(app.config)])
      if (notice !== null) await context.output.notice(notice);
    // Several repositories are indexed one by one when they are asked.
    if (!request.quick && request.settings["workspace.repos"].length === 0) await haveIndex(context, app);
    const result = await runPipeline(
      context,
      app,
      (onRefresh) => app.retrieve({ ...request, onRefresh }, signal),
      target,
    );
    const { deliver } = await import("../output/deliver.ts");
    await deliver(context, result.rendered, target, app);
    await context.output.say(closingLine(result, target.path, locationText(values)));
    return exitCodeOf(result, values.switch("--strict"));
  });
}

/** Indexes when `--index` or the user says so. Throws `not-indexed` when there still is no index. */
async function haveIndex(context: Context, app: App): Promise<void> {
  if (app.isIndexed()) return;
  const isWanted =
    context.values.switch("--index") || (await context.input.confirm(`${app.root} is not indexed. Index it now?`));
  if (!isWanted) throw new Failed({ code: "not-indexed", repo: app.root });
  const { notices } = await indexWithProgress(context, app, { failFast: false, rebuild: false });
  // Every run on the index repeats what it says of its history.
  for (const notice of notices) if (!isOfHistory(notice)) await context.output.notice(notice);
}
