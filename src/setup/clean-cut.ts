/**
 * Checks that cutting out what cra inserted removed exactly cra's part.
 *
 * Others may have added keys inside that part since, or a comma behind it. What the cut leaves of these could mean something else, or
 * be no valid file.
 */
import { isRecord } from "../text/parse-json.ts";
import { isServer, sameContent, valueAt } from "./edits/edit.ts";
import { contentOf, type Piece } from "./pieces.ts";

/** `rest` is the text without what was inserted. True where that cannot be told: for text without a structure, or a broken one. */
export function isCleanCut(text: string, rest: string, pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => {
    const before = contentOf(text, piece);
    if (before === undefined) return true;
    const after = contentOf(rest, piece);
    if (after === undefined || !isPart(after, before)) return false;
    const path = pathOf(piece);
    return path === null || !isServer(valueAt(before, path)) || valueAt(after, path) === undefined;
  });
}

function pathOf(piece: Piece): readonly string[] | null {
  if (piece.kind === "toml" || piece.kind === "yaml") return piece.path;
  return piece.kind === "json" && piece.place.kind === "property" ? piece.place.path : null;
}

/** Whether nothing in it is new: tables lack keys, and lists elements. */
function isPart(after: unknown, before: unknown): boolean {
  if (isRecord(after) && isRecord(before))
    return Object.entries(after).every(([key, value]) => Object.hasOwn(before, key) && isPart(value, before[key]));
  if (!Array.isArray(after) || !Array.isArray(before)) return sameContent(after, before);
  let at = 0;
  for (const element of before) if (at < after.length && isPart(after[at], element)) at += 1;
  return at === after.length;
}
