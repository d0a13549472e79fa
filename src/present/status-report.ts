/** The state of the index as text and as JSON, for `cra status` and the status tool. */
import type { Status } from "../app/indexing/status.ts";
import type { ModelStatus } from "../app/upkeep/model-status.ts";
import type { IndexMeta } from "../db/curated/meta.ts";
import { GRAMMAR_PACKAGES } from "../languages/grammar-packages.ts";
import { counted } from "../text/counted.ts";
import { skipReason } from "../text/skip-reason.ts";
import { bytesText, tally } from "./amounts.ts";
import type { StatusAnswer } from "./answers.ts";
import { type Cell, pairs } from "./layout.ts";
import { modelStatusJson, modelStatusRows } from "./model-check-report.ts";

type Row = readonly [string, Cell];

const isOne = ({ members, inStore }: Status): boolean => members.length + inStore.length === 0;

/** Of several repositories a block each, then what they have in common. `grammars`: their number, or all of them with their versions. */
export function statusText(status: Status, model: ModelStatus | null, grammars: "count" | "all" = "count"): string {
  const { root, dataDir, members, inStore, enrichment, stored, shared, runs, versions } = status;
  const rows: Row[] = [
    [isOne(status) ? "repository" : "asked from", root],
    ["data", dataDir],
    ...(isOne(status) ? indexRows(status) : []),
    ...(inStore.length === 0 ? [] : [["in a store", inStore.join(", ")] satisfies Row]),
  ];
  if (enrichment !== null) rows.push(["enriched", enrichedText(enrichment)]);
  rows.push(
    ...modelStatusRows(model),
    ["runs", runs],
    ...stored.map(({ name, bytes, files }): [string, Cell] =>
      name === "sessions" ? [name, `${files}, ${bytesText(bytes)}`] : [`${name} size`, bytesText(bytes)],
    ),
    ...(shared === null ? [] : [["parse cache", sharedText(shared)] satisfies [string, Cell]]),
    ...versions
      .filter(([name]) => name !== KEY_ALONE)
      .map(([name, version]): Row => [name, name === "grammars" && grammars === "count" ? GRAMMARS : version]),
  );
  const blocks = members.map((each): readonly Row[] => [
    [each.name, each.root],
    ["data", each.dataDir],
    ...indexRows(each),
  ]);
  return [...blocks, rows].map(pairs).join("\n");
}

const GRAMMARS = counted(GRAMMAR_PACKAGES.length, "package");

/** A version that is made for comparing, and for programs to read. */
const KEY_ALONE = "extractor";

function indexRows({ index, stale, writer }: Pick<Status, "index" | "stale" | "writer">): readonly Row[] {
  if (index === null) return [["index", writer === null ? "none; run: cra index" : `being made by ${writer}`]];
  const { counts } = index;
  return [
    [
      "index",
      stale === null ? "up to date" : `stale: ${stale}${writer === null ? "" : `; being updated by ${writer}`}`,
    ],
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
  ];
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

/** What `--json` prints. */
export function statusJson(status: Status, model: ModelStatus | null): StatusAnswer {
  const { members, inStore, enrichment, stored, shared, runs, versions } = status;
  return {
    schema_version: 1,
    ...indexJson(status),
    ...(isOne(status) ? {} : { indexed: members.every(({ index }) => index !== null) }),
    repositories: members.map((member) => ({ name: member.name, ...indexJson(member) })),
    in_store: inStore,
    enrichment,
    stored,
    shared: shared === null ? null : { folder: shared.folder, work_trees: shared.workTrees },
    model: modelStatusJson(model),
    runs,
    versions: Object.fromEntries(versions),
  };
}

const indexJson = ({
  root,
  dataDir,
  index,
  stale,
  writer,
}: Pick<Status, "root" | "dataDir" | "index" | "stale" | "writer">) => ({
  repository: root,
  data_dir: dataDir,
  indexed: index !== null,
  stale,
  writer,
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
});

/** The number of commits, with why there are none or only those of an earlier time. */
export function commitsText(index: Pick<IndexMeta, "counts" | "historyProblem" | "keptHistory">): string {
  const { counts, historyProblem: why, keptHistory: kept } = index;
  if (why === null) return String(counts.commits);
  return kept === undefined ? `none: ${why}` : `${counts.commits} of ${kept.head.slice(0, 12)}: ${why}`;
}
