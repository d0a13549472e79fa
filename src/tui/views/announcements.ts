/**
 * Linear mode: what to add to what was said already.
 *
 * A sentence is said again only after it was gone. Of a list, the row that becomes the current one is said; what did not change
 * is not.
 */

/** A printed line; ids grow. */
type SaidLine = { readonly id: number; readonly text: string };

/** All lines so far that are not printed yet or may be needed to tell which are, and the sentences of the newest state. */
export type Said = { readonly lines: readonly SaidLine[]; readonly sentences: readonly string[] };

export const NOTHING_SAID: Said = { lines: [], sentences: [] };

/** Adds the sentences that the state before did not have. Equal sentences count as often as they occur. */
export function saidNext(before: Said, sentences: readonly string[]): Said {
  if (sentences.length === before.sentences.length && sentences.every((text, at) => text === before.sentences[at]))
    return before;
  const known = new Map<string, number>();
  for (const text of before.sentences) known.set(text, (known.get(text) ?? 0) + 1);
  const fresh = sentences.filter((text) => {
    const left = known.get(text) ?? 0;
    known.set(text, left - 1);
    return left <= 0 && !isPassed(text, before.sentences);
  });
  const from = before.lines.length;
  const added = fresh.map((text, at): SaidLine => ({ id: from + at, text }));
  return { lines: [...before.lines, ...added], sentences };
}

/** Ends the current row of a list. */
export const CURRENT = " (current)";

/** Whether a row has only ceased to be the current one. */
const isPassed = (text: string, before: readonly string[]): boolean => before.includes(`${text}${CURRENT}`);
