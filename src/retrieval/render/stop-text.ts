/** Says in the text of a package where packing stopped before the budget was full, and what would come next. */
import { inlineCode, pathCode } from "../../text/markdown.ts";
import type { ContextPackage, StopJson } from "../model/package-schema.ts";

/** Pieces to name; the JSON has more. */
const NEXT_MAX = 3;

/** One line, or nothing when the budget is full or nothing is left out. */
export function stopText({ provenance }: Pick<ContextPackage, "provenance">): string {
  const { stop } = provenance.budget;
  if (stop?.reason !== "enough") return "";
  const next = stop.next.slice(0, NEXT_MAX).map(pieceText);
  return `Packing stopped here: ${whyStopped(stop)}. Next: ${next.join(", ")}.`;
}

/** A definition as code; of lines outside of any, or a file without shown text, what an item is called is no name in it. */
function pieceText({ path, item, tokens }: StopJson["next"][number]): string {
  if (tokens === 0) return pathCode(path);
  return `${item === "lines" ? item : inlineCode(item)} in ${pathCode(path)} (${tokens} tokens)`;
}

/** Why packing stopped, as a clause. */
export function whyStopped({ reason, coverage }: StopJson): string {
  if (reason === "budget") return "the budget is full";
  if (reason === "everything") return "all that is relevant is in it";
  return coverage === "auto"
    ? "more is hardly expected to be worth its tokens"
    : `${Math.round(coverage * 100)} % of what is expected to matter is covered`;
}
