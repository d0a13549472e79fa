/** Splits an ASCII identifier into its terms as bytes: `expandIdentifier` makes the same strings, which take several times as long. */

/** Room for an identifier of this many bytes: for the whole, and for parts of at least two characters. */
const roomFor = (bytes: number) => ({ lower: new Uint8Array(bytes), spans: new Int32Array(bytes + 2) });

/** The last identifier in lower case, and where each of its terms begins and ends there. Both are used again for the next. */
export const SPLIT = roomFor(1 << 10);

/** Splits the identifier in `text` from `start` to `end`, and returns how many terms it has. */
export function splitAscii(text: Uint8Array, start: number, end: number): number {
  let [from, to] = [start, end];
  while (from < to && KIND[text[from] ?? 0] === SIGN) from += 1;
  while (to > from && KIND[text[to - 1] ?? 0] === SIGN) to -= 1;
  const length = to - from;
  if (SPLIT.lower.length < length) Object.assign(SPLIT, roomFor(2 * length));
  const { lower } = SPLIT;
  for (let at = 0; at < length; at += 1) {
    const code = text[from + at] ?? 0;
    lower[at] = KIND[code] === UPPER ? code | LOWER_BIT : code;
  }
  let count = length > 1 ? put(0, 0, length) : 0;
  for (let at = 0; at < length; ) {
    if (KIND[text[from + at] ?? 0] === SIGN) {
      at += 1;
      continue;
    }
    const next = partEnd(text, from + at, to) - from;
    const size = next - at;
    // A part that is the whole is no other term.
    if (size > 1 && size < length) count = put(count, at, next);
    at = next;
  }
  return count;
}

function put(count: number, from: number, to: number): number {
  SPLIT.spans[2 * count] = from;
  SPLIT.spans[2 * count + 1] = to;
  return count + 1;
}

/** Where the part ends that begins at a letter or digit: `HTTPServer2` has `HTTP`, `Server` and `2`. */
function partEnd(text: Uint8Array, start: number, end: number): number {
  let kind = KIND[text[start] ?? 0];
  let at = start + 1;
  if (kind === UPPER) {
    while (at < end && KIND[text[at] ?? 0] === UPPER) at += 1;
    if (at === end || KIND[text[at] ?? 0] !== LOWER) return at;
    // The last capital begins the next part.
    if (at - start > 1) return at - 1;
    kind = LOWER;
  }
  while (at < end && KIND[text[at] ?? 0] === kind) at += 1;
  return at;
}

const LOWER_BIT = 0x20;

/** The kind of a character of an ASCII identifier. */
const SIGN = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[a-z]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /[0-9]/.test(char) ? DIGIT : SIGN;
});
