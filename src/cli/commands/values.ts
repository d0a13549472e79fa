/** `cra values`: exit code 0 also when there are none. */

import type { ValuesSummary } from "../../app/memory/values.ts";
import type { Value } from "../../memory/experience.ts";
import { AXES } from "../../memory/vocabulary.ts";
import type { ValuesJson } from "../../recall/values/values-json.ts";
import { counted } from "../../text/counted.ts";
import { displayLines } from "../../text/display.ts";
import { EMBEDDING_OPTIONS, MODEL } from "../options/model-options.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp, withProgress } from "../with-app.ts";

export const VALUES: Command = {
  name: "values",
  summary: "group all experiences anew, and show what each group has in common",
  arguments: [],
  options: [
    { flag: "--axis", value: "name", choices: AXES, summary: `print only this axis: ${AXES.join(", ")}` },
    MODEL,
    ...EMBEDDING_OPTIONS,
  ],
  examples: [
    { line: "cra values", does: "group the experiences, store and print a value for each group" },
    { line: "cra values --axis root_cause --json", does: "why things failed, for a program" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  return await withApp(context, async (app) => {
    const { values, output, signal } = context;
    const axis = values.text("--axis");
    const summary = await withProgress(context, app, ({ progress, onNotice }) =>
      app.values({ onNotice, onProgress: progress.update }, signal),
    );
    const printed = summary.values.filter((value) => axis === undefined || value.axis === axis);
    await output.result({
      json: () => valuesJson(summary, printed),
      text: () => (printed.length === 0 ? nothingText(summary, axis) : valuesText(summary, printed)),
    });
    return 0;
  });
}

function nothingText({ values, experiences }: ValuesSummary, axis: string | undefined): string {
  if (values.length > 0) return `no values on the axis ${axis}; ${counted(values.length, "value")} on others\n`;
  if (experiences === 0) return "no values: no experience has ended yet; store one with cra remember\n";
  return experiences === 1
    ? "no values: only one experience has ended, and values are what several have in common\n"
    : `no values: the ${experiences} finished experiences have too little in common\n`;
}

function valuesText(summary: ValuesSummary, printed: readonly Value[]): string {
  const groups = AXES.map((axis) => ({ axis, found: printed.filter((value) => value.axis === axis) })).filter(
    ({ found }) => found.length > 0,
  );
  const head = `${counted(summary.values.length, "value")} of ${counted(summary.experiences, "experience")}, grouped by ${summary.vectorsBy ?? "their words"}\n`;
  return head + groups.map(({ axis, found }) => `\n${axis}\n${found.map(valueText).join("")}`).join("");
}

function valueText({ id, cluster_size, similarity_to_centroid, domains, strategies, text }: Value): string {
  const about = [...domains.slice(0, 3), ...strategies.slice(0, 2)].join(", ");
  const shown = displayLines(text).replaceAll(/(?<!\s)\s*\n\s*/g, "\n    ");
  return `  ${id}  ${counted(cluster_size, "experience")}, similarity ${similarity_to_centroid.toFixed(2)}  (${about})\n    ${shown}\n`;
}

const valuesJson = ({ experiences, vectorsBy, worded }: ValuesSummary, printed: readonly Value[]): ValuesJson => ({
  schema_version: 1,
  experiences,
  vectors_by: vectorsBy,
  worded,
  values: [...printed],
});
