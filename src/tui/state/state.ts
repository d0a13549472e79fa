/**
 * Everything the interface knows, as plain read-only data.
 *
 * Text from the task, the repository, a model or the system is raw here, because paths go back into requests unchanged;
 * views escape it. Times are milliseconds of a monotonic clock that ticks bring in. A cursor is always inside its list,
 * 0 in an empty one.
 */
import type { IndexedName } from "../../app/indexing/browse-index.ts";
import type { TaskRound } from "../../app/retrieval/earlier-rounds.ts";
import type { ProgressStep } from "../../app/workspace/environment.ts";
import type { Format } from "../../retrieval/render/formats.ts";
import type { Purpose } from "../../task/query.ts";
import type { KeyAction } from "../keys/key-events.ts";
import type { ListedFile, ReviewState } from "./review-state.ts";
import type { Field } from "./text-field.ts";

/** Columns and rows. */
export type Size = { readonly columns: number; readonly rows: number };

/** Below this size only a line that says so is drawn. */
export const SIZE_MIN: Size = { columns: 40, rows: 8 };

export const isTooSmall = ({ columns, rows }: Size): boolean => columns < SIZE_MIN.columns || rows < SIZE_MIN.rows;

/** How things are drawn; fixed for the process. `screenReader` names what turned linear mode on; null without it. */
export type Look = {
  readonly ascii: boolean;
  readonly colour: boolean;
  readonly screenReader: string | null;
};

/** A step with the time and the progress at which its phase started. */
export type Pace = ProgressStep & { readonly since: number; readonly from: number };

/** `headline` is one line of facts about the index, or the error. */
export type IndexState = {
  readonly status: "unknown" | "missing" | "ready" | "indexing" | "failed";
  readonly files: number | null;
  readonly headline: string;
  readonly step: Pace | null;
  readonly startedAt: number;
};

/** A session to resume. `task` is null when its text is lost; `unsaved`: it has marks that no round applied. */
export type SessionRow = {
  readonly taskId: string;
  readonly task: string | null;
  /** The name that the user gave it. */
  readonly title: string | null;
  /** What its packages are for, where that was said: sessions of one task differ in it. */
  readonly purpose?: Purpose;
  readonly rounds: number;
  readonly lastUsed: string | null;
  readonly unsaved: boolean;
};

export type EntryState = {
  readonly task: Field;
  readonly focus: "task" | "sessions";
  /** Texts of the task before its last edits, the newest last, and those that undo took back. */
  readonly edits: { readonly undo: readonly Field[]; readonly redo: readonly Field[] };
  /** Earlier tasks without duplicates, newest first. */
  readonly history: readonly string[];
  /** Null while they are being read. */
  readonly sessions: readonly SessionRow[] | null;
  readonly filter: Field;
  /** An index into the sessions that match the filter. */
  readonly sessionAt: number;
};

export type StageState = {
  readonly name: string;
  readonly status: "waiting" | "running" | "done" | "stopped";
  readonly startedAt: number;
  /** While the stage runs, the last tick. */
  readonly endedAt: number;
  /** Files considered so far. */
  readonly considered: number;
  readonly counts: Readonly<Record<string, number>>;
};

/** The current model call. `text` is the end of the reply; `heardAt` is when its last part arrived. */
type JudgementState = {
  readonly stage: string;
  readonly model: string;
  readonly candidates: number;
  readonly call: number;
  readonly calls: number;
  /** How long it may take in this run, from the call on, in milliseconds. */
  readonly leftMs: number;
  readonly text: string;
  readonly heardAt: number;
  readonly status: "asked" | "judged" | "remembered" | "failed";
};

/** The latest run. `id` grows with every run, so that late answers to older runs are recognized. */
export type RunState = {
  readonly id: number;
  readonly kind: "retrieve" | "refine";
  /** "cancelling": told to stop and still running. */
  readonly status: "running" | "cancelling" | "done" | "cancelled" | "failed";
  readonly startedAt: number;
  readonly endedAt: number;
  readonly taskId: string | null;
  readonly round: number;
  readonly budget: number | null;
  /** The index update before the first stage. */
  readonly refresh: Pace | null;
  readonly stages: readonly StageState[];
  /** The best score first. */
  readonly files: readonly ListedFile[];
  readonly cursor: number;
  readonly judgement: JudgementState | null;
  readonly notices: readonly { readonly code: string; readonly message: string }[];
  /** The error message of a failed run. */
  readonly failure: string | null;
};

/** What the finder searches and shows. */
export const labelOf = ({ path, name }: IndexedName): string => (name === null ? path : `${path}:${name}`);

/** A match with the matched offsets in its label. */
export type FinderRow = { readonly found: IndexedName; readonly at: readonly number[] };

/** What a filter or a search that is being typed is about. */
export type Filtered = "files" | "symbols" | "sessions" | "preview";

/** A box over the screen, which has the focus. */
export type Overlay =
  | { readonly is: "help" | "command"; readonly top: number }
  | {
      readonly is: "changes";
      readonly cursor: number;
      readonly query: Field;
      /** Whether the query is being typed. */
      readonly isTyping: boolean;
    }
  | { readonly is: "palette"; readonly query: Field; readonly cursor: number }
  | { readonly is: "history"; readonly query: Field; readonly cursor: number }
  | { readonly is: "filter"; readonly of: Filtered }
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
  /** Asks before an experience is stored; `value` is what the user learned. */
  | { readonly is: "remember"; readonly value: Field }
  | { readonly is: "rename"; readonly taskId: string; readonly value: Field }
  | { readonly is: "delete"; readonly session: SessionRow }
  /** The rounds of the task, the newest first; null while they are being read. */
  | { readonly is: "rounds"; readonly rows: readonly TaskRound[] | null; readonly cursor: number }
  | {
      readonly is: "save";
      readonly format: Format;
      readonly path: Field;
      readonly status: "asking" | "exists" | "saving";
      readonly problem: string | null;
    }
  | { readonly is: "quit" };

/** A line for the user, cleared by the next key or another line; what says `info` or is `done` also some seconds after `at`. */
export type Message = {
  readonly kind: "info" | "done" | "doing" | "error";
  readonly text: string;
  readonly at: number;
};

export type InputState = {
  /** The keys of an unfinished chord, joined by spaces. */
  readonly chord: string | null;
  /** Keys that wait for an answer they depend on (`key-buffer.ts`). */
  readonly queue: readonly KeyAction[];
  /** Ctrl-C was the last key; the next one quits. */
  readonly interrupted: boolean;
  readonly mouse: boolean;
  /** The row of the last click, and its time; null if it was elsewhere. */
  readonly clicked: { readonly at: number; readonly time: number } | null;
};

export type State = {
  readonly screen: "entry" | "run" | "review";
  readonly overlay: Overlay | null;
  readonly size: Size;
  readonly look: Look;
  /** The time of the last tick. */
  readonly now: number;
  /** `model` is the configured model; null without one. `modelWords` say more of it as soon as it is known, the name last. */
  readonly project: {
    readonly root: string;
    readonly model: string | null;
    readonly modelWords?: readonly string[];
  };
  readonly index: IndexState;
  readonly entry: EntryState;
  readonly run: RunState | null;
  readonly review: ReviewState | null;
  /** The task of `run` and `review`. */
  readonly task: string;
  readonly taskId: string | null;
  readonly format: Format;
  readonly message: Message | null;
  readonly input: InputState;
};
