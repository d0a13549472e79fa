/** `cra config`: the settings in force; `--explain` adds where each comes from and which values it overrides. */
import { keyFacts } from "../../config/keys.ts";
import type { Explained } from "../../config/settings.ts";
import { pairs, table } from "../../present/layout.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";

export const CONFIG: Command = {
  name: "config",
  summary: "show the settings in force",
  arguments: [],
  options: [{ flag: "--explain", summary: "also show where each value comes from" }],
  examples: [{ line: "cra config --explain", does: "every setting, its value and its source" }],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, loadApp } = context;
  const { config, root } = await (await loadApp()).openConfig(appRequest(context));
  const explain = values.switch("--explain");
  await output.result({
    json: () => ({ schema_version: 1, root, settings: config.explained.map((row) => rowJson(row, explain)) }),
    text: () =>
      explain
        ? explainedText(config.explained)
        : pairs(config.explained.map(({ key, value }) => [key, written(value)])),
  });
  return 0;
}

/** Every key with its value and source; a value that it overrides follows on a line of its own. */
function explainedText(rows: readonly Explained[]): string {
  const cells = rows.flatMap(({ key, value, where, hidden }) => [
    [key, written(value), where, keyFacts(key).summary],
    ...hidden.map((entry) => ["", `hides ${written(entry.value)}`, entry.where, ""]),
  ]);
  return table(["key", "value", "from", "what it is"], cells);
}

function rowJson({ key, value, kind, where, hidden }: Explained, explain: boolean) {
  return explain ? { key, value, source: kind, where, hidden, summary: keyFacts(key).summary } : { key, value };
}

/** A value as a flag would take it; "-" when it is not set. */
function written(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return "-";
  if (Array.isArray(value)) return value.join(",");
  if (typeof value !== "object") return String(value);
  const weights = Object.entries(value).map(([name, weight]) => `${name}=${weight}`);
  return weights.join(",");
}
