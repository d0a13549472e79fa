/**
 * All that the terminal interface knows, as plain read-only data.
 *
 * Text from the task, the repository, a model and the system is raw here: paths go back into requests as they are.
 * A view passes every text through `display()` before it shows it. Times are milliseconds of one clock that never goes
 * back, brought in by ticks. Invariants: a cursor is within its list (0 in an empty one); no place is both marked and
 * equal to what earlier rounds hold; whatever a view needs to window a list follows from its cursor and the size.
 * Not here: what changes it (`update.ts`), and what of it outlives the process (`draft.ts`).
 */
import type { ScoreRow, ShownRow } from "../../app/app-types.ts";
import type { Format } from "../../config/keys.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import type { Constraints } from "../../retrieval/model/refinement.ts";
import type { KeyAction } from "../keys/key-events.ts";
import type { Decisions } from "./decisions.ts";
import type { Field } from "./text-field.ts";

export type Screen = "entry" | "run" | "review";

/** Columns and rows of the terminal. */
export type Size = { readonly columns: number; readonly rows: number };

/** How things are drawn; fixed for the process. `screenReader` names what asked for the linear mode, or is null. */
export type Look = {
  readonly ascii: boolean;
  readonly colour: boolean;
  readonly screenReader: string | null;
};

/** How far a long job is; `total` is null while it is not known. */
export type Step = { readonly phase: string; readonly done: number; readonly total: number | null };

/** A step with the time at which its phase was first heard of, and how much was done then. */
export type Pace = Step & { readonly since: number; readonly from: number };

/** The index as the entry screen tells of it. `headline` is one line of its facts or of what failed. */
export type IndexState = {
  readonly status: "unknown" | "missing" | "ready" | "indexing" | "failed";
  readonly files: number | null;
  readonly headline: string;
  readonly step: Pace | null;
  readonly startedAt: number;
};

/** A task that can be resumed. `task` is null when its text is lost; `unsaved`: marks wait that no round has seen. */
export type SessionRow = {
  readonly taskId: string;
  readonly task: string | null;
  readonly rounds: number;
  readonly lastUsed: string | null;
  readonly unsaved: boolean;
};

/** `historyAt` is the place in the history that is shown, null for one's own text, which `ownText` keeps meanwhile. */
export type EntryState = {
  readonly task: Field;
  readonly focus: "task" | "sessions";
  /** Tasks asked for before, the newest first, each once. */
  readonly history: readonly string[];
  readonly historyAt: number | null;
  readonly ownText: string;
  /** Null while they are being read. */
  readonly sessions: readonly SessionRow[] | null;
  readonly sessionAt: number;
};

/**
 * A file in a ranked list. `rank` counts from 1, null for one that the user added and no round has ranked; `tokens` is
 * what the package shows of it (in a run: what it would take), 0 when it shows nothing.
 */
export type ListedFile = {
  readonly path: string;
  readonly rank: number | null;
  readonly score: number;
  readonly tier: string;
  readonly tokens: number;
  readonly reason: string;
};

export type StageState = {
  readonly name: string;
  readonly status: "waiting" | "running" | "done" | "stopped";
  readonly startedAt: number;
  /** The end, or the last tick while it runs. */
  readonly endedAt: number;
  /** Files considered so far. */
  readonly considered: number;
  readonly counts: Readonly<Record<string, number>>;
};

/** What a model is asked just now. `text` is the end of its reply; `heardAt` when the last piece of it came. */
export type JudgementState = {
  readonly stage: string;
  readonly model: string;
  readonly candidates: number;
  readonly call: number;
  readonly calls: number;
  readonly text: string;
  readonly heardAt: number;
  readonly status: "asked" | "judged" | "remembered" | "failed";
};

/**
 * The newest run. `id` grows with every run, so that an answer of an older one is known as such. `files` is sorted by
 * score, the best first. "cancelling": asked to stop and not yet stopped; input goes on.
 */
export type RunState = {
  readonly id: number;
  readonly kind: "retrieve" | "refine";
  readonly status: "running" | "cancelling" | "done" | "cancelled" | "failed";
  readonly startedAt: number;
  readonly endedAt: number;
  readonly taskId: string | null;
  readonly round: number;
  readonly budget: number | null;
  /** Bringing the index up to date, before the first stage. */
  readonly refresh: Pace | null;
  readonly stages: readonly StageState[];
  readonly files: readonly ListedFile[];
  readonly cursor: number;
  readonly judgement: JudgementState | null;
  readonly notices: readonly { readonly code: string; readonly message: string }[];
  /** What stopped it, as a sentence; null otherwise. */
  readonly failure: string | null;
};

/** A finished round, as an app's result tells it. `command` is the quoted one-liner that gives it without the interface. */
export type Round = {
  readonly taskId: string;
  readonly number: number;
  readonly package: ContextPackage;
  readonly scores: readonly ScoreRow[];
  readonly shown: readonly ShownRow[];
  /** All that was asked for up to it, itself included. */
  readonly constraints: Constraints;
  readonly command: string;
};

/** One line of a preview. "code" has a number; "mark" says what is left out or what follows. */
export type PreviewLine = {
  readonly kind: "code" | "mark";
  readonly number: number | null;
  readonly text: string;
};

/** The text of a file that the package shows nothing of, from the index; null where that cannot be read. */
export type LoadedPreview = {
  readonly path: string;
  readonly language: string;
  readonly lines: readonly PreviewLine[] | null;
};

/** A definition in a file, as the index has it. `tokens` is null where it is not counted. */
export type OutlineSymbol = {
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: number | null;
};

/** A row of the symbols of a file: the index's facts with what the package does about it. */
export type SymbolRow = OutlineSymbol & {
  readonly tier: string | null;
  readonly detail: "body" | "excerpt" | "signature" | null;
  readonly why: string;
};

/** The symbols of one file. Null `rows`: being read. */
export type SymbolsState = {
  readonly path: string;
  readonly rows: readonly SymbolRow[] | null;
  readonly cursor: number;
};

/** A thing that a changed request would bring in or put out. `item` is null for a file as a whole. */
export type Moved = { readonly path: string; readonly item: string | null; readonly tokens: number };

/**
 * What would be if the marks and the budget became a request. Lists have the first first. `rejecting` is about the
 * file under the cursor: what leaving it out would free. `exact`: a refinement gives just that.
 */
export type DryRun = {
  readonly tokens: number;
  readonly budget: number;
  readonly exact: boolean;
  readonly enters: readonly Moved[];
  readonly leaves: readonly Moved[];
  /** What a smaller budget would take out first. */
  readonly nextOut: Moved | null;
  /** What a larger budget would bring in first. */
  readonly nextIn: Moved | null;
  readonly rejecting: { readonly path: string; readonly frees: number; readonly enters: readonly Moved[] } | null;
};

/**
 * Review of a round, or of what a cancelled run had found (`round` is null, `partial` true). `files` is by rank, then
 * those the user added; `visible` are places in it that the filter leaves, in the list's order; `cursor` is a place in
 * `visible`; `rangeFrom` the place in `visible` where a range began.
 */
export type ReviewState = {
  readonly round: Round | null;
  readonly partial: boolean;
  readonly files: readonly ListedFile[];
  readonly visible: readonly number[];
  readonly filter: Field;
  readonly cursor: number;
  readonly rangeFrom: number | null;
  readonly decisions: Decisions;
  /** What earlier rounds asked for; a mark overrules it in the next. */
  readonly held: Constraints;
  /** The budget of the next round in tokens; null: as it is. */
  readonly budget: number | null;
  readonly notes: string;
  /** In a narrow terminal only this pane is shown; in a wide one it has the keys. */
  readonly pane: "list" | "preview";
  readonly previewTop: number;
  readonly reasonShown: boolean;
  readonly loaded: LoadedPreview | null;
  readonly symbols: SymbolsState | null;
  /** The answer to the newest question `whatIfId`, or to an older one while it is open; null before the first. */
  readonly whatIf: DryRun | null;
  readonly whatIfId: number;
  readonly whatIfAnswered: number;
};

/** A name that the finder can add. `name` is a qualified name, null for a file. */
export type IndexedName = { readonly path: string; readonly name: string | null; readonly kind: string };

/** A name with the places in its label (`labelOf`) that matched. */
export type FinderRow = { readonly found: IndexedName; readonly at: readonly number[] };

/** What lies over the screen and has the keys. */
export type Overlay =
  | { readonly is: "help" | "changes" | "command"; readonly top: number }
  | { readonly is: "palette"; readonly query: Field; readonly cursor: number }
  | { readonly is: "history"; readonly query: Field; readonly cursor: number }
  | { readonly is: "filter" }
  | {
      readonly is: "finder";
      readonly query: Field;
      /** The query that `rows` answer; null before the first answer. */
      readonly answered: string | null;
      readonly rows: readonly FinderRow[];
      readonly matches: number;
      readonly of: number;
      readonly cursor: number;
    }
  | { readonly is: "budget"; readonly value: Field; readonly problem: string | null }
  | { readonly is: "notes"; readonly value: Field }
  | {
      readonly is: "save";
      readonly format: Format;
      readonly path: Field;
      readonly status: "asking" | "exists" | "saving";
      readonly problem: string | null;
    }
  | { readonly is: "quit" };

/** One line for the user; gone at the next key, or some seconds after `at`. "done": what was asked for has happened. */
export type Message = { readonly kind: "info" | "done" | "error"; readonly text: string; readonly at: number };

export type State = {
  readonly screen: Screen;
  readonly overlay: Overlay | null;
  readonly size: Size;
  readonly look: Look;
  /** The last tick. */
  readonly now: number;
  /** The repository's root, for the title. */
  readonly root: string;
  /** The model of the settings, null without one. */
  readonly model: string | null;
  readonly index: IndexState;
  readonly entry: EntryState;
  readonly run: RunState | null;
  readonly review: ReviewState | null;
  /** The task of `run` and `review`, as it was asked. */
  readonly task: string;
  readonly taskId: string | null;
  readonly format: Format;
  readonly message: Message | null;
  /** The keys of a chord that has begun, joined by spaces. */
  readonly chord: string | null;
  /** Keys that wait for an answer from outside, which they are about (`key-buffer.ts`). */
  readonly ahead: readonly KeyAction[];
  /** Ctrl-C was the last key; one more leaves. */
  readonly interrupted: boolean;
  readonly mouse: boolean;
};

/** Below this nothing can be drawn but a line that says so. */
export const SIZE_MIN: Size = { columns: 40, rows: 8 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < SIZE_MIN.columns || rows < SIZE_MIN.rows;

/** The file under the cursor of the review, null in an empty list. */
export function currentFile(review: ReviewState): ListedFile | null {
  return review.files[review.visible[review.cursor] ?? -1] ?? null;
}
