/** `cra refine`: like `cra retrieve`; what changed, and one command for the same package, go to stderr. */
import { Failed } from "../../failure.ts";
import { JUDGING_OPTIONS } from "../options/model-options.ts";
import { NO_QUICK, NO_REFRESH, OUTPUT_OPTIONS, TASK_ID } from "../options/package-options.ts";
import { REFINING_OPTIONS, STANDING_OPTIONS } from "../options/refining-options.ts";
import { settingOption } from "../options/setting-option.ts";
import { WORK_OPTIONS } from "../options/work-options.ts";
import { closingLine, exitCodeOf, runPipeline } from "../output/run-progress.ts";
import { appRequest, locationText, locationWords } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { requireIndex, withAppOf } from "../with-app.ts";

export const REFINE: Command = {
  name: "refine",
  summary: "build a task's package again, with files accepted, rejected or added",
  arguments: [TASK_ID],
  options: [
    {
      flag: "--request",
      value: "file",
      summary: 'the refinement as JSON (cra schema refinement); "-" is standard input',
      completes: "file",
    },
    ...WORK_OPTIONS,
    ...REFINING_OPTIONS,
    ...STANDING_OPTIONS,
    { flag: "--reason", value: "text", summary: "why the package was not enough, for the log" },
    {
      flag: "--budget",
      value: "tokens",
      whole: { least: 1, most: 10_000_000 },
      summary: "token budget of the package; by default the same as before",
    },
    settingOption("coverage", "share", {
      summary:
        "share of what is expected to matter at which packing stops, from 0.05 to 1, or auto; by default the same as before",
    }),
    {
      flag: "--only-new",
      summary: "show only what the round before did not, and name the rest; as Markdown",
    },
    ...OUTPUT_OPTIONS,
    NO_QUICK,
    NO_REFRESH,
    { flag: "--strict", summary: "exit 13 if the model fails, 3 if files were skipped" },
    ...JUDGING_OPTIONS,
  ],
  examples: [
    { line: "cra refine 1f3a --reject src/legacy.py --missing-symbol Cart.sum", does: "another round of that task" },
    { line: "cra refine 1f3a --missing-symbol Cart.sum --only-new", does: "the same, without what you have already" },
    { line: "cra refine 1f3a --request - < request.json", does: "the same for a program" },
  ],
  run,
};

/** Throws a usage failure for what is new in a format that has it not. */
function checkFormat(values: Values, format: string): void {
  if (!values.switch("--only-new") || format === "markdown") return;
  throw new Failed({
    code: "usage",
    message: `--only-new prints Markdown, and the format is ${format}`,
    next: "add --format markdown, or leave out --only-new",
  });
}

async function run(context: Context): Promise<number> {
  const { values, output, signal } = context;
  const { readTarget, withJson } = await import("../requests/retrieve-request.ts");
  const { readFailedAttempt, refineRequest } = await import("../requests/refining-request.ts");
  const { changeLines, newsLine, sameInOneLine } = await import("../output/round-report.ts");
  const { deliver } = await import("../output/deliver.ts");
  const target = readTarget(context);
  const attempt = await readFailedAttempt(context);
  return await withAppOf(context, withJson(appRequest(context), values), async (app) => {
    checkFormat(values, app.config.settings.format);
    const request = await refineRequest(context, app, attempt);
    if (request.quick !== true) requireIndex(app);
    const result = await runPipeline(
      context,
      app,
      (onRefresh) => app.refine({ ...request, onRefresh }, signal),
      target,
    );
    const news = values.switch("--only-new") ? await result.answers.next("new") : null;
    await deliver(context, news === null || news.since === null ? result.rendered : news.markdown, target, app);
    await output.say(...changeLines(result), ...newsLine(news));
    await output.say(closingLine(result, target.path, locationText(values)));
    await output.say(sameInOneLine(result, locationWords(values)));
    return exitCodeOf(result, values.switch("--strict"));
  });
}
