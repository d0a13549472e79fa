/**
 * Every event that can change the interface, as data.
 *
 * Each key is an action of its own, so that a burst of keys equals single keys. Answers carry the id of their request; a
 * late answer changes nothing.
 */
import type { TaskRound } from "../../app/retrieval/earlier-rounds.ts";
import type { ProgressStep } from "../../app/workspace/environment.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { KeyAction } from "../keys/key-events.ts";
import type { Draft } from "./draft.ts";
import type { Target } from "./layout/hit-test.ts";
import type { DryRun, LoadedPreview, OutlineSymbol, Round } from "./review-state.ts";
import type { FinderRow, IndexState, Message, SessionRow, Size } from "./state.ts";

export type Action =
  | KeyAction
  /** The mouse wheel over a target; `by` is in rows, positive downward. */
  | { readonly is: "wheel"; readonly by: number; readonly target: Target | null }
  | { readonly is: "clicked"; readonly target: Target }
  | { readonly is: "resized"; readonly size: Size }
  /** Before every other action, and about ten times a second while something runs. */
  | { readonly is: "tick"; readonly now: number }
  /** Pipeline events in order, several at once because that is cheaper. */
  | { readonly is: "events"; readonly run: number; readonly events: readonly PipelineEvent[] }
  /** A step of the index update before a run. */
  | { readonly is: "refreshing"; readonly run: number; readonly step: ProgressStep }
  /** `draft` is that of the task, as it was left before this run; absent where there is none. */
  | { readonly is: "finished"; readonly run: number; readonly round: Round; readonly draft?: Draft }
  /** The user stopped the run. */
  | { readonly is: "cancelled"; readonly run: number }
  | { readonly is: "failed"; readonly run: number; readonly message: string }
  | { readonly is: "indexing"; readonly step: ProgressStep }
  /** The state of the index, at the start and after indexing ended in any way. */
  | { readonly is: "index-known"; readonly index: Pick<IndexState, "status" | "files" | "headline"> }
  | {
      readonly is: "home-loaded";
      readonly sessions: readonly SessionRow[];
      readonly history: readonly string[];
      readonly model?: readonly string[];
    }
  /** What the header says of the configured model. */
  | { readonly is: "model-known"; readonly model: readonly string[] }
  /**
   * A session was read. `round` is null if no round has finished, `draft` if nothing is unsaved, `taskId` for the draft of
   * a task that never ran.
   */
  | {
      readonly is: "resumed";
      readonly taskId: string | null;
      readonly task: string;
      readonly round: Round | null;
      readonly draft: Draft | null;
    }
  | { readonly is: "rounds-loaded"; readonly rows: readonly TaskRound[] }
  | { readonly is: "round-loaded"; readonly round: Round }
  | { readonly is: "session-deleted"; readonly taskId: string }
  | { readonly is: "preview-loaded"; readonly preview: LoadedPreview }
  | { readonly is: "outline-loaded"; readonly path: string; readonly symbols: readonly OutlineSymbol[] }
  | {
      readonly is: "found";
      readonly query: string;
      readonly rows: readonly FinderRow[];
      readonly matches: number;
      readonly of: number;
    }
  | { readonly is: "dry-run-finished"; readonly id: number; readonly result: DryRun }
  /** The edited text; null if the terminal could not be lent to the editor. */
  | { readonly is: "edited"; readonly text: string | null }
  | { readonly is: "saved"; readonly path: string; readonly bytes: number; readonly untracked: boolean }
  /** The text is too long for the clipboard of a terminal. */
  | { readonly is: "copy-too-long"; readonly what: string }
  | { readonly is: "save-exists"; readonly path: string }
  | { readonly is: "save-failed"; readonly message: string }
  | { readonly is: "message"; readonly kind: Message["kind"]; readonly text: string };
