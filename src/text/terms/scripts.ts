/**
 * Scripts without blanks between words, and the pairs of characters that replace words there.
 *
 * Pairs overlap, like those of Lucene's CJK analyzer (`CJKBigramFilter`): 检索词 gives 检索 and 索词, and a single
 * character gives itself. A run can mix scripts (ログを見る). Korean is included although it has blanks, because its words
 * take endings without one (검색을). So are Thai, Lao, Khmer and Burmese; there, marks are part of a character.
 */

/** Their characters, as the content of a character class in a pattern with the flag `u` or `v`. */
export const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u3006\u3031-\u3035\u303c\u30fc\uff70\uff9e\uff9f`;

const CHARACTERS = /\P{M}\p{M}*/gu;
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Whether a text starts in such a script. */
export const startsUnspaced = (text: string): boolean => STARTS_UNSPACED.test(text);

/** The characters of a text, each with its marks. */
export const charactersIn = (text: string): readonly string[] => text.match(CHARACTERS) ?? [];

/** The overlapping pairs of characters of a run, in order; a single character gives itself. */
export function pairsIn(run: string): readonly string[] {
  const characters = charactersIn(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => (characters[index] ?? "") + character);
}

/** Words with pairs that overlap in a text put together, as it has them: 接池 and 连接 of 连接池 give 连接池. */
export function joinedPairs(words: readonly string[], text: string): readonly string[] {
  const joined = [...words];
  for (let at = 0; at < joined.length; ) {
    const word = joined[at] ?? "";
    const next = startsUnspaced(word) ? joined.findIndex((other) => overlap(word, other, text) !== null) : -1;
    if (next < 0) at += 1;
    else {
      joined[Math.min(at, next)] = overlap(word, joined[next] ?? "", text) ?? word;
      joined.splice(Math.max(at, next), 1);
      at = 0;
    }
  }
  return joined;
}

/** Two words of which one ends as the other begins, together; null if a text does not have them so. */
function overlap(word: string, other: string, text: string): string | null {
  const [begin = "", ...rest] = charactersIn(other);
  const both = rest.length > 0 && word.endsWith(begin) && word !== other ? word + rest.join("") : null;
  return both !== null && text.includes(both) ? both : null;
}
