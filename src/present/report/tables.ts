/** The tables of a report: what ranked the files, what was decided, and the rounds beside each other. */

import type { RoundRecord } from "../../retrieval/explain/run-record.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import { counted } from "../../text/counted.ts";
import { isRecord } from "../../text/parse-json.ts";
import { type Html, html, NOTHING } from "./html.ts";

const RANKED_MAX = 60;
/** A run can record tens of thousands; what is in the package comes first. */
const DECISIONS_MAX = 6_000;
const ROUNDS_MAX = 12;
const PATHS_MAX = 40;
const BAR = 300;

/** The score of each file as the sum of its signals, as bars. */
export function rankingTable({ provenance, files }: ContextPackage): Html {
  const rows = provenance.files.slice(0, RANKED_MAX);
  const signals = [
    ...new Set(rows.flatMap(({ terms }) => terms.filter(({ share }) => share !== 0).map(({ signal }) => signal))),
  ];
  const best = Math.max(
    1e-9,
    ...rows.map(({ terms }) => terms.reduce((sum, { share }) => sum + Math.max(0, share), 0)),
  );
  const rankOf = new Map(files.map(({ path, relevance_rank }) => [path, relevance_rank]));
  const colour = (signal: string): number => signals.indexOf(signal) % 5;
  return html`<p class="soft">A score is the sum of its signals. ${provenance.files.length > RANKED_MAX ? `The best ${RANKED_MAX} of ${provenance.files.length} files.` : ""}</p>
<div class="scroll"><table><caption>Files by rank</caption><thead><tr><th scope="col" class="n">rank</th><th scope="col">file</th><th scope="col" class="n">score</th><th scope="col">signals</th></tr></thead><tbody>
${rows.map(({ path, score, terms }) => {
  let x = 0;
  const shares = terms.filter(({ share }) => share !== 0);
  const boxes = shares.map(({ signal, share }) => {
    const width = (Math.max(0, share) / best) * BAR;
    x += width;
    return html`<rect class="f${colour(signal)}" x="${(x - width).toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"><title>${signal} ${share}</title></rect>`;
  });
  const words = shares.map(({ signal, share }) => `${signal} ${Math.round(share * 100) / 100}`).join(", ");
  return html`<tr><td class="n">${rankOf.get(path) ?? ""}</td><td class="p">${path}</td><td class="n">${score.toFixed(2)}</td><td><svg aria-hidden="true" width="${BAR}" height="10">${boxes}</svg><span class="soft">${words}</span></td></tr>
`;
})}</tbody></table></div>`;
}

/** What the stages of a round decided. The script filters the rows. */
export function decisionsTable({ decisions }: RoundRecord): Html {
  const stages = [...new Set(decisions.map(({ stage }) => stage))];
  const ordered = [...decisions.filter(({ included }) => included), ...decisions.filter(({ included }) => !included)];
  const rows = ordered.slice(0, DECISIONS_MAX);
  const left = decisions.length - rows.length;
  return html`<form role="search" aria-controls="decisions">
<label>Words<br><input type="search" id="words" autocomplete="off" placeholder="a path, a name, a reason"></label>
<label>Stage<br><select id="stage"><option value="">all</option>${stages.map((stage) => html`<option>${stage}</option>`)}</select></label>
<label>Decided<br><select id="state"><option value="">in and out</option><option>in</option><option>out</option></select></label>
<output id="count" aria-live="polite">${counted(rows.length, "decision")}</output></form>
${left === 0 ? NOTHING : html`<p class="soft">${left} more decisions that leave something out are not shown; cra log --json prints all.</p>`}
<div class="scroll"><table id="decisions"><caption>Decisions, what is in the package first</caption><thead><tr><th scope="col">stage</th><th scope="col">decided</th><th scope="col">tier</th><th scope="col">file and symbol</th><th scope="col" class="n">score</th><th scope="col">reason</th></tr></thead><tbody>
${rows.map(({ stage, included, tier, path, symbol, score, reason }) => {
  const state = included ? "in" : "out";
  return html`<tr data-stage="${stage}" data-state="${state}"><td>${stage}</td><td class="${state}">${state}</td><td>${tier}</td><td class="p">${path}${symbol === null ? "" : `:${symbol}`}</td><td class="n">${score.toFixed(2)}</td><td>${reason}</td></tr>
`;
})}</tbody></table></div>`;
}

/** The newest rounds as columns, each with the files that it shows and the one before does not. */
export function roundsTable(all: readonly RoundRecord[]): Html {
  const rounds = all.slice(-ROUNDS_MAX);
  const shown = rounds.map(shownPaths);
  const rows: readonly (readonly [string, (round: RoundRecord, at: number) => Html])[] = [
    ["how", ({ command, status }) => html`${command}, ${status ?? "not finished"}`],
    ["when", ({ started_at }) => html`${started_at}`],
    ["tokens", ({ token_count, budget }) => html`${token_count ?? "-"} of ${tokensOf(budget)}`],
    ["files", ({ files }) => html`${files ?? "-"}`],
    ["asked for", ({ options }) => html`${askedFor(options)}`],
    ["new files", (_, at) => (at === 0 ? html`-` : pathList(only(shown[at], shown[at - 1])))],
    ["gone files", (_, at) => (at === 0 ? html`-` : pathList(only(shown[at - 1], shown[at])))],
  ];
  return html`<div class="scroll"><table><caption>${counted(all.length, "round")}</caption><thead><tr><td></td>${rounds.map(({ round }) => html`<th scope="col">round ${round}</th>`)}</tr></thead><tbody>
${rows.map(
  ([
    name,
    cell,
  ]) => html`<tr><th scope="row">${name}</th>${rounds.map((round, at) => html`<td>${cell(round, at)}</td>`)}</tr>
`,
)}</tbody></table></div>`;
}

const shownPaths = ({ decisions }: RoundRecord): ReadonlySet<string> =>
  new Set(decisions.flatMap(({ stage, included, path }) => (stage === "budget" && included ? [path] : [])));

const only = (these: ReadonlySet<string> = new Set(), those: ReadonlySet<string> = new Set()): readonly string[] =>
  [...these].filter((path) => !those.has(path)).sort();

const pathList = (paths: readonly string[]): Html =>
  paths.length === 0
    ? html`none`
    : html`${paths.slice(0, PATHS_MAX).map((path) => html`<code>${path}</code><br>`)}${paths.length > PATHS_MAX ? `and ${paths.length - PATHS_MAX} more` : ""}`;

const tokensOf = (budget: unknown): string => {
  const tokens = isRecord(budget) ? budget.tokens : undefined;
  return typeof tokens === "number" ? String(tokens) : "-";
};

/** The constraints of a round in words. */
function askedFor(options: unknown): string {
  const constraints = isRecord(options) ? options.constraints : undefined;
  if (!isRecord(constraints)) return "-";
  const lists = Object.entries(constraints).flatMap(([name, values]) =>
    Array.isArray(values) && values.length > 0
      ? [`${name.replaceAll("_", " ")}: ${values.map(String).join(", ")}`]
      : [],
  );
  return lists.length === 0 ? "-" : lists.join("; ");
}
