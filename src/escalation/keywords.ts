/**
 * The keywords of a failure, which rank documents and source, and how often they occur in a text.
 *
 * They come from the error message and the root cause, or else from the error of the trace: words of more than four
 * characters, in lower case, without surrounding punctuation, so "config.yaml," matches config.yaml.
 */
import { failureInLog } from "./failure-log.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** Words up to this length are not keywords. */
const SHORT_CHARS = 4;
/** The most keywords: each is searched in every document. */
const KEYWORDS_MAX = 64;
/** A longer word is unlikely to occur twice. */
const KEYWORD_CHARS_MAX = 200;

/** Punctuation around a word. */
const SIGNS_AROUND = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu;

/** The keywords in order of appearance, each once. */
export function keywordsOf(handoff: HandoffBundle): readonly string[] {
  const keywords = new Set<string>();
  for (const text of textsOf(handoff))
    for (const word of text.toLowerCase().split(/\s+/)) {
      const keyword = word.replace(SIGNS_AROUND, "");
      if ([...keyword].length > SHORT_CHARS && keyword.length <= KEYWORD_CHARS_MAX) keywords.add(keyword);
      if (keywords.size === KEYWORDS_MAX) return [...keywords];
    }
  return [...keywords];
}

/** The message and the root cause; if the bundle has only a trace, its last error. */
function textsOf({ error_message, root_cause, stack_trace }: HandoffBundle): readonly string[] {
  const texts = [error_message, root_cause].filter((text) => text.trim() !== "");
  return texts.length > 0 ? texts : [failureInLog(stack_trace)?.error_message ?? ""];
}

type Keyword = {
  readonly bytes: Uint8Array;
  /** Where its next occurrence may begin: occurrences of one keyword do not overlap. */
  free: number;
};

const KEYWORD_BYTES_MIN = SHORT_CHARS + 1;
const BLOCK_BYTES = 3;
const FAR = KEYWORD_BYTES_MIN - BLOCK_BYTES + 1;

/**
 * Returns a function that counts lower-case keywords of at least five bytes, inside words too. Its text is lower-case
 * UTF-8; only ASCII letters may have either case.
 *
 * All keywords are searched in one pass (Wu and Manber): for every three bytes a table holds the least distance to where
 * the first five bytes of a keyword may end, so most bytes are skipped. Its index uses the lower five bits of each byte,
 * which are the same in both cases of a letter.
 */
export function keywordCounter(keywords: readonly string[]): (text: Uint8Array) => number {
  const wanted = keywords.map((keyword): Keyword => ({ bytes: Buffer.from(keyword), free: 0 }));
  const far = new Uint8Array(1 << (5 * BLOCK_BYTES)).fill(FAR);
  const ending = new Map<number, Keyword[]>();
  for (const keyword of wanted) {
    for (let end = BLOCK_BYTES; end <= KEYWORD_BYTES_MIN; end++) {
      const block = blockBefore(keyword.bytes, end);
      far[block] = Math.min(far[block] ?? FAR, KEYWORD_BYTES_MIN - end);
    }
    const last = blockBefore(keyword.bytes, KEYWORD_BYTES_MIN);
    ending.set(last, [...(ending.get(last) ?? []), keyword]);
  }
  return (text) => {
    for (const keyword of wanted) keyword.free = 0;
    let count = 0;
    for (let end = KEYWORD_BYTES_MIN; end <= text.length; ) {
      const block = blockBefore(text, end);
      const step = far[block] ?? FAR;
      if (step > 0) {
        end += step;
        continue;
      }
      const from = end - KEYWORD_BYTES_MIN;
      for (const keyword of ending.get(block) ?? []) {
        if (from < keyword.free || !isAt(text, from, keyword.bytes)) continue;
        keyword.free = from + keyword.bytes.length;
        count++;
      }
      end++;
    }
    return count;
  };
}

/** The table index of the three bytes before `end`. */
function blockBefore(text: Uint8Array, end: number): number {
  const a = text[end - 3] ?? 0;
  const b = text[end - 2] ?? 0;
  const c = text[end - 1] ?? 0;
  return ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
}

function isAt(text: Uint8Array, from: number, keyword: Uint8Array): boolean {
  for (let at = 0; at < keyword.length; at++) {
    const byte = text[from + at] ?? 0;
    if ((byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte) !== keyword[at]) return false;
  }
  return true;
}
