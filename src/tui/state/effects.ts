/**
 * What the terminal interface asks of the world, as data. Performed by `effect-runner.ts`; answers come back as actions.
 *
 * Invariants: an effect is complete: performing it needs no look at the state. Of questions with an id the newest
 * counts; the effectRunner may drop older ones.
 */
import type { Format } from "../../config/keys.ts";
import type { RefinementRequest } from "../../retrieval/model/refinement.ts";
import type { Draft } from "./draft.ts";

export type Effect =
  /** A new task. `request` is what the user asked for while no round had finished; `budget` null: that of the settings. */
  | {
      readonly do: "retrieve";
      readonly run: number;
      readonly task: string;
      readonly request: RefinementRequest;
      readonly budget: number | null;
    }
  /** One more round. A null `budget` is that of the round before. */
  | {
      readonly do: "refine";
      readonly run: number;
      readonly taskId: string;
      readonly request: RefinementRequest;
      readonly budget: number | null;
    }
  /** Stops the run; `cancelled` (or `finished`, if it was quicker) follows. */
  | { readonly do: "cancel"; readonly run: number }
  /** Brings the index up to date; `indexing` steps and one `index-known` follow. */
  | { readonly do: "index" }
  | { readonly do: "cancel-index" }
  /** Reads what the entry screen shows: `index-known` and `home-loaded` follow. */
  | { readonly do: "load-home" }
  | { readonly do: "resume"; readonly taskId: string }
  /** The text of a file that the package shows nothing of. */
  | { readonly do: "load-preview"; readonly path: string }
  | { readonly do: "load-outline"; readonly path: string }
  /** Matches all indexed files and symbols; `found` follows with at most `limit` rows. */
  | { readonly do: "find"; readonly query: string; readonly limit: number }
  /** What the request would do to the newest round, and what rejecting one more file would free. */
  | {
      readonly do: "dry-run";
      readonly id: number;
      readonly request: RefinementRequest;
      readonly budget: number | null;
      readonly rejecting: string | null;
    }
  /** Writes the newest round's package. */
  | { readonly do: "save"; readonly format: Format; readonly path: string; readonly overwrite: boolean }
  /** Puts text on the clipboard where the terminal can: a text of our own, or the package in a format. */
  | { readonly do: "copy"; readonly text: string; readonly what: string }
  | { readonly do: "copy-package"; readonly format: Format; readonly what: string }
  /** Makes an experience of a task; a `told` says which. `lack` is what is not in it yet. */
  | { readonly do: "remember-task"; readonly taskId: string; readonly lack: string | null }
  /** The task's text in the user's editor; `edited` follows. */
  | { readonly do: "edit-text"; readonly text: string }
  /** A file of the repository in the user's editor, at a line. */
  | { readonly do: "edit-file"; readonly path: string; readonly line: number }
  /** Keeps what must outlive the process. Of several at once the last is enough. */
  | { readonly do: "persist"; readonly draft: Draft }
  | { readonly do: "mouse"; readonly on: boolean }
  | { readonly do: "redraw" }
  | { readonly do: "suspend" }
  | { readonly do: "quit" };
