/**
 * Everything the interface asks of the outside, as data. The effect runner answers with actions.
 *
 * An effect is complete: running it needs no look at the state. Of requests with an id the newest counts.
 */

import type { Coverage } from "../../retrieval/model/budget.ts";
import type { Format } from "../../retrieval/render/formats.ts";
import type { RefinementRequest, StandingChoice } from "../../retrieval/requests/refinement.ts";
import type { Draft } from "./draft.ts";

/** What a package is asked for. A null `budget` or `coverage` is that of the round before, or the configured one. */
export type Asked = {
  readonly request: RefinementRequest;
  readonly budget: number | null;
  readonly coverage: Coverage | null;
};

export type Effect =
  /** Runs a new task. `request` holds decisions made before any round finished. */
  | (Asked & { readonly do: "retrieve"; readonly run: number; readonly task: string })
  /** Runs one more round. `standing`: what to do with what rounds before the newest one asked for. */
  | (Asked & {
      readonly do: "refine";
      readonly run: number;
      readonly taskId: string;
      readonly standing?: StandingChoice;
    })
  /** Runs a new round that asks for what an earlier one did, and for the request. */
  | (Asked & { readonly do: "return"; readonly run: number; readonly taskId: string; readonly round: number })
  /** Stops the run; `cancelled` follows, or `finished` if that was quicker. */
  | { readonly do: "cancel"; readonly run: number }
  /** Updates the index; `indexing` steps and one `index-known` follow. */
  | { readonly do: "index" }
  | { readonly do: "cancel-index" }
  /** Reads what the first screen shows; `index-known` and `home-loaded` follow. */
  | { readonly do: "load-home" }
  | { readonly do: "resume"; readonly taskId: string }
  | { readonly do: "load-preview"; readonly path: string }
  | { readonly do: "load-outline"; readonly path: string }
  /** Searches all indexed files and symbols; `found` follows with at most `limit` rows. */
  | { readonly do: "find"; readonly query: string; readonly limit: number }
  /** Computes what the request would change, and what rejecting one more file would free. */
  | (Asked & { readonly do: "dry-run"; readonly id: number; readonly rejecting: string | null })
  | { readonly do: "save"; readonly format: Format; readonly path: string; readonly overwrite: boolean }
  /** Copies text or the package to the clipboard; `what` names it in the message. */
  | { readonly do: "copy"; readonly text: string; readonly what: string }
  | { readonly do: "copy-package"; readonly format: Format; readonly what: string }
  /** Saves the task as an experience. `unapplied` says which changes it lacks. */
  | {
      readonly do: "remember-task";
      readonly taskId: string;
      readonly hypothesis: string;
      readonly unapplied: string | null;
    }
  /** Reads the rounds of a task; `rounds-loaded` follows. */
  | { readonly do: "load-rounds"; readonly taskId: string }
  /** Reads a finished round of a task; `round-loaded` follows. */
  | { readonly do: "look"; readonly taskId: string; readonly round: number }
  /** Names a session; null takes the name away. */
  | { readonly do: "rename-session"; readonly taskId: string; readonly task: string; readonly title: string | null }
  /** Deletes a session; `session-deleted` follows. */
  | { readonly do: "delete-session"; readonly taskId: string }
  /** Opens the task in the user's editor; `edited` follows. */
  | { readonly do: "edit-text"; readonly text: string }
  /** Opens a file of the repository in the user's editor. */
  | { readonly do: "edit-file"; readonly path: string; readonly line: number }
  /** Saves the draft. Of several the last is enough. */
  | { readonly do: "persist"; readonly draft: Draft }
  | { readonly do: "mouse"; readonly on: boolean }
  | { readonly do: "redraw" }
  | { readonly do: "suspend" }
  | { readonly do: "quit" };
