/** The first sentence of a documentation, on one line. */

/** A longer sentence is cut after a word. */
const SENTENCE_CHARS_MAX = 240;

/** A full stop after one of these ends no sentence. */
const ABBREVIATED = /\b(?:e\.g|i\.e|cf|vs|etc|approx|resp|no)\.$/i;
/**
 * The beginning of a list or of a tag such as `@param` or `:param x:`; a sentence does not go beyond it. References (Sphinx's roles,
 * Doxygen's `@ref` and `\c`) are words of a sentence.
 */
const NO_PROSE = /^\s*(?::(?![\w:+.-]+:`)[a-z]|[@\\](?!(?:ref|em|[abcep])\b)[a-z]|[-*•+]\s|\d+[.)]\s|>>>|```|\.\. )/i;
/** A tag such as `@private`, and one about a parameter or a type: they say nothing of what the thing does. */
const BARE_TAG = /^@[a-z]+$/i;
const FIELD = /^(?:[@\\]param\b|:(?:param|type|rtype)\b)/;
/** The tag before a brief description. */
const BRIEF = /^[@\\](?:brief|short)\s+/;

/** The first sentence of the first paragraph; all of the paragraph if no sentence ends in it. */
export function firstSentence(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.findIndex((line) => line !== "" && !BARE_TAG.test(line));
  if (first < 0 || FIELD.test(lines[first] ?? "")) return "";
  const end = lines.findIndex((line, at) => at > first && (line === "" || NO_PROSE.test(line)));
  const paragraph = lines
    .slice(first, end < 0 ? undefined : end)
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(BRIEF, "");
  for (const { index, 0: stop } of paragraph.matchAll(/[.!?](?=\s+(?![\p{Ll}])|$)|[。！？]/gu)) {
    const sentence = paragraph.slice(0, index + stop.length);
    if (!ABBREVIATED.test(sentence)) return cutAfterWord(sentence);
  }
  return cutAfterWord(paragraph);
}

function cutAfterWord(text: string): string {
  if (text.length <= SENTENCE_CHARS_MAX) return text;
  const part = text.slice(0, SENTENCE_CHARS_MAX).toWellFormed();
  return `${part.slice(0, part.lastIndexOf(" ") > 0 ? part.lastIndexOf(" ") : undefined)} …`;
}
