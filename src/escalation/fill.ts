/**
 * Fills a category with texts, the best first, until one of its caps is reached.
 *
 * A text that fits goes in whole. One that does not is cut (`excerpt.ts`): to the lines around its signs, which take no
 * more than its share of what is left, so that a long text leaves room for others; or, without signs, to what is left,
 * which is the end. Nothing is ever above a cap.
 */
import type { Caps } from "./caps.ts";
import { excerpt, ROOM_BYTES_MIN } from "./excerpt.ts";

/** What went in: `size` is that of the content, in bytes of UTF-8. */
type Filled<C> = { readonly candidate: C; readonly content: string; readonly size: number };

/** How a category is filled. `sharing`: how many of the candidates, from the first on, what is left is shared among. */
type Filling<C> = {
  readonly caps: Caps;
  /** What to show of a long text, in small letters. */
  readonly signs: readonly string[];
  readonly sharing: number;
  /** Asked only for candidates that may go in; null and "" are passed over. */
  textOf(candidate: C): string | null;
};

export function fillUp<C>(
  candidates: readonly C[],
  { caps, signs, sharing, textOf }: Filling<C>,
): readonly Filled<C>[] {
  const filled: Filled<C>[] = [];
  let left = caps.bytes;
  for (const [at, candidate] of candidates.entries()) {
    const open = caps.entries - filled.length;
    if (open === 0 || left === 0) break;
    const text = textOf(candidate);
    if (text === null || text === "") continue;
    const content = excerpt(text, signs, left, Math.floor(left / Math.max(1, Math.min(open, sharing - at))));
    if (content === null) break;
    const size = Buffer.byteLength(content);
    filled.push({ candidate, content, size });
    left -= size;
    if (content !== text && left <= ROOM_BYTES_MIN) break;
  }
  return filled;
}
