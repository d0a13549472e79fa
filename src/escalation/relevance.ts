/**
 * How often the keywords of a failure occur in a text.
 *
 * All keywords are looked for in one pass over the bytes. Where a keyword may begin is told by its first three bytes: a
 * table of 2^15 entries, by the lower five bits of each, so that it holds for both cases of a letter. Not here: ranking.
 */

type Keyword = {
  readonly bytes: Uint8Array;
  /** Where the next one may begin: two of the same keyword never overlap. */
  free: number;
};

/**
 * Gives a function that counts keywords of at least three bytes, in small letters, wherever in a word. What it is given
 * is UTF-8 with small letters, but for those of ASCII, which may have either case.
 */
export function relevanceCounter(keywords: readonly string[]): (text: Uint8Array) => number {
  const wanted = keywords.map((keyword): Keyword => ({ bytes: Buffer.from(keyword), free: 0 }));
  const lists = new Map<number, Keyword[]>();
  const starts = new Uint8Array(1 << 15);
  for (const keyword of wanted) {
    const place = keyword.bytes.subarray(0, 3).reduce(next, 0);
    lists.set(place, [...(lists.get(place) ?? []), keyword]);
    starts[place] = 1;
  }
  return (text) => {
    for (const keyword of wanted) keyword.free = 0;
    let [count, place] = [0, 0];
    for (let at = 0; at < text.length; at++) {
      place = next(place, text[at] ?? 0);
      if (starts[place] === 0) continue;
      for (const keyword of lists.get(place) ?? []) {
        const from = at - 2;
        if (from < keyword.free || !isAt(text, from, keyword.bytes)) continue;
        keyword.free = from + keyword.bytes.length;
        count++;
      }
    }
    return count;
  };
}

/** Where a byte leads from the place of those before it. */
function next(place: number, byte: number): number {
  return ((place << 5) | (byte & 31)) & 0x7fff;
}

function isAt(text: Uint8Array, from: number, keyword: Uint8Array): boolean {
  for (let at = 0; at < keyword.length; at++) {
    const byte = text[from + at] ?? 0;
    if ((byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte) !== keyword[at]) return false;
  }
  return true;
}
