/**
 * Marks and wishes as words, where there are no columns for signs.
 */
import { heldMark, heldWish, symbolKey } from "../marking.ts";
import type { ReviewState } from "../state.ts";

/** `, accepted`; nothing for what is left to cra. */
export function markWords({ decisions, held }: ReviewState, path: string): string {
  const mark = decisions.files.get(path);
  if (mark !== undefined) return `, ${mark}`;
  const before = heldMark(held, path);
  return before === null ? "" : `, ${before} earlier`;
}

/** `, wanted as body`. */
export function wishWords({ decisions, held }: ReviewState, path: string, name: string): string {
  const wish = decisions.symbols.get(symbolKey(path, name)) ?? heldWish(held, symbolKey(path, name));
  if (wish === null) return "";
  return wish === "out" ? ", left out" : wish === "missing" ? ", asked for" : `, wanted as ${wish}`;
}
