/**
 * `cra index`: reads the repository into the index and says what it found, what it skipped and why.
 */
import type { App, IndexSummary } from "../app-types.ts";
import { Failed, type Notice } from "../failure.ts";
import { appRequest } from "./app-request.ts";
import type { Context, Runner } from "./command.ts";
import type { Output } from "./output.ts";
import { tally } from "./run-status.ts";
import { type Cell, counted, pairs } from "./table.ts";
import { withApp } from "./with-app.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const folder = values.argument("repo");
  if (folder !== undefined && values.text("--repo") !== undefined) {
    throw new Failed({ code: "usage", message: "the repository is named twice", next: "leave out --repo" });
  }
  return await withApp(context, appRequest(context, [], folder), async (app) => {
    const wishes = { failFast: values.switch("--fail-fast"), rebuild: values.switch("--rebuild") };
    if (values.switch("--watch")) return await watch(context, app, wishes);
    const summary = await indexWithProgress(context, app, wishes);
    await printSummary(output, app, summary);
    const { length } = summary.problems;
    if (length > 0 && values.switch("--strict")) throw new Failed({ code: "inputs-skipped", count: length });
    await noteProblems(output, summary);
    return 0;
  });
};

/** Prints the first run in full and a line for every later one, until a signal ends it. */
async function watch({ output, signal }: Context, app: App, wishes: IndexWishes): Promise<never> {
  const progress = output.progress(app.nowMs);
  const runs = app.watch({ ...wishes, onProgress: progress.update }, signal);
  // What is true of every run is said once.
  const said = new Set<string>();
  const isNew = (notice: Notice): boolean => said.size < said.add(JSON.stringify(notice)).size;
  for (let isFirst = true; ; isFirst = false) {
    const { value } = await runs.next();
    const summary = { ...value, notices: value.notices.filter(isNew) };
    await progress.clear();
    if (output.look.json) {
      for (const notice of summary.notices) await output.notice(notice);
      await output.jsonLine(summaryJson(app.root, summary));
    } else if (isFirst) {
      await printSummary(output, app, summary);
      await noteProblems(output, summary);
      await output.say("cra: watching for changes; stop with Ctrl-C");
    } else {
      for (const notice of summary.notices) await output.notice(notice);
      await output.data(`${changesText(summary.files)} in ${secondsText(summary.msTotal)}`);
      await output.detail(leftOutText(summary));
    }
  }
}

async function printSummary(output: Output, app: App, summary: IndexSummary): Promise<void> {
  for (const notice of summary.notices) await output.notice(notice);
  if (output.look.json) await output.json(summaryJson(app.root, summary));
  else {
    await output.data(summaryText(app.root, summary));
    await output.detail(leftOutText(summary));
  }
}

async function noteProblems(output: Output, { problems: { length } }: IndexSummary): Promise<void> {
  if (length > 0 && !output.look.verbose)
    await output.say(`cra: note: ${counted(length, "file")} could not be read or parsed; see which with -v`);
}

type IndexWishes = { readonly failFast: boolean; readonly rebuild: boolean };

/** Indexes, showing how far it is. */
export async function indexWithProgress(
  { output, signal }: Pick<Context, "output" | "signal">,
  app: App,
  wishes: IndexWishes,
): Promise<IndexSummary> {
  const progress = output.progress(app.nowMs);
  try {
    return await app.index({ ...wishes, onProgress: progress.update }, signal);
  } finally {
    await progress.clear();
  }
}

function summaryText(root: string, { meta, files, skips, problems, msTotal }: IndexSummary): string {
  const { counts, languages } = meta;
  const rows: (readonly [string, Cell])[] = [
    ["files", `${counts.files}  ${tally(languages.map(({ language, files }) => [language, files]))}`],
    ["changes", changesText(files)],
    ["symbols", counts.symbols],
    ["imports", counts.dependencies],
    ["references", counts.references],
    ["commits", meta.historyProblem === null ? counts.commits : `none: ${meta.historyProblem}`],
    ["skipped", skips.length === 0 ? "none" : `${skips.length}  ${tally(byReason(skips))}`],
    ["problems", problems.length === 0 ? "none" : problems.length],
  ];
  return `indexed ${root} in ${secondsText(msTotal)}\n${pairs(rows)}`;
}

/** Every file that was left out or could not be read, with the reason. */
function leftOutText({ skips, problems }: IndexSummary): string {
  return [
    ...skips.map(({ path, reason }) => `skipped ${path}: ${reason}`),
    ...problems.map(({ path, why }) => `problem ${path}: ${why}`),
  ]
    .map((line) => `${line.replaceAll(/[\n\t]/g, " ")}\n`)
    .join("");
}

function changesText({ added, changed, removed, unchanged }: IndexSummary["files"]): string {
  return added + changed + removed === 0
    ? "none"
    : `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`;
}

function byReason(skips: IndexSummary["skips"]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { reason } of skips) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts];
}

const secondsText = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

function summaryJson(
  root: string,
  { meta, files, parsed, fromCache, skips, problems, ms, msTotal, bytes, notices }: IndexSummary,
) {
  return {
    schema_version: 1,
    repository: root,
    head: meta.head,
    content_hash: meta.contentHash,
    history_problem: meta.historyProblem,
    counts: meta.counts,
    languages: Object.fromEntries(meta.languages.map(({ language, files }) => [language, files])),
    changes: files,
    parsed,
    from_cache: fromCache,
    skipped: skips,
    problems,
    notices,
    ms: Math.round(msTotal),
    ms_by_phase: ms,
    bytes,
  };
}
