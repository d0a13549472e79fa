/**
 * Scripts that are written without blanks between words, and the pairs of characters that stand for their words.
 *
 * Pairs overlap, as those of Lucene's CJK analyzer do (`CJKBigramFilter`): 检索词 gives 检索 and 索词, a character
 * that stands alone itself. Scripts are mixed within a run (ログを見る), and Korean is treated likewise although
 * it has blanks: its words take endings without one (검색을). Thai, Lao, Khmer and Burmese are treated so too, with
 * the marks of a character as part of it.
 * Not here: which runs of characters are words (`identifiers.ts`).
 */

/** Their characters, as the inside of a character class of a pattern with the flag `u` or `v`. */
export const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u3006\u3031-\u3035\u303c\u30fc\uff70\uff9e\uff9f`;

const CHARACTERS = /\P{M}\p{M}*/gu;
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Whether a text begins in such a script. */
export const startsUnspaced = (text: string): boolean => STARTS_UNSPACED.test(text);

/** The characters of a text, each with its marks. */
export const charactersIn = (text: string): readonly string[] => text.match(CHARACTERS) ?? [];

/** The overlapping pairs of characters of a run, in order; of a single character itself. */
export function pairsIn(run: string): readonly string[] {
  const characters = charactersIn(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => (characters[index] ?? "") + character);
}
