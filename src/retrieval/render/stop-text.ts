/** Says in the text of a package where packing stopped before the budget was full, and what would come next. */
import { inlineCode, pathCode } from "../../text/markdown.ts";
import type { ContextPackage, StopJson } from "../model/package-schema.ts";

/** Pieces to name; the JSON has more. */
const NEXT_MAX = 3;

/** One line, or nothing when the budget is full or nothing is left out. */
export function stopText({ provenance }: Pick<ContextPackage, "provenance">): string {
  const { stop } = provenance.budget;
  if (stop?.reason !== "enough") return "";
  const next = stop.next
    .slice(0, NEXT_MAX)
    // A file that is only named has no text of its own.
    .map(({ path, item, tokens }) =>
      tokens === 0 ? pathCode(path) : `${inlineCode(item)} in ${pathCode(path)} (${tokens} tokens)`,
    );
  return `Packing stopped here: ${whyStopped(stop)}. Next: ${next.join(", ")}.`;
}

/** Why packing stopped, as a clause. */
export function whyStopped({ reason, coverage }: StopJson): string {
  if (reason === "budget") return "the budget is full";
  if (reason === "everything") return "all that is relevant is in it";
  return coverage === "auto"
    ? "more is hardly expected to be worth its tokens"
    : `${Math.round(coverage * 100)} % of what is expected to matter is covered`;
}
