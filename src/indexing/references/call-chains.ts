/**
 * Resolves members of call results: `super().f()`, `Foo(...).f()`, `a().b().c()`.
 *
 * The chain is read as text, linear in its length. Each call's result is what its signature declares; every step lowers the confidence.
 */
import type { ReferenceFact } from "../../syntax/facts/facts.ts";
import type { Classes, ResolvePath } from "./classes.ts";
import { type Candidates, CONFIDENCE, candidates, isSymbol, type Resolution, weaker } from "./confidence.ts";
import { CLASS_KINDS, type FileSymbols, type Role } from "./file-symbols.ts";

/** At most this many names after the first call are followed. */
const LINKS_MAX = 6;

/** The loss of confidence for each result after the first, in hundredths. */
const STEP_COST = 5;

/** Resolves a reference whose qualifier contains a call. */
type OfResult = (file: FileSymbols, use: ReferenceFact, qualifier: string, role: Role) => Resolution;

export function resultMembers(resolvePath: ResolvePath, classes: Classes): OfResult {
  /** A member of the targets, or of their results. */
  const next = (file: FileSymbols, from: Candidates, name: string, role: Role, steps: number): Resolution => {
    const declared = from.targets.filter(isSymbol).map((target) => {
      const kind = target.file.facts.symbols[target.symbol]?.kind ?? "variable";
      const { nominal, parts } = target.file.rules;
      // `auto carts = Carts();` makes a value of what the alias stands for.
      const isType = CLASS_KINDS.has(kind) || (kind === "type_alias" && (nominal || parts === "included"));
      return isType ? { types: [target], isDeclared: true } : classes.typeOf(target, 0);
    });
    const types = declared.flatMap((each) => each.types);
    const member = types.length === 0 ? null : classes.inherited(types, name, role, false, 0);
    if (member === null) return file.rules.nominal && declared.some(({ isDeclared }) => isDeclared) ? "external" : null;
    return weaker(from, member.targets, (CONFIDENCE.typed * 100 - steps * STEP_COST) / 100);
  };

  const along = (
    file: FileSymbols,
    start: Resolution,
    links: readonly Link[],
    name: string,
    role: Role,
  ): Resolution => {
    const called = file.rules.nominal ? "call" : "value";
    let at = start;
    for (const [steps, link] of links.entries()) {
      if (at === null || at === "external") return at;
      at = next(file, at, link.name, link.isCalled ? called : "value", steps);
    }
    return at === null || at === "external" ? at : next(file, at, name, role, links.length);
  };

  return (file, use, qualifier, role) => {
    const { superNames } = file.scoping;
    const chain = callChain(qualifier);
    const isSuper =
      (chain?.rest.length === 0 && superNames.includes(chain.start.join("."))) || superNames.includes(qualifier);
    if (isSuper) {
      const own = classes.enclosing(file, use.symbol);
      const found = own === null ? null : classes.inherited([own], use.name, role, true, 0);
      return found === null ? "external" : { ...found, confidence: CONFIDENCE.inherited };
    }
    if (chain === null || chain.rest.length > LINKS_MAX) return null;
    const isIncluded = file.rules.parts === "included";
    if (qualifier.startsWith(NEW)) {
      const types = classes.classNamed(file, use.symbol, chain.start.join("."), 0);
      // What C++ includes is not always known, so a type that is not found may still be one of the repository.
      if (types.length > 0 || (file.rules.nominal && !isIncluded))
        return along(file, candidates(types, CONFIDENCE.typed) ?? "external", chain.rest, use.name, role);
    }
    const start = resolvePath(file, use.symbol, chain.start, file.rules.nominal ? "call" : "value", 0);
    const found = along(file, start, chain.rest, use.name, role);
    // What a variable holds may have been checked or unwrapped since; one of C++ keeps its type.
    return found === "external" && qualifier.startsWith(HELD) && !isIncluded ? null : found;
  };
}

type Link = { readonly name: string; readonly isCalled: boolean };

/** `start` is the path up to the first call, `rest` the names after it. */
type CallChain = { readonly start: readonly string[]; readonly rest: readonly Link[] };

const NEW = "new ";
/** Before the call whose result a variable holds. */
const HELD = "= ";
const PREFIX = /^(?:(?:=|new|await|try[?!]?)\s+)*/;
const WORD = /[\p{L}_$#@][\p{L}\p{N}_$#]*/uy;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["<", ">"],
  ["{", "}"],
]);

/** Parses `new Cart(a).open().lines`; null if the text is not a chain of names with a call. */
export function callChain(text: string): CallChain | null {
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
    if (text[at] === "?") at += 1;
    if (at < text.length && text[at] !== ".") return null;
  }
  // An unclosed bracket: the text was cut off.
  if (at > text.length) return null;
  const first = links.findIndex(({ isCalled }) => isCalled);
  if (first < 0) return null;
  return { start: links.slice(0, first + 1).map(({ name }) => name), rest: links.slice(first + 1) };
}

/** The names of a chain without its calls (`data.headers` of `data().headers`); none if the text is no chain. */
export function namesOfChain(text: string): readonly string[] {
  const chain = callChain(text);
  return chain === null ? [] : [...chain.start, ...chain.rest.map(({ name }) => name)];
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
