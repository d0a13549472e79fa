/**
 * `cra index`: reads the repository into the index and says what it found, what it skipped and why.
 */
import { resolve } from "node:path";
import type { App, Exported, Imported, IndexSummary } from "../../app/app-types.ts";
import { Failed, type Notice } from "../../failure.ts";
import { bytesText, type Cell, counted, pairs } from "../../present/layout.ts";
import type { Output } from "../output/output.ts";
import { writeWhole } from "../output/write-file.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";
import { skipWords, tally } from "./status.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const folder = values.argument("repo");
  if (folder !== undefined && values.text("--repo") !== undefined) {
    throw new Failed({ code: "usage", message: "the repository is named twice", next: "leave out --repo" });
  }
  const target = await exportTarget(context);
  return await withApp(context, appRequest(context, [], folder), async (app) => {
    const importFrom = values.text("--import");
    const wishes = {
      failFast: values.switch("--fail-fast"),
      rebuild: values.switch("--rebuild"),
      ...(importFrom === undefined ? {} : { importFrom }),
    };
    if (values.switch("--watch")) return await watch(context, app, wishes);
    const summary = await indexWithProgress(context, app, wishes);
    const exported = target === null ? null : await exportTo(context, app, target);
    await printSummary(output, app, summary, exported);
    const { length } = summary.problems;
    if (length > 0 && values.switch("--strict")) throw new Failed({ code: "inputs-skipped", count: length });
    await noteProblems(output, summary);
    return 0;
  });
};

/** Where the export goes, as a path; null without one. Throws where it must not go, so that no work is lost. */
async function exportTarget({ values, environment }: Context): Promise<string | null> {
  const typed = values.text("--export");
  if (typed === undefined) return null;
  const target = resolve(environment.cwd, typed);
  const { checkExportTarget } = await import("../output/export-target.ts");
  checkExportTarget(target);
  return target;
}

/** What was exported, with the file as it is shown. */
type ExportedTo = Exported & { readonly file: string };

async function exportTo({ output, signal }: Context, app: App, file: string): Promise<ExportedTo> {
  const progress = output.progress(app.nowMs);
  try {
    const exported = await app.exportIndex(progress.update, signal);
    writeWhole(file, exported.bytes, { force: true });
    return { ...exported, file };
  } finally {
    await progress.clear();
  }
}

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

async function printSummary(
  output: Output,
  app: App,
  summary: IndexSummary,
  exported: ExportedTo | null = null,
): Promise<void> {
  for (const notice of summary.notices) await output.notice(notice);
  if (output.look.json) await output.json(summaryJson(app.root, summary, exported));
  else {
    await output.data(summaryText(app.root, summary, exported));
    await output.detail(leftOutText(summary));
  }
}

async function noteProblems(output: Output, { problems: { length } }: IndexSummary): Promise<void> {
  if (length > 0 && !output.look.verbose)
    await output.say(`cra: note: ${counted(length, "file")} could not be read or parsed; see which with -v`);
}

type IndexWishes = { readonly failFast: boolean; readonly rebuild: boolean; readonly importFrom?: string };

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

function summaryText(root: string, summary: IndexSummary, exported: ExportedTo | null): string {
  const { meta, files, skips, problems, msTotal, parsed, imported } = summary;
  const { counts, languages } = meta;
  const rows: (readonly [string, Cell])[] = [
    ["files", `${counts.files}  ${tally(languages.map(({ language, files }) => [language, files]))}`],
    ["changes", changesText(files)],
    ...(imported === undefined
      ? []
      : [
          [
            "imported",
            `${counted(imported.takenOver, "content")} from ${imported.from}, ${parsed} parsed here`,
          ] as const,
        ]),
    ["symbols", counts.symbols],
    ["imports", counts.dependencies],
    ["references", counts.references],
    ["commits", meta.historyProblem === null ? counts.commits : `none: ${meta.historyProblem}`],
    ["skipped", skips.length === 0 ? "none" : `${skips.length}  ${tally(byReason(skips))}`],
    ["problems", problems.length === 0 ? "none" : problems.length],
    ...(exported === null ? [] : [["exported", exportedText(exported)] as const]),
  ];
  return `indexed ${root} in ${secondsText(msTotal)}\n${pairs(rows)}`;
}

function exportedText({ file, bytes, entries, leftOut: { secret, unparsed } }: ExportedTo): string {
  const left = [
    ...(secret === 0 ? [] : [`${secret} with a secret`]),
    ...(unparsed === 0 ? [] : [`${unparsed} not parsed`]),
  ];
  const all = `${counted(entries, "content")} to ${file} (${bytesText(bytes.length)})`;
  return left.length === 0 ? all : `${all}; left out: ${left.join(", ")}`;
}

/** Every file that was left out or could not be read, with the reason. */
function leftOutText({ skips, problems }: IndexSummary): string {
  return [
    ...skips.map(({ path, reason }) => `skipped ${path}: ${skipWords(reason)}`),
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
  for (const { reason } of skips) counts.set(skipWords(reason), (counts.get(skipWords(reason)) ?? 0) + 1);
  return [...counts];
}

const secondsText = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

function summaryJson(
  root: string,
  { meta, files, parsed, fromCache, skips, problems, ms, msTotal, bytes, notices, imported }: IndexSummary,
  exported: ExportedTo | null = null,
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
    ...(imported === undefined ? {} : { imported: importedJson(imported) }),
    ...(exported === null ? {} : { exported: exportedJson(exported) }),
    skipped: skips,
    problems,
    notices,
    ms: Math.round(msTotal),
    ms_by_phase: ms,
    bytes,
  };
}

const importedJson = ({ from, entries, takenOver, compared }: Imported) => ({
  from,
  entries,
  taken_over: takenOver,
  compared,
});

const exportedJson = ({ file, entries, bytes, leftOut }: ExportedTo) => ({
  file,
  entries,
  bytes: bytes.length,
  left_out: leftOut,
});
