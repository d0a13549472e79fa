/**
 * Normalizes the spelling of words in any script, for index, task and search alike.
 *
 * Folding removes compatibility forms (NFKC: full width, ligatures, half-width kana), case by Unicode's full folding
 * (ß is ss, ς is σ, ı and İ are i), and marks that writers omit: those on Latin and Greek letters (café is cafe), the
 * vowel points of Arabic and Hebrew, the dots of ё. Marks of other scripts belong to letters (й is not и) and stay. ASCII
 * text only becomes lower case.
 */

const NOT_ASCII = /[^\x00-\x7f]/;
/** No script puts more marks on a letter, and long runs of them are slow to normalize. */
const MARKS_PILED = /(\p{M}{8})\p{M}+/gu;
const MARKS_LEFT_OUT = /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}])\p{M}+|(?<=\u0435)\u0308/gu;

export const isAscii = (text: string): boolean => !NOT_ASCII.test(text);

/** A text in compatibility normal form (NFKC), with at most eight marks on a character. */
export const compose = (text: string): string => text.replace(MARKS_PILED, "$1").normalize("NFKC");

/** The folded form of a text. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // Upper case unifies ß, ı and the forms of sigma; ẞ becomes ß only in lower case.
  const lower = compose(text).toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replace(MARKS_LEFT_OUT, "").normalize("NFC");
}
