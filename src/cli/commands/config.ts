/**
 * `cra config`: the settings in force; with `--explain` also where each came from and what it hides.
 */

import { keyFacts } from "../../config/keys.ts";
import type { Explained } from "../../config/settings.ts";
import { pairs, table } from "../../present/layout.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Runner } from "../syntax/command.ts";

export const run: Runner = async (context) => {
  const { values, output, door } = context;
  const { config, root } = await (await door()).openConfig(appRequest(context));
  const explain = values.switch("--explain");
  if (output.look.json)
    await output.json({ schema_version: 1, root, settings: config.explained.map((row) => asJson(row, explain)) });
  else if (explain) await output.data(explained(config.explained));
  else await output.data(pairs(config.explained.map(({ key, value }) => [key, written(value)])));
  return 0;
};

/** Every key with its value and source; a value that it hides follows on a line of its own. */
export function explained(rows: readonly Explained[]): string {
  const cells = rows.flatMap(({ key, value, where, hidden }) => [
    [key, written(value), where, keyFacts(key).summary],
    ...hidden.map((entry) => ["", `hides ${written(entry.value)}`, entry.where, ""]),
  ]);
  return table(["key", "value", "from", "what it is"], cells);
}

function asJson({ key, value, kind, where, hidden }: Explained, explain: boolean) {
  return explain ? { key, value, source: kind, where, hidden, summary: keyFacts(key).summary } : { key, value };
}

/** A value as a flag would take it; "-" when it is not set. */
function written(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return "-";
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, weight]) => `${name}=${weight}`)
      .join(",");
  return String(value);
}
