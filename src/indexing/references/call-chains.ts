/**
 * Chains of calls as written, taken apart: `new Cart(a).open().lines` is `Cart`, called, `open`, called, `lines`.
 *
 * Reading text, not a parser: whatever is no plain chain of names, with arguments, type arguments or a block behind
 * them, is none. Linear in the text, which callers bound. Not here: what the names mean (`call-results.ts`).
 */

/** One name of a chain. */
export type Link = { readonly name: string; readonly isCalled: boolean };

/** `start` is the path up to the first call; `rest` is what stands behind it. */
export type CallChain = { readonly start: readonly string[]; readonly rest: readonly Link[] };

const PREFIX = /^(?:(?:new|await)\s+)*/;
const WORD = /[\p{L}_$#@][\p{L}\p{N}_$#]*/uy;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["<", ">"],
  ["{", "}"],
]);

/** The chain that a text is, with a call in it somewhere, or null. */
export function callChain(text: string): CallChain | null {
  const links: Link[] = [];
  let at = PREFIX.exec(text)?.[0].length ?? 0;
  // A path that begins with a dot is absolute: its first name is empty.
  if (text[at] === ".") links.push({ name: "", isCalled: false });
  else at -= 1;
  while (at < text.length) {
    at = pastSpace(text, at + 1);
    if (text[at] === "<") at = pastSpace(text, pastBrackets(text, at));
    WORD.lastIndex = at;
    const name = WORD.exec(text)?.[0];
    if (name === undefined) return null;
    at = pastSpace(text, at + name.length);
    if (text[at] === "<") at = pastSpace(text, pastBrackets(text, at));
    const begun = at;
    for (const bracket of ["(", "{"]) if (text[at] === bracket) at = pastSpace(text, pastBrackets(text, at));
    links.push({ name, isCalled: at > begun });
    if (text[at] === "?") at += 1;
    if (at < text.length && text[at] !== ".") return null;
  }
  // A bracket that is not closed: the text was cut off.
  if (at > text.length) return null;
  const first = links.findIndex(({ isCalled }) => isCalled);
  if (first < 0) return null;
  return { start: links.slice(0, first + 1).map(({ name }) => name), rest: links.slice(first + 1) };
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at += 1;
  return at;
}

/** The place behind the bracket that closes the one at `from`, or behind the text when none does. */
function pastBrackets(text: string, from: number): number {
  const open = text.charAt(from);
  const close = CLOSING.get(open);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'" || char === "`") {
      const end = text.indexOf(char, at + 1);
      // A lone quote is part of a name or of a comment.
      if (end >= 0) at = end;
    } else if (char === open) depth += 1;
    // `=>` and `->` close nothing.
    else if (char === close && !"=-".includes(text[at - 1] ?? " ") && --depth === 0) return at + 1;
  }
  return text.length + 1;
}
