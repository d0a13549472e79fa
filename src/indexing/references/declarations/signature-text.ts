/** Words of one-line signatures, and their parts between commas and arrows outside of brackets. Every function is linear in the text. */

const BRACKETS: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
  [">", "<"],
]);

/** What follows the arrow of the result, and no arrow in the types of parameters: `fn open(by: impl Fn(u8) -> Till) -> Cart`. */
export function afterArrow(signature: string): string | undefined {
  const open: string[] = [];
  for (let at = 0; at < signature.length; at += 1) {
    const char = signature.charAt(at);
    if (char === "-" && signature[at + 1] === ">") {
      const rest = signature.slice(at + 2).trimStart();
      if (open.length === 0 && rest !== "") return rest;
      at += 1;
    } else if ("([{<".includes(char)) open.push(char);
    // A bracket closes those inside that nothing closes, as in `a < b`.
    else open.length = closedTo(open, BRACKETS.get(char));
  }
  return undefined;
}

/** How many brackets stay open after one that closes the last of a sort. */
function closedTo(open: readonly string[], closed: string | undefined): number {
  const at = closed === undefined ? -1 : open.lastIndexOf(closed);
  return at < 0 ? open.length : at;
}

/** The number of open round brackets at a position. */
export function depthAt(text: string, end: number): number {
  let depth = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x28) depth++;
    else if (code === 0x29) depth--;
  }
  return depth;
}

export function isWord(char: string | undefined): boolean {
  if (char === undefined) return false;
  const code = char.charCodeAt(0);
  if (code > 0x7f) return /[\p{L}\p{N}]/u.test(char);
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return isLetter || (code >= 0x30 && code <= 0x39) || char === "_" || char === "$";
}

export function indexOfWord(text: string, name: string, from = 0): number {
  if (name === "") return -1;
  for (let at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + 1))
    if (!isWord(text[at + name.length]) && (!isWord(text[at - 1]) || text[at - 1] === "$")) return at;
  return -1;
}

/** The position of a name that a type may be written like: the second of `Cart Cart { get; }`. */
export function indexOfDeclared(signature: string, name: string): number {
  const first = indexOfWord(signature, name);
  if (first < 0 || !/^\??\s+[\p{L}_$]/u.test(signature.slice(first + name.length))) return first;
  const second = indexOfWord(signature, name, first + name.length);
  return second < 0 ? first : second;
}

/** A parameter's type ends at the first comma or closing bracket outside its own brackets. */
export function upToComma(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if ("([{<".includes(char)) depth++;
    else if (")]}>".includes(char) && depth-- === 0) return text.slice(0, at);
    else if ((char === "," || char === "=") && depth === 0) return text.slice(0, at);
  }
  return text;
}

/** The part after the last comma or opening bracket outside its own brackets. */
export function afterComma(text: string): string {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text.charAt(at);
    if (")]}>".includes(char)) depth++;
    else if ("([{<".includes(char) && depth-- === 0) return text.slice(at + 1);
    else if (char === "," && depth === 0) return text.slice(at + 1);
  }
  return text;
}

/** The last word outside brackets, with its own brackets: `static Map<A, B>` gives `Map<A, B>`. */
export function lastWord(text: string): string {
  const trimmed = text.trim();
  let depth = 0;
  for (let at = trimmed.length - 1; at >= 0; at--) {
    const char = trimmed.charAt(at);
    if (")]}>".includes(char)) depth++;
    else if ("([{<".includes(char)) depth--;
    else if (/\s/.test(char) && depth === 0 && !/^[*&]+$/.test(trimmed.slice(at).trim())) return trimmed.slice(at + 1);
  }
  return trimmed;
}

export function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
