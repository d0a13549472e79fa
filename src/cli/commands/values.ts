/**
 * `cra values`: makes the values of all experiences anew, keeps them and prints them.
 *
 * Exit code 0, also when there are none.
 */
import type { App } from "../../app/app-types.ts";
import type { ValuesSummary } from "../../app/values.ts";
import type { Value } from "../../memory/experience.ts";
import { AXES } from "../../memory/vocabulary.ts";
import { counted } from "../../present/layout.ts";
import type { ValuesJson } from "../../recall/values/values-json.ts";
import { displayLines } from "../../text/display.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const run: Runner = async (context) =>
  await withApp(context, appRequest(context), async (app) => {
    const { values, output } = context;
    const asked = values.text("--axis");
    const summary = await rebuild(context, app);
    const printed = summary.values.filter(({ axis }) => asked === undefined || axis === asked);
    if (output.look.json) await output.json(valuesJson(summary, printed));
    else await output.data(printed.length === 0 ? nothingText(summary, asked) : valuesText(summary, printed));
    return 0;
  });

async function rebuild({ output, signal }: Context, app: App): Promise<ValuesSummary> {
  const progress = output.progress(app.nowMs);
  const said: Parameters<typeof output.notice>[0][] = [];
  try {
    return await app.values({ onNotice: (notice) => void said.push(notice), onProgress: progress.update }, signal);
  } finally {
    await progress.clear();
    for (const notice of said) await output.notice(notice);
  }
}

function nothingText({ values, experiences }: ValuesSummary, axis: string | undefined): string {
  if (values.length > 0) return `no values on the axis ${axis}; ${counted(values.length, "value")} on others\n`;
  return experiences === 0
    ? "no values: no experience has ended yet; keep one with cra remember\n"
    : `no values: the ${counted(experiences, "experience")} that ended have too little in common\n`;
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
  const shown = displayLines(text).replaceAll(/\s*\n\s*/g, "\n    ");
  return `  ${id}  ${counted(cluster_size, "experience")}, similarity ${similarity_to_centroid.toFixed(2)}  (${about})\n    ${shown}\n`;
}

const valuesJson = ({ experiences, vectorsBy, worded }: ValuesSummary, printed: readonly Value[]): ValuesJson => ({
  schema_version: 1,
  experiences,
  vectors_by: vectorsBy,
  worded,
  values: [...printed],
});
