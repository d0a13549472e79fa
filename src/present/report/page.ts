/**
 * A run as one HTML page that needs nothing else: no network, no script or style from elsewhere.
 *
 * All of it is in the page before the script runs. The content security policy allows the page's own style and script by their hashes
 * and nothing else, so that even markup that got in could neither run nor load anything.
 */
import { createHash } from "node:crypto";
import type { RoundRecord, RunRecord } from "../../retrieval/explain/run-record.ts";
import type { ContextPackage, FileJson } from "../../retrieval/model/package-schema.ts";
import { renderJson } from "../../retrieval/render/json.ts";
import { learnedText, notesOf } from "../../retrieval/render/markdown.ts";
import { diffText } from "../../retrieval/render/review.ts";
import { counted } from "../../text/counted.ts";
import { truncated } from "../../text/truncated.ts";
import { taskTitle } from "../layout.ts";
import { budgetPicture, isInside } from "./budget-picture.ts";
import { fileGraph } from "./file-graph.ts";
import { type Html, html, lines, NOTHING, own } from "./html.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { decisionsTable, rankingTable, roundsTable } from "./tables.ts";

/** `round` is the one that the package is of. Both are without secrets: a page that is changed later has other hashes. */
type ReportInput = {
  readonly package: ContextPackage;
  readonly round: number;
  readonly record: RunRecord;
};

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const TITLE_CHARS_MAX = 300;

/** The page. */
export function reportPage({ package: made, round, record }: ReportInput): string {
  const pkg = renderJson(made);
  const policy = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'`;
  const paths = pkg.files.map(({ path }) => path);
  const idOf = new Map(paths.map((path, at) => [path, at + 1]));
  const shown = record.rounds.find((one) => one.round === round);
  const task = record.task.trim();
  const title = truncated(taskTitle(task), TITLE_CHARS_MAX);
  const parts = [
    [
      "package",
      "The package",
      html`${textPart("The diff", diffText(pkg))}${pkg.files.map((file) => filePart(file, idOf.get(file.path) ?? 0, pkg))}${textPart("What was learned before", learnedText(pkg))}`,
    ],
    ["budget", "Where the tokens went", budgetPicture(pkg)],
    [
      "graph",
      "Files and what they import",
      html`${fileGraph(paths, pkg.dependency_edges, idOf)}${edgeList(pkg.dependency_edges)}`,
    ],
    ["ranking", "What ranked the files", rankingTable(pkg)],
    [
      "decided",
      "What was decided",
      shown === undefined ? html`<p>The log has no decisions of this round.</p>` : decisionsTable(shown),
    ],
    ["rounds", "Rounds", roundsTable(record.rounds)],
  ] as const;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${own(policy)}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>cra: ${title}</title><style>${own(STYLE)}</style></head>
<body><a class="skip" href="#package">Skip to the package</a>
<header><h1>${title}</h1><p class="soft">Task ${record.task_id}, round ${round}: ${counted(pkg.files.length, "file")}, ${pkg.token_count} of ${pkg.budget} tokens. Made with cra ${pkg.provenance.cra_version}${shown === undefined ? "" : ` at ${shown.started_at}`}.</p>
<nav aria-label="Parts"><ul>${parts.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>
<main>
${title === task ? NOTHING : html`<details><summary>The whole task</summary><pre>${lines(task)}</pre></details>`}
${[...madeAgain(pkg, shown), ...notesOf(pkg), ...pkg.warnings].map((note) => html`<p class="soft">Note: ${note}</p>`)}
${parts.map(
  ([id, name, content]) => html`<section id="${id}" aria-labelledby="${id}-name"><h2 id="${id}-name">${name}</h2>
${content}</section>
`,
)}</main>
<script>${own(SCRIPT)}</script></body></html>
`.markup;
}

/** The package is made again by the request in the log, but the tables are of the round itself. Says so when the two differ. */
function madeAgain(
  { provenance, token_count: tokens }: ContextPackage,
  shown: RoundRecord | undefined,
): readonly string[] {
  if (shown === undefined || (shown.content_hash === provenance.index.content_hash && shown.token_count === tokens))
    return [];
  const then = `${counted(shown.files ?? 0, "file")} and ${counted(shown.token_count ?? 0, "token")}`;
  return [
    `the package is made again, and the index or the memory has changed since this round, which gave ${then}; decisions and rounds are shown as they were`,
  ];
}

/** A text of the package that is not a file's. */
const textPart = (name: string, text: string): Html =>
  text === ""
    ? NOTHING
    : html`<details class="file"><summary>${name}</summary><pre>${lines(text)}</pre></details>
`;

/** A file of the package: why it is in, and all that is shown of it. */
function filePart(file: FileJson, id: number, { provenance }: ContextPackage): Html {
  const {
    path,
    relevance_rank: rank,
    tier,
    symbols,
    snippets,
    test_assertions: assertions,
    rationale_comments: comments,
  } = file;
  const known = provenance.files.find((one) => one.path === path);
  const why = new Map(provenance.symbols.filter((one) => one.path === path).map((one) => [one.qualified_name, one]));
  const tokens = symbols.reduce((sum, one) => sum + (isInside(one, symbols) ? 0 : one.tokens), 0);
  const reasons = known?.reasons ?? [];
  return html`<details class="file" id="file-${id}"><summary><code>${path}</code> <span class="soft">rank ${rank}, ${tier}, ${symbols.length === 0 ? counted(snippets.length, "excerpt") : `${counted(symbols.length, "definition")}, ${counted(tokens, "token")}`}</span></summary>
${reasons.length === 0 ? NOTHING : html`<p>${reasons.join("; ")}</p>`}
${symbols.map((symbol) => {
  const about = why.get(symbol.qualified_name);
  return html`<p><strong>${symbol.qualified_name}</strong> <span class="soft">${symbol.kind}, lines ${symbol.start_line} to ${symbol.end_line}, ${about?.tier ?? symbol.relevance}, ${isInside(symbol, symbols) ? "in other code of the file" : counted(symbol.tokens, "token")}: ${about?.why ?? ""}</span></p>
${symbol.shown === "elsewhere" ? NOTHING : html`<pre>${lines(symbol.body ?? symbol.signature)}</pre>`}
`;
})}${snippets.map(
  ({
    start_line,
    end_line,
    text,
    reason,
  }) => html`<p class="soft">lines ${start_line} to ${end_line}: ${reason}</p><pre>${lines(text)}</pre>
`,
)}${[...(assertions ?? []), ...comments].map((text) => html`<pre>${lines(text)}</pre>`)}</details>
`;
}

function edgeList(edges: ContextPackage["dependency_edges"]): Html {
  if (edges.length === 0) return NOTHING;
  const rows = edges.map(
    ([from, to]) => html`<tr><td class="p">${from}</td><td class="p">${to}</td></tr>
`,
  );
  return html`<details><summary>The same as a list: ${counted(edges.length, "import")}</summary><div class="scroll"><table><thead><tr><th scope="col">file</th><th scope="col">imports</th></tr></thead><tbody>
${rows}</tbody></table></div></details>`;
}
