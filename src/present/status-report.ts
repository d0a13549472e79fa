/** The state of the index as text and as JSON, for `cra status` and the status tool. */
import type { Status } from "../app/indexing/status.ts";
import type { ModelStatus } from "../app/upkeep/model-status.ts";
import type { IndexMeta } from "../db/curated/meta.ts";
import { bytesText, counted, tally } from "./amounts.ts";
import type { StatusAnswer } from "./answers.ts";
import { type Cell, pairs } from "./layout.ts";
import { modelStatusJson, modelStatusRows } from "./model-check-report.ts";

export function statusText(
  { root, dataDir, index, stale, enrichment, stored, shared, runs, versions }: Status,
  model: ModelStatus | null,
): string {
  const rows: (readonly [string, Cell])[] = [
    ["repository", root],
    ["data", dataDir],
  ];
  if (index === null) rows.push(["index", "none; run: cra index"]);
  else {
    const { counts } = index;
    rows.push(
      ["index", stale === null ? "up to date" : `stale: ${stale}`],
      [
        "indexed",
        `${index.indexedAt} by cra ${index.craVersion}${index.head === null ? "" : ` at ${index.head.slice(0, 12)}`}`,
      ],
      ["files", `${counts.files}  ${tally(index.languages.map(({ language, files: count }) => [language, count]))}`],
      ["symbols", counts.symbols],
      ["imports", counts.dependencies],
      ["references", counts.references],
      ["commits", commitsText(index)],
      ["skipped", tally(index.skipped.map(({ reason, count }) => [skipReason(reason), count])) || "none"],
    );
  }
  if (enrichment !== null) rows.push(["enriched", enrichedText(enrichment)]);
  rows.push(
    ...modelStatusRows(model),
    ["runs", runs],
    ...stored.map(({ name, bytes, files }): [string, Cell] =>
      name === "sessions" ? [name, `${files}, ${bytesText(bytes)}`] : [`${name} size`, bytesText(bytes)],
    ),
    ...(shared === null ? [] : [["parse cache", sharedText(shared)] satisfies [string, Cell]]),
    ...versions,
  );
  return pairs(rows);
}

/** With more work trees than this, only their number is shown. */
const WORK_TREES_NAMED_MAX = 3;

function sharedText({ folder, workTrees }: NonNullable<Status["shared"]>): string {
  if (workTrees.length === 0) return `${folder}, for all work trees of the repository`;
  const named = workTrees.length > WORK_TREES_NAMED_MAX ? "" : `: ${workTrees.join(", ")}`;
  return `${folder}, shared with ${counted(workTrees.length, "work tree")}${named}`;
}

function enrichedText({ files, answered, promoted }: NonNullable<Status["enrichment"]>): string {
  if (answered + promoted === 0) return "none";
  return `${answered} of ${counted(files, "file")}, ${promoted} in the index`;
}

/** The reason why a file is skipped, as text. */
export const skipReason = (reason: string): string => (reason === "secret" ? "may hold secrets" : reason);

/** What `--json` prints. */
export function statusJson(
  { root, dataDir, index, stale, enrichment, stored, shared, runs, versions }: Status,
  model: ModelStatus | null,
): StatusAnswer {
  return {
    schema_version: 1,
    repository: root,
    data_dir: dataDir,
    indexed: index !== null,
    stale,
    index:
      index === null
        ? null
        : {
            head: index.head,
            content_hash: index.contentHash,
            indexed_at: index.indexedAt,
            cra_version: index.craVersion,
            history_problem: index.historyProblem,
            counts: index.counts,
            languages: Object.fromEntries(index.languages.map(({ language, files: count }) => [language, count])),
            skipped: Object.fromEntries(index.skipped.map(({ reason, count }) => [reason, count])),
          },
    enrichment,
    stored,
    shared: shared === null ? null : { folder: shared.folder, work_trees: shared.workTrees },
    model: modelStatusJson(model),
    runs,
    versions: Object.fromEntries(versions),
  };
}

/** The number of commits, with why there are none or only those of an earlier time. */
export function commitsText(index: Pick<IndexMeta, "counts" | "historyProblem" | "keptHistory">): string {
  const { counts, historyProblem: why, keptHistory: kept } = index;
  if (why === null) return String(counts.commits);
  return kept === undefined ? `none: ${why}` : `${counts.commits} of ${kept.head.slice(0, 12)}: ${why}`;
}
