/**
 * The state of the review screen: a round or a partial result, the user's decisions about it, and what is shown of it.
 *
 * Cursors and `visible` hold indexes into lists. A file never carries a mark that equals what earlier rounds asked for.
 */

import type { IndexedSymbol } from "../../app/indexing/browse-index.ts";
import type { ScoreRow } from "../../app/retrieval/table-rows.ts";
import type { PackageMove } from "../../retrieval/dry-run.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import type { CoverageLevel } from "../../retrieval/packing/worth/coverage-levels.ts";
import type { Constraints } from "../../retrieval/requests/refinement.ts";
import type { Decisions } from "./decisions.ts";
import type { ShippedFile } from "./shipped.ts";
import { EMPTY_FIELD, type Field } from "./text-field.ts";

/**
 * A file in a list, or the diff of a review, which has no path. `rank` counts from 1 and is null for what no round ranked.
 * `tokens` is what the package shows of the file (during a run: what it would take); 0 when it shows nothing. `shipped`
 * says how much the package shows; null when it shows nothing, and during a run.
 */
export type ListedFile = {
  readonly kind: "file" | "diff";
  readonly path: string;
  readonly rank: number | null;
  readonly score: number;
  readonly tier: string;
  readonly tokens: number;
  readonly reason: string;
  readonly shipped: ShippedFile | null;
  /** Of a run that has not finished: how many of its definitions are chosen, and the first line of them. */
  readonly chosen?: { readonly count: number; readonly line: number };
};

/** The row of the diff in a review. */
export const DIFF_LABEL = "diff under review";

/** What a list calls an entry. */
export const nameOf = ({ kind, path }: Pick<ListedFile, "kind" | "path">): string =>
  kind === "diff" ? DIFF_LABEL : path;

/** Whether an entry is a part of the package. */
export const isShipped = ({ kind, shipped }: ListedFile): boolean => kind === "diff" || shipped !== null;

/** Whether a round was made before the index was made or up to date. */
export const isFirstAnswer = (round: Pick<Round, "package"> | null): boolean =>
  round?.package.provenance.provisional !== undefined;

/** A finished round. `command` is the quoted shell command that produces it without the interface. */
export type Round = {
  readonly taskId: string;
  readonly number: number;
  /** The number of the newest round of the task. */
  readonly latest: number;
  readonly package: ContextPackage;
  readonly scores: readonly ScoreRow[];
  /** How much the package shows of each of its files, in its order. */
  readonly ships: readonly ShippedFile[];
  /** The tokens of the diff of a review; null in other tasks. */
  readonly diffTokens: number | null;
  /** What this and all earlier rounds asked for. */
  readonly constraints: Constraints;
  /** What earlier rounds asked for and this one does not apply, in words; null when there is nothing. */
  readonly notApplied: string | null;
  readonly command: string;
  /** False where nothing may be written: then no later round, and no other cra, finds this one. */
  readonly isRecorded: boolean;
  /** The coverages to step through, the narrowest first. */
  readonly levels: readonly CoverageLevel[];
};

/**
 * One line of a preview. A line of the file has its number; a line without one is a signature, or a "mark" that says what is
 * omitted or what follows.
 */
export type PreviewLine = {
  readonly kind: "code" | "mark";
  readonly number: number | null;
  readonly text: string;
};

/** A whole file, read from the index; `lines` is null if that failed. */
export type LoadedPreview = {
  readonly path: string;
  readonly language: string;
  readonly lines: readonly PreviewLine[] | null;
};

/** A definition as the index has it. `tokens` is null when it was not counted. */
export type OutlineSymbol = Omit<IndexedSymbol, "tokens"> & { readonly tokens: number | null };

/** A definition with what the package shows of it. */
export type SymbolRow = OutlineSymbol & {
  readonly tier: string | null;
  readonly detail: "body" | "excerpt" | "signature" | null;
  readonly why: string;
};

/** The symbols of one file; `rows` is null while they are being read. */
export type SymbolsState = {
  readonly path: string;
  readonly rows: readonly SymbolRow[] | null;
  readonly filter: Field;
  /** An index into the rows that match the filter. */
  readonly cursor: number;
};

export const moveName = ({ path, item }: Omit<PackageMove, "tokens">): string =>
  item === null ? path : `${item} (${path.slice(path.lastIndexOf("/") + 1)})`;

/**
 * What the next round would give with the current marks and budget; lists are in order of priority. `exact`: a real
 * round would give exactly this. `rejecting`: what rejecting the file under the cursor would free.
 */
export type DryRun = {
  readonly tokens: number;
  readonly budget: number;
  readonly exact: boolean;
  readonly enters: readonly PackageMove[];
  readonly leaves: readonly PackageMove[];
  /** What a smaller budget would drop first. */
  readonly nextOut: PackageMove | null;
  /** What a larger budget would add first. */
  readonly nextIn: PackageMove | null;
  readonly rejecting: { readonly path: string; readonly frees: number; readonly enters: readonly PackageMove[] } | null;
};

/**
 * `result` answers the request `answered`, which is older than `requested` while one is open. `isAwaited`: the user changed
 * the coverage and is told what that changes.
 */
type DryRunState = {
  readonly result: DryRun | null;
  readonly requested: number;
  readonly answered: number;
  readonly isAwaited: boolean;
};

/**
 * How the file under the cursor is shown. `top` is the first line, null to open at what the task is about; `left` is the first
 * column. `query` is searched for, or the words of the task without one; `hit` is the line that a search went to.
 */
export type PreviewState = {
  readonly top: number | null;
  readonly left: number;
  readonly wrap: boolean;
  /** Shows the whole file instead of what the package shows of it. */
  readonly whole: boolean;
  readonly query: Field;
  readonly hit: number | null;
  readonly loaded: LoadedPreview | null;
};

export const EMPTY_PREVIEW: PreviewState = {
  top: null,
  left: 0,
  wrap: false,
  whole: false,
  query: EMPTY_FIELD,
  hit: null,
  loaded: null,
};

/** The preview of another file, with the same search. */
export const atOtherFile = (preview: PreviewState): PreviewState => ({
  ...preview,
  top: null,
  left: 0,
  whole: false,
  hit: null,
});

export type ReviewState = {
  /** Null for the partial result of a stopped run. */
  readonly round: Round | null;
  /** What the package shows, in its order; then ranked files by rank, and files that only a mark or an earlier round names. */
  readonly files: readonly ListedFile[];
  /** Indexes of the listed files: in list order, with a filter the best match first. */
  readonly visible: readonly number[];
  readonly filter: Field;
  /** Whether files that were left out are listed too, which a filter always searches, and the reasons of a file. */
  readonly shows: { readonly leftOut: boolean; readonly reasons: boolean };
  /** An index into `visible`. */
  readonly cursor: number;
  /** Where a range started, an index into `visible`; null without a range. */
  readonly rangeFrom: number | null;
  readonly decisions: Decisions;
  /** What earlier rounds asked for; a mark overrides it in the next round. */
  readonly constraints: Constraints;
  readonly notes: string;
  /** The pane with the focus; a narrow terminal shows only this one. */
  readonly pane: "list" | "preview";
  readonly preview: PreviewState;
  readonly symbols: SymbolsState | null;
  readonly dryRun: DryRunState;
};

/** Whether an earlier round than the newest is looked at. */
export const isEarlier = ({ round }: Pick<ReviewState, "round">): boolean =>
  round !== null && round.number < round.latest;

/** The file under the cursor; null in an empty list. */
export const currentFile = ({ files, visible, cursor }: ReviewState): ListedFile | null =>
  files[visible[cursor] ?? -1] ?? null;
