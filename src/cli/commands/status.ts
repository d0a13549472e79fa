/** `cra status`. */
import { completed } from "../output/suggested-commands.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const STATUS: Command = {
  name: "status",
  summary: "show what is indexed, how stale it is, sizes and versions",
  arguments: [],
  options: [],
  examples: [{ line: "cra status --json", does: "the same for a program" }],
  run,
};

async function run(context: Context): Promise<number> {
  const { statusJson, statusText } = await import("../../present/status-report.ts");
  return await withApp(context, async (app) => {
    const status = await app.status(context.signal);
    const model = await app.modelStatus({ asks: true }, context.signal);
    const { output } = context;
    const text = (): string =>
      output.fitted(completed(statusText(status, model, output.mode.verbose ? "all" : "count"), context));
    await output.result({ json: () => statusJson(status, model), text });
    return 0;
  });
}
