/**
 * How often the keywords of a failure occur in a text.
 *
 * All keywords are looked for in one pass over the bytes that passes over most of them (Wu and Manber): a table says of
 * every three bytes how far it is, at the least, to where the first five bytes of a keyword may end. The table goes by
 * the lower five bits of each byte, so it holds for both cases of a letter.
 */

type Keyword = {
  readonly bytes: Uint8Array;
  /** Where the next one may begin: two of the same keyword never overlap. */
  free: number;
};

/** A keyword has more characters than four. */
const KEYWORD_BYTES_MIN = 5;
/** What the table goes by. */
const BLOCK_BYTES = 3;
const FAR = KEYWORD_BYTES_MIN - BLOCK_BYTES + 1;

/**
 * Gives a function that counts keywords of at least five bytes, in small letters, wherever in a word. What it is given
 * is UTF-8 with small letters, but for those of ASCII, which may have either case.
 */
export function relevanceCounter(keywords: readonly string[]): (text: Uint8Array) => number {
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

/** The place in the table of the bytes before `end`. */
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
