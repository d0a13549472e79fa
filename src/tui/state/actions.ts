/**
 * Everything that can happen to the terminal interface, as data.
 *
 * Keys come in as presses, one action each, so that a burst equals single presses; `update.ts` looks up what they mean
 * where the keys are just then. Answers carry the id of what they answer; a late one changes nothing.
 */
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { KeyAction } from "../keys/key-events.ts";
import type { Draft } from "./draft.ts";
import type {
  DryRun,
  FinderRow,
  IndexState,
  LoadedPreview,
  Message,
  OutlineSymbol,
  Round,
  SessionRow,
  Size,
  Step,
} from "./state.ts";

export type Action =
  | KeyAction
  /** The wheel; `by` is in rows, downward positive. */
  | { readonly is: "wheel"; readonly by: number }
  /** A click on a place of the list that has the keys; in the review, a place in `visible`. */
  | { readonly is: "clicked"; readonly at: number }
  | { readonly is: "resized"; readonly size: Size }
  /** Time goes on: with everything else that happens, and about ten times a second while something runs. */
  | { readonly is: "tick"; readonly now: number }
  /** What the pipeline said, in order; several at once are cheaper than one by one. */
  | { readonly is: "events"; readonly run: number; readonly events: readonly PipelineEvent[] }
  /** The index is brought up to date before a run. */
  | { readonly is: "refreshing"; readonly run: number; readonly step: Step }
  | { readonly is: "finished"; readonly run: number; readonly round: Round }
  /** The run stopped because it was asked to. */
  | { readonly is: "cancelled"; readonly run: number }
  /** The run failed; `message` is the failure's sentence. */
  | { readonly is: "failed"; readonly run: number; readonly message: string }
  /** A step of indexing by the entry screen's key. */
  | { readonly is: "indexing"; readonly step: Step }
  /** The index as it is now: at the start, and after indexing ended in any way. */
  | { readonly is: "index-known"; readonly index: Pick<IndexState, "status" | "files" | "headline"> }
  | { readonly is: "home-loaded"; readonly sessions: readonly SessionRow[]; readonly history: readonly string[] }
  /**
   * A session stands as it stood. Null `round`: no round has finished; null `draft`: nothing unsaved is known. A draft
   * that belongs to no task yet comes with a null `taskId`.
   */
  | {
      readonly is: "resumed";
      readonly taskId: string | null;
      readonly task: string;
      readonly round: Round | null;
      readonly draft: Draft | null;
    }
  | { readonly is: "preview-loaded"; readonly preview: LoadedPreview }
  | { readonly is: "outline-loaded"; readonly path: string; readonly symbols: readonly OutlineSymbol[] }
  | {
      readonly is: "found";
      readonly query: string;
      readonly rows: readonly FinderRow[];
      /** How many match, of how many. */
      readonly matches: number;
      readonly of: number;
    }
  | { readonly is: "dry-run-finished"; readonly id: number; readonly whatIf: DryRun }
  /** The text that the editor left; null when it was not changed or the editor failed (a `told` says why). */
  | { readonly is: "edited"; readonly text: string | null }
  | { readonly is: "saved"; readonly path: string; readonly bytes: number }
  /** Something is already at the path. */
  | { readonly is: "save-exists"; readonly path: string }
  | { readonly is: "save-failed"; readonly message: string }
  /** One line to show: what was copied, what went wrong. */
  | { readonly is: "message"; readonly kind: Message["kind"]; readonly text: string };
