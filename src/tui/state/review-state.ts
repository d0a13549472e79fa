/**
 * The state of the review screen: a round or a partial result, the user's decisions about it, and what is shown of it.
 *
 * Cursors and `visible` hold indexes into lists. A file never carries a mark that equals what earlier rounds asked for.
 */
import type { ScoreRow, ShownRow } from "../../app/retrieval/retrieve.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import type { Constraints } from "../../retrieval/model/refinement.ts";
import type { CoverageLevel } from "../../retrieval/packing/coverage-levels.ts";
import type { Decisions } from "./decisions.ts";
import type { Field } from "./text-field.ts";

/**
 * A file in a ranked list. `rank` counts from 1 and is null for a file that no round ranked. `tokens` is what the
 * package shows of the file (during a run: what it would take); 0 when it shows nothing.
 */
export type ListedFile = {
  readonly path: string;
  readonly rank: number | null;
  readonly score: number;
  readonly tier: string;
  readonly tokens: number;
  readonly reason: string;
};

/** Whether a round was made before the index was made or up to date. */
export const isFirstAnswer = (round: Pick<Round, "package"> | null): boolean =>
  round?.package.provenance.provisional !== undefined;

/** A finished round. `command` is the quoted shell command that produces it without the interface. */
export type Round = {
  readonly taskId: string;
  readonly number: number;
  readonly package: ContextPackage;
  readonly scores: readonly ScoreRow[];
  readonly shown: readonly ShownRow[];
  /** What this and all earlier rounds asked for. */
  readonly constraints: Constraints;
  /** What earlier rounds asked for and this one does not apply, in words; null when there is nothing. */
  readonly notApplied: string | null;
  readonly command: string;
  /** The coverages to step through, the narrowest first. */
  readonly levels: readonly CoverageLevel[];
};

/** One line of a preview. Only "code" has a number; "mark" says what is omitted or what follows. */
export type PreviewLine = {
  readonly kind: "code" | "mark";
  readonly number: number | null;
  readonly text: string;
};

/** A file that the package shows nothing of, read from the index; `lines` is null if that failed. */
export type LoadedPreview = {
  readonly path: string;
  readonly language: string;
  readonly lines: readonly PreviewLine[] | null;
};

/** A definition as the index has it. `tokens` is null when it was not counted. */
export type OutlineSymbol = {
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: number | null;
};

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
  readonly cursor: number;
};

/** Something that enters or leaves the package. `item` is null for a whole file. */
export type PackageMove = { readonly path: string; readonly item: string | null; readonly tokens: number };

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
export type DryRunState = {
  readonly result: DryRun | null;
  readonly requested: number;
  readonly answered: number;
  readonly isAwaited: boolean;
};

export type ReviewState = {
  /** Null for the partial result of a stopped run. */
  readonly round: Round | null;
  /** Ranked files by rank, then files that only a mark or an earlier round names. */
  readonly files: readonly ListedFile[];
  /** Indexes of the files that match the filter, in list order. */
  readonly visible: readonly number[];
  readonly filter: Field;
  /** An index into `visible`. */
  readonly cursor: number;
  /** Where a range started, an index into `visible`; null without a range. */
  readonly rangeFrom: number | null;
  readonly decisions: Decisions;
  /** What earlier rounds asked for; a mark overrides it in the next round. */
  readonly constraints: Constraints;
  /** The budget of the next round in tokens; null when unchanged. */
  readonly budget: number | null;
  readonly notes: string;
  /** The pane with the focus; a narrow terminal shows only this one. */
  readonly pane: "list" | "preview";
  readonly preview: { readonly top: number; readonly loaded: LoadedPreview | null };
  readonly reasonShown: boolean;
  readonly symbols: SymbolsState | null;
  readonly dryRun: DryRunState;
};

/** The file under the cursor; null in an empty list. */
export const currentFile = ({ files, visible, cursor }: ReviewState): ListedFile | null =>
  files[visible[cursor] ?? -1] ?? null;
