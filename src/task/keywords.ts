/**
 * Finds the significant words of a task, and those of them that an index knows as concepts.
 *
 * Words are lower case; identifiers give their whole form and their parts. The title comes before the body, code after
 * prose, stack traces and noise last; within these, names spelt like code come before plain words, then by first
 * occurrence. Scripts without blanks give pairs of characters, as in an index (`text/terms/scripts.ts`).
 */
import { expandIdentifier } from "../text/terms/identifiers.ts";
import { startsUnspaced, UNSPACED } from "../text/terms/scripts.ts";
import { CODE_STOP_WORDS, STOP_WORDS } from "../text/terms/stop-words.ts";
import { PRODUCTS, RECEIVERS } from "./names/name-tables.ts";
import { isSpeltLikeCode } from "./names/symbol-names.ts";
import { type Section, type SectionKind, TASK_LIMITS } from "./query.ts";

/** A run of scripts without blanks is a separate word. */
const WORD = new RegExp(String.raw`[${UNSPACED}][${UNSPACED}\p{M}]*|[[\p{L}\p{M}\p{N}_$]--[${UNSPACED}]]+`, "gv");
/** What Japanese writes in hiragana alone is mostly grammar. */
const HIRAGANA = /^\p{sc=Hira}+$/u;
const HASH = /^[0-9a-f]{7,40}$/;

/** The part of "doesn't" and similar words before the apostrophe, unless it is a stop word. */
const CONTRACTED: ReadonlySet<string> = new Set(
  "doesn didn aren wasn weren hasn haven hadn wouldn couldn shouldn mustn ain".split(" "),
);
/** Longer words are data; a run of a script without blanks may be a sentence. */
const WORD_CHARS_MAX = 80;

/** The rank of a word by its section: spelt like code, and plain. Low is important. */
const RANKS: { readonly [kind in SectionKind]: readonly [code: number, plain: number] } = {
  title: [0, 1],
  error: [2, 3],
  inline: [2, 2],
  prose: [2, 3],
  code: [3, 4],
  trace: [5, 5],
  noise: [5, 5],
};

/** What languages and their files are made of: in a task, it is next to a name and says nothing by itself. */
export const LANGUAGE_WORDS: ReadonlySet<string> = new Set("class def function func fn src".split(" "));

/** Sections in which the commonest words of code mean nothing. */
const CODE_KINDS: ReadonlySet<SectionKind> = new Set(["code", "trace", "noise"]);

/** The significant words of a task, most important first, at most `TASK_LIMITS.keywordsMax`. */
export function findKeywords(sections: readonly Section[]): readonly string[] {
  const rankOf = new Map<string, number>();
  for (const { kind, text } of sections) {
    for (const word of text.match(WORD) ?? []) {
      if (word.length > WORD_CHARS_MAX && !startsUnspaced(word)) continue;
      const rank = RANKS[kind][isSpeltLikeCode(word) ? 0 : 1];
      for (const term of termsOf(word)) {
        if (!isSignificant(term, kind)) continue;
        rankOf.set(term, Math.min(rank, rankOf.get(term) ?? rank));
      }
    }
  }
  return [...rankOf]
    .sort(([, a], [, b]) => a - b)
    .slice(0, TASK_LIMITS.keywordsMax)
    .map(([term]) => term);
}

/** "GitHub" is one word; the hash of a commit is not a word. Digits before a word are not part of it, as in identifiers. */
function termsOf(text: string): readonly string[] {
  const word = text.replace(/^\d+(?=\p{L}{3})/u, "");
  const lower = word.toLowerCase();
  if (/^\d/.test(word) || (HASH.test(text) && /\d/.test(text)) || CONTRACTED.has(lower)) return [];
  if (PRODUCTS.has(lower)) return [lower];
  return expandIdentifier(word);
}

const isSignificant = (term: string, kind: SectionKind): boolean =>
  /\p{L}/u.test(term) &&
  !HIRAGANA.test(term) &&
  !STOP_WORDS.has(term) &&
  !LANGUAGE_WORDS.has(term) &&
  !RECEIVERS.has(term) &&
  !(CODE_KINDS.has(kind) && CODE_STOP_WORDS.has(term));

/**
 * The concepts in a task, in the order of its text, at most `TASK_LIMITS.conceptsMax`. A concept is in lower case, and is one
 * word, or two with a blank, `-` or `_` between them.
 */
export function findConcepts(sections: readonly Section[], concepts: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  if (concepts.size === 0) return [];
  for (const { text } of sections.filter(({ kind }) => !CODE_KINDS.has(kind))) {
    const words = (text.match(WORD) ?? []).filter((word) => word.length <= WORD_CHARS_MAX);
    words.forEach((word, at) => {
      const next = words[at + 1]?.toLowerCase();
      const lower = word.toLowerCase();
      const pairs = next === undefined ? [] : [" ", "-", "_"].map((joint) => lower + joint + next);
      for (const term of [...pairs, lower, ...termsOf(word)]) {
        if (concepts.has(term) && !STOP_WORDS.has(term)) found.add(term);
      }
    });
    if (found.size >= TASK_LIMITS.conceptsMax) break;
  }
  return [...found].slice(0, TASK_LIMITS.conceptsMax);
}
