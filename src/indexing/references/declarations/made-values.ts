/** What gives a variable its value, read from its signature: a constructor or function (`= new Cart(a)`), or a chain of calls. */
import type { NameRules } from "../../../languages/name-rules.ts";
import { closingAt } from "../../../syntax/facts/empty-brackets.ts";

/** `= new Cart<A>(`, `= Cart(`, in Dart `= const Cart(`. */
const MADE = /^=\s*(?:await\s+)?((?:(?:new|const)\s+)?)&?([\p{L}_$][\p{L}\p{N}_$.]*)\s*(?:<[^()]*>)?[({]/u;
/** In Scala `= new Cart[A](`. */
const MADE_OF = /^=\s*(new\s+)([\p{L}_$][\p{L}\p{N}_$.]*)\s*\[\s*\p{Lu}[^()]*\][({]/u;

/** A member of the result of a call, up to its bracket. */
const LINK = /\s*[?!]{0,2}\.\s*([\p{L}_$][\p{L}\p{N}_$]*)(?:\s*<[^()]*>)?\s*/uy;
/** What may stand after a chain without another type than its value: nothing, or what counts where there is no value. */
const ENDED = /^\s*(?:$|!!|[;,]|\?[:?])/;

/** A chain of calls as a use of its last name: `build` with the qualifier `Cart.Builder()`. */
export type MadeChain = { readonly qualifier: string; readonly name: string };

/** `path` is what is called to make a value; `chain` is "unknown" if the text does not tell all of a chain. */
type Made = { readonly path: string } | { readonly chain: MadeChain | "unknown" };

/** Reads a text that begins with `=`; null if it begins with no call. */
export function madeBy(value: string, { nominal, declares, copies }: NameRules): Made | null {
  const text = nominal ? value.replace(/::|\\/g, ".") : value;
  const made = MADE.exec(text) ?? MADE_OF.exec(text);
  if (made === null || (made[0].endsWith("{") && declares !== "name type")) return null;
  const [all, before = "", path = ""] = made;
  const { links, end } = linksAfter(text, all.length - 1);
  const others = links.filter(({ name }) => !copies.has(name));
  const last = others.at(-1);
  if (last === undefined) return { path: path.replace(/\.(?:new|init|default)$/, "") };
  // What is cut off inside of a block that gives the same value is taken for its end.
  const isRead = end === null ? links.at(-1) !== last : ENDED.test(text.slice(end));
  if (!isRead) return { chain: "unknown" };
  const start = `${before === "" ? "" : "new "}${path}()`;
  const qualifier = [start, ...others.slice(0, -1).map(({ name, isCalled }) => (isCalled ? `${name}()` : name))];
  return { chain: { qualifier: qualifier.join("."), name: last.name } };
}

type Link = { readonly name: string; readonly isCalled: boolean };

/** The members after a call whose bracket is at a position, and where they end; null if a bracket is not closed. */
function linksAfter(text: string, from: number): { readonly links: readonly Link[]; readonly end: number | null } {
  const links: Link[] = [];
  let at: number | null = afterBrackets(text, from);
  while (at !== null) {
    LINK.lastIndex = at;
    const name = LINK.exec(text)?.[1];
    if (name === undefined) break;
    const begun: number = LINK.lastIndex;
    at = afterBrackets(text, begun);
    links.push({ name, isCalled: at !== begun });
  }
  return { links, end: at };
}

/** The position after the arguments and the block that begin at a position, which is that position if none do. */
function afterBrackets(text: string, from: number): number | null {
  let at = from;
  for (const open of "({") {
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    if (text[start] !== open) continue;
    const end = closingAt(text, start);
    if (end === null) return null;
    at = end + 1;
  }
  return at;
}
