/**
 * One form for all spellings of a word, whatever its script: the same in an index, a task and a search.
 *
 * Folded away are compatibility forms (NFKC: full width, ligatures, half-width kana), case by Unicode's full folding
 * (ß is ss, ς is σ, ı and İ are i), and marks that writers leave out: those on Latin and Greek letters (café is
 * cafe), the vowel points of Arabic and Hebrew, the dots of ё. Marks of other scripts are letters (й is not и) and
 * stay. ASCII text only becomes lower case. Not here: where words begin and end (`identifiers.ts`).
 */

const NOT_ASCII = /[^\x00-\x7f]/;
/** No script puts more marks on a letter; long runs of them are slow to bring into normal form. */
const MARKS_PILED = /(\p{M}{8})\p{M}+/gu;
const MARKS_LEFT_OUT = /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}])\p{M}+|(?<=\u0435)\u0308/gu;

/** Whether a text is of ASCII characters alone. */
export const isAscii = (text: string): boolean => !NOT_ASCII.test(text);

/** A text in the normal form for compatibility (NFKC), with at most eight marks on a character. */
export const compose = (text: string): string => text.replace(MARKS_PILED, "$1").normalize("NFKC");

/** The folded form of a text. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // By way of upper case, which takes ß, ı and the forms of sigma together; ẞ is ß in lower case alone.
  const lower = compose(text).toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replace(MARKS_LEFT_OUT, "").normalize("NFC");
}
