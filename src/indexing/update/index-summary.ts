/** What an index run reports of itself. */
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { CuratedWriter } from "../../db/curated/write/write.ts";
import { historyNotices, type Notice } from "../../notice.ts";
import { byPath } from "../../text/order.ts";
import type { Problem, Skip } from "../model/index-run.ts";
import type { IndexDeps } from "./index-deps.ts";
import type { ScanResult } from "./scan/scan-and-parse.ts";
import type { PhaseTimes, Stopwatch } from "./stopwatch.ts";

/** What a run did, and what the index holds now. */
export type IndexSummary = {
  /** False if the index was already current. */
  readonly changed: boolean;
  readonly meta: StoredMeta;
  readonly files: {
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
    readonly unchanged: number;
  };
  readonly parsed: number;
  readonly fromCache: number;
  readonly skips: readonly Skip[];
  /** What could not be read (files, which are skipped, and `.git`) or parsed (indexed as text), by path. */
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  readonly ms: PhaseTimes;
  readonly msTotal: number;
  /** Size of the index on disk. */
  readonly bytes: number;
};

/** What the summary needs of a run. */
type Run = {
  readonly deps: IndexDeps;
  readonly writer: Pick<CuratedWriter, "skips">;
  readonly watch: Stopwatch;
  readonly startedMs: number;
};

/** The summary of a run that the change fingerprint ended. */
export function unchangedSummary(run: Run, meta: StoredMeta, unparsed: readonly Problem[]): IndexSummary {
  const { writer } = run;
  const skips = writer.skips().toSorted(byPath);
  const scan = { skips, problems: [], parsed: 0, fromCache: 0 };
  const plan = { added: [], changed: [], removed: [] };
  return summaryOf(run, meta, { plan, scan, parsed: 0, changed: false }, unparsed);
}

type PlanSizes = Readonly<Record<"added" | "changed" | "removed", { readonly length: number }>>;

export function summaryOf(
  { deps, watch, startedMs }: Run,
  meta: StoredMeta,
  {
    plan,
    scan,
    parsed,
    changed,
  }: {
    readonly plan: PlanSizes;
    readonly scan: Pick<ScanResult, "skips" | "problems" | "parsed" | "fromCache">;
    readonly parsed: number;
    readonly changed: boolean;
  },
  unparsed: readonly Problem[],
): IndexSummary {
  const { historyProblem: why } = meta;
  const unread = why !== null && deps.git.isUnread(why) ? [{ path: ".git", why }] : [];
  return {
    changed,
    meta,
    files: {
      added: plan.added.length,
      changed: plan.changed.length,
      removed: plan.removed.length,
      unchanged: meta.counts.files - plan.added.length - plan.changed.length,
    },
    parsed: scan.parsed + parsed,
    fromCache: scan.fromCache,
    skips: scan.skips,
    problems: [...scan.problems, ...unparsed, ...unread].sort(byPath),
    notices: historyNotices(meta),
    ms: watch.times(),
    msTotal: deps.nowMs() - startedMs,
    bytes: deps.store.indexBytes(),
  };
}
