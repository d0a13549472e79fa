/** `cra explain`: answers from the log of the run, so it needs no index. */
import { TASK_ID } from "../options/package-options.ts";
import { locationText } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const EXPLAIN: Command = {
  name: "explain",
  summary: "explain why a file or symbol is in a package or not",
  arguments: [
    TASK_ID,
    {
      name: "what",
      summary: "a file, folder, symbol or path:line; by default all files",
      required: false,
      completes: "file",
    },
  ],
  options: [],
  examples: [
    { line: "cra explain 1f3a", does: "the task, and a line for each file" },
    { line: "cra explain 1f3a9c0b77d2 src/auth.py", does: "why one file is in or out; all decisions with -v" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output } = context;
  const { explanationJson, explanationText } = await import("../../present/explanation.ts");
  return await withApp(context, async (app) => {
    const found = await app.explain(values.argument("task-id") ?? "", values.argument("what") ?? null);
    if (output.mode.json) await output.json(explanationJson(found));
    else {
      const { inPager } = await import("../output/pager.ts");
      const text = explanationText(found, output.mode.verbose, locationText(values));
      await output.paged(output.fitted(text), inPager(context, app.root));
    }
    return 0;
  });
}
