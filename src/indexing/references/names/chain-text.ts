/** The names of a chain of calls, read from its text: `new Cart(a).open().lines`. */
import { type NameRules, PLAIN_NAMES } from "../../../languages/name-rules.ts";
import { isStep } from "../types/held-values.ts";

export type Link = { readonly name: string; readonly isCalled: boolean };

/**
 * `start` is the path up to the first call, `rest` the names after it. Without a call (`isCalled`), `start` is the path before the first
 * step from a holder.
 */
export type CallChain = {
  readonly start: readonly string[];
  readonly isCalled: boolean;
  readonly rest: readonly Link[];
};

/** Before the call whose result a variable holds. */
export const HELD = "= ";
/** Before the name of a call in a step to what it gives a function: `@forEach`. */
export const GIVEN = "@";
/** A step from a holder that is a sign instead of a name. */
const TRY = "?";

const PREFIX = /^(?:(?:=|new|await|try[?!]?)\s+)*/;
const WORD = /[\p{L}_$#@][\p{L}\p{N}_$#]*/uy;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["<", ">"],
  ["{", "}"],
]);

/** Null if the text is no chain of names, or has neither a call nor a step from a holder. What a variable holds needs none. */
export function callChain(text: string, rules: NameRules = PLAIN_NAMES): CallChain | null {
  const links: Link[] = [];
  let at = PREFIX.exec(text)?.[0].length ?? 0;
  // A leading dot makes a path absolute: its first name is empty.
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
    for (; text[at] === TRY; at += 1) if (isStep(TRY, rules)) links.push({ name: TRY, isCalled: false });
    if (at < text.length && text[at] !== ".") return null;
  }
  // An unclosed bracket: the text was cut off.
  if (at > text.length) return null;
  const length = startLength(links, text.startsWith(HELD), rules);
  if (length === null) return null;
  const start = links.slice(0, length);
  return { start: start.map(({ name }) => name), isCalled: start.at(-1)?.isCalled === true, rest: links.slice(length) };
}

/** The names of a chain without its calls (`data.headers` of `data().headers`); none if the text is no chain. */
export function namesOfChain(text: string): readonly string[] {
  const chain = callChain(text);
  return chain === null ? [] : [...chain.start, ...chain.rest.map(({ name }) => name)];
}

function startLength(links: readonly Link[], isHeld: boolean, rules: NameRules): number | null {
  const called = links.findIndex(({ isCalled }) => isCalled);
  if (called >= 0) return called + 1;
  const step = links.findIndex(({ name }, at) => at > 0 && (isStep(name, rules) || rules.copies.has(name)));
  return step > 0 ? step : isHeld ? links.length : null;
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at += 1;
  return at;
}

/** The position after the bracket that closes the one at `from`, or after the text if none does. */
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
