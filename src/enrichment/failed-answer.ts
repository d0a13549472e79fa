/** What a failed answer means for the files that have not been asked about yet. */
import type { ModelFailure } from "../llm/model.ts";

/**
 * `file`: it was this file; the next one is asked about. `server`: so it may go on; a few in a row, and it will.
 * `all`: every further question would meet it too.
 */
export type Trouble = "file" | "server" | "all";

/** So many failures of the server in a row are no accident. Each may have taken the whole time limit. */
export const SERVER_FAILURES_MAX = 3;

export function troubleOf(failure: ModelFailure): Trouble {
  switch (failure.kind) {
    case "unreachable":
    case "missing-model":
    case "redirected":
    // A file is cut to what fits, so the window has room for no file at all.
    case "no-room":
      return "all";
    case "timeout":
      return failure.limit === "connect" ? "all" : "server";
    case "refused":
    case "broken-off":
      return "server";
    case "overlong":
    case "no-text":
    case "invalid":
      return "file";
  }
}
