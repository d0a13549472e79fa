/** What `cra index` did, as text and as JSON. */
import type { Exported } from "../../app/indexing/export-index.ts";
import type { Imported } from "../../app/indexing/import-index.ts";
import type { IndexSummary, TakenFromStore } from "../../app/indexing/index-repository.ts";
import { bytesText, secondsText, tally } from "../../present/amounts.ts";
import { type Cell, pairs } from "../../present/layout.ts";
import { commitsText } from "../../present/status-report.ts";
import { counted } from "../../text/counted.ts";
import { display } from "../../text/display.ts";
import { skipReason } from "../../text/skip-reason.ts";

/** An export and the file that it was written to. */
export type WrittenExport = Exported & { readonly file: string };

export function summaryText(root: string, summary: IndexSummary, exported: WrittenExport | null): string {
  const { meta, files, skips, problems, msTotal, parsed, imported, fromStore, seededFrom } = summary;
  const { counts, languages } = meta;
  const rows: (readonly [string, Cell])[] = [
    ["files", `${counts.files}  ${tally(languages.map(({ language, files }) => [language, files]))}`],
    ["changes", changesText(files)],
    ...(seededFrom === null ? [] : [["begun with", `the index of ${seededFrom}`] as const]),
    ...(imported === undefined
      ? []
      : [
          [
            "imported",
            `${counted(imported.takenOver, "content")} from ${imported.from}, ${parsed} parsed here`,
          ] as const,
        ]),
    ...(fromStore === undefined ? [] : [["from the store", fromStoreText(fromStore)] as const]),
    ["symbols", counts.symbols],
    ["imports", counts.dependencies],
    ["references", `${counts.references}${meta.scip === undefined ? "" : `, ${exactText(meta.scip)}`}`],
    ["commits", commitsText(meta)],
    ["skipped", skips.length === 0 ? "none" : `${skips.length}  ${tally(byReason(skips))}`],
    ["problems", problems.length === 0 ? "none" : problems.length],
    ...(exported === null ? [] : [["exported", exportedText(exported)] as const]),
  ];
  return `indexed ${display(root)} in ${secondsText(msTotal)}\n${pairs(rows)}`;
}

function fromStoreText({ from, commit, contents, bytes, refused, unknown }: TakenFromStore): string {
  const begun = commit === null ? [] : [`the index of ${commit.slice(0, 12)}`];
  const parts = [
    ...begun,
    ...(contents === 0 ? [] : [`facts of ${counted(contents, "content")}`]),
    ...(unknown === 0 ? [] : [`${unknown} made again`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  const what = parts.length === 0 ? "nothing" : parts.join(", ");
  return `${what}; ${bytesText(bytes)}${from === "" ? "" : ` from ${from}`}`;
}

function exactText({ files, changed, unknown }: NonNullable<IndexSummary["meta"]["scip"]>): string {
  const left = [
    ...(changed === 0 ? [] : [`${changed} had other contents`]),
    ...(unknown === 0 ? [] : [`${unknown} are not in this index`]),
  ];
  const exact = `exact in ${counted(files, "file")} by SCIP`;
  return left.length === 0 ? exact : `${exact} (${left.join(", ")})`;
}

function exportedText({ file, bytes, entries, leftOut: { secret, unparsed } }: WrittenExport): string {
  const left = [
    ...(secret === 0 ? [] : [`${secret} with a secret`]),
    ...(unparsed === 0 ? [] : [`${unparsed} not parsed`]),
  ];
  const all = `${counted(entries, "content")} to ${file} (${bytesText(bytes.length)})`;
  return left.length === 0 ? all : `${all}; left out: ${left.join(", ")}`;
}

/** A line for each file that was skipped or could not be read, with the reason. */
export function leftOutText({ skips, problems }: IndexSummary): string {
  return [
    ...skips.map(({ path, reason }) => `skipped ${path}: ${skipReason(reason)}`),
    ...problems.map(({ path, why }) => `problem ${path}: ${why}`),
  ]
    .map((line) => `${line.replaceAll(/[\n\t]/g, " ")}\n`)
    .join("");
}

export function changesText({ added, changed, removed, unchanged }: IndexSummary["files"]): string {
  return added + changed + removed === 0
    ? "none"
    : `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`;
}

function byReason(skips: IndexSummary["skips"]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { reason } of skips) counts.set(skipReason(reason), (counts.get(skipReason(reason)) ?? 0) + 1);
  return [...counts];
}

export function summaryJson(
  root: string,
  {
    meta,
    files,
    parsed,
    fromCache,
    skips,
    problems,
    ms,
    msTotal,
    bytes,
    notices,
    imported,
    fromStore,
    seededFrom,
  }: IndexSummary,
  exported: WrittenExport | null = null,
) {
  return {
    schema_version: 1,
    repository: root,
    head: meta.head,
    content_hash: meta.contentHash,
    history_problem: meta.historyProblem,
    counts: meta.counts,
    ...(meta.scip === undefined ? {} : { scip: scipJson(meta.scip) }),
    languages: Object.fromEntries(meta.languages.map(({ language, files }) => [language, files])),
    changes: files,
    parsed,
    from_cache: fromCache,
    seeded_from: seededFrom,
    ...(imported === undefined ? {} : { imported: importedJson(imported) }),
    ...(fromStore === undefined ? {} : { from_store: fromStore }),
    ...(exported === null ? {} : { exported: exportedJson(exported) }),
    skipped: skips,
    problems,
    notices,
    ms: Math.round(msTotal),
    ms_by_phase: ms,
    bytes,
  };
}

const scipJson = ({ files, changed, unknown }: NonNullable<IndexSummary["meta"]["scip"]>) => ({
  files,
  changed,
  unknown,
});

const importedJson = ({ from, entries, takenOver, compared }: Imported) => ({
  from,
  entries,
  taken_over: takenOver,
  compared,
});

const exportedJson = ({ file, entries, bytes, leftOut }: WrittenExport) => ({
  file,
  entries,
  bytes: bytes.length,
  left_out: leftOut,
});
