/**
 * One use of a name to its meanings, each with a confidence.
 *
 * A bare name is looked for in the scopes around it, the file, its imports, its stars. A name behind a
 * dot is looked for in what stands before the dot, read from left to right: a module, a class, the
 * enclosing class (`self`, `this`, `super()`), or a value whose type a signature tells. The confidence
 * of a path is that of its weakest step. Depths are bounded, so that cyclic bases and types end.
 */
import type { ReferenceFact, SymbolFact, SymbolKind } from "../syntax/facts.ts";
import type { Exports, Target } from "./references-exports.ts";
import { byName, CONFIDENCE, type Guess, keptAnswers, weaker } from "./references-guess.ts";
import type { NameTable } from "./references-names.ts";
import { chosen, type FileSymbols, isInside, scopesOf, type Want } from "./references-symbols.ts";
import { declaredType, parameterType, returnType } from "./references-types.ts";

/** How many classes above a class are asked, how many types lead to a type, how many dots are read. */
const BASES_MAX = 32;
const TYPES_MAX = 6;
const DOTS_MAX = 8;

/** What stands before the dot is text, and text of this length is no name. In characters. */
const QUALIFIER_LENGTH_MAX = 200;

/** Kinds whose members are reached through a dot. */
const CLASS_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "enum"]);

/** "outside": the name is known to come from elsewhere, so nothing may be guessed for it. */
type Found = Guess | "outside" | null;

export type MemberFinder = {
  /** What a use may mean: one answer, or a few weak ones, or none. */
  guesses(file: FileSymbols, use: ReferenceFact, want: Want): readonly Guess[];
};

export function memberFinder(exports: Exports, names: NameTable): MemberFinder {
  const keptBases = keptAnswers<ReferenceFact>();
  const keptTypes = keptAnswers<SymbolFact>();

  /** A bare name, seen from a symbol of a file. */
  const bare = (file: FileSymbols, scope: number | null, name: string, want: Want): Found => {
    for (const at of scopesOf(file.facts, scope)) {
      const symbol = file.facts.symbols[at];
      if (symbol === undefined) continue;
      // What a class holds is reached through the class, except in its own body in Python.
      const isClass = CLASS_KINDS.has(symbol.kind);
      if (isClass && !(at === scope && file.family === "python")) continue;
      const inner = chosen(file.facts, file.members.get(at)?.get(name), want);
      if (inner !== null) return { target: { file, symbol: inner }, confidence: CONFIDENCE.scope };
      if (want === "value" && !isClass && parameterType(symbol.signature, name) !== undefined) return "outside";
    }
    const own = chosen(file.facts, file.top.get(name), want);
    if (own !== null) return { target: { file, symbol: own }, confidence: CONFIDENCE.scope };
    const binding = file.bindings.get(name);
    if (binding !== undefined) {
      const target = exports.bound(binding, want);
      return target === null ? "outside" : { target, confidence: CONFIDENCE.imported };
    }
    for (const star of file.stars) {
      const target = isInside(star) ? exports.bound({ ...star, name }, want) : null;
      if (target !== null) return { target, confidence: CONFIDENCE.starred };
    }
    return null;
  };

  /** A member of a class or of what stands above it. The class itself comes first, then its bases, breadth first. */
  const inherited = (start: Target, name: string, want: Want, skipOwn: boolean, depth: number): Guess | null => {
    const queue: Target[] = [start];
    const seen = new Set<string>();
    for (let at = 0; at < queue.length && at < BASES_MAX; at++) {
      const { file, symbol } = queue[at] ?? start;
      if (symbol === null || seen.has(`${file.path}\0${symbol}`)) continue;
      seen.add(`${file.path}\0${symbol}`);
      const member = at === 0 && skipOwn ? null : chosen(file.facts, file.members.get(symbol)?.get(name), want);
      if (member !== null) {
        const confidence = at === 0 ? CONFIDENCE.self : CONFIDENCE.inherited;
        return { target: { file, symbol: member }, confidence };
      }
      queue.push(...(file.bases.get(symbol) ?? []).flatMap((base) => baseOf(file, symbol, base, depth) ?? []));
    }
    return null;
  };

  /** The class that an `inherit` use of a class means. */
  const baseOf = (file: FileSymbols, symbol: number, base: ReferenceFact, depth: number): Target | null =>
    keptBases(file, base, () => findBase(file, symbol, base, depth));

  const findBase = (file: FileSymbols, symbol: number, base: ReferenceFact, depth: number): Target | null => {
    const outer = file.facts.symbols[symbol]?.parent ?? null;
    const found = dotted(
      file,
      outer,
      base.qualifier === null ? [base.name] : [...base.qualifier.split("."), base.name],
      "type",
      depth + 1,
    );
    if (found === null || found === "outside") return null;
    const isItself = found.target.file === file && found.target.symbol === symbol;
    return isItself ? null : found.target;
  };

  /** A member of whatever has been found so far. */
  const step = (from: Guess, name: string, want: Want, depth: number): Guess | null => {
    const { file, symbol } = from.target;
    if (symbol === null) {
      const target = exports.exported(file, name, want) ?? memberOfDefault(file, name, want, depth);
      return target === null ? null : weaker(from, { target, confidence: CONFIDENCE.imported });
    }
    const member = inherited(from.target, name, want, false, depth);
    if (member !== null) return from.own ? member : weaker(from, { ...member, confidence: CONFIDENCE.member });
    const type = typeOf(from.target, depth + 1);
    const viaType = type === null ? null : inherited(type, name, want, false, depth);
    return viaType === null ? null : weaker(from, { ...viaType, confidence: CONFIDENCE.typed });
  };

  /** `const app = require("./app"); app.use()`: the member of what the module exports as a whole. */
  const memberOfDefault = (file: FileSymbols, name: string, want: Want, depth: number): Target | null => {
    const whole = file.family === "ecmascript" ? exports.exported(file, "default", "value") : null;
    return whole === null || whole.symbol === null
      ? null
      : (inherited(whole, name, want, false, depth)?.target ?? null);
  };

  /** The class of a variable, a property, or of what a function returns, as their signatures tell. */
  const typeOf = (target: Target, depth: number): Target | null => {
    const symbol = target.symbol === null ? undefined : target.file.facts.symbols[target.symbol];
    return symbol === undefined ? null : keptTypes(target.file, symbol, () => findType(target, symbol, depth));
  };

  const findType = (target: Target, symbol: SymbolFact, depth: number): Target | null => {
    if (depth > TYPES_MAX) return null;
    const isCallable = symbol.kind === "function" || symbol.kind === "method";
    const name = isCallable ? returnType(symbol.signature) : declaredType(symbol.signature, symbol.name);
    return name === null ? null : classNamed(target.file, target.symbol, name, depth);
  };

  const classNamed = (file: FileSymbols, scope: number | null, name: string, depth: number): Target | null => {
    if (name === "Self" || name === "this") return enclosingClass(file, scope);
    const found = dotted(file, scope, name.split("."), "type", depth + 1);
    if (found === null || found === "outside" || found.target.symbol === null) return null;
    const kind = found.target.file.facts.symbols[found.target.symbol]?.kind;
    return kind !== undefined && CLASS_KINDS.has(kind) ? found.target : typeOf(found.target, depth + 1);
  };

  /** The first part of a chain: the enclosing class, a typed parameter, or a bare name. */
  const head = (file: FileSymbols, scope: number | null, name: string, want: Want, depth: number): Found => {
    if (name === "this" || (file.family === "python" && (name === "self" || name === "cls"))) {
      const target = enclosingClass(file, scope);
      return target === null ? null : { target, confidence: CONFIDENCE.self, own: true };
    }
    for (const at of scopesOf(file.facts, scope)) {
      const symbol = file.facts.symbols[at];
      if (symbol === undefined || CLASS_KINDS.has(symbol.kind)) continue;
      const type = parameterType(symbol.signature, name);
      if (type === undefined) continue;
      const target = type === null ? null : classNamed(file, at, type, depth);
      return target === null ? null : { target, confidence: CONFIDENCE.typed };
    }
    return bare(file, scope, name, want);
  };

  /** A chain `a.b.c`, of which the last part is of the wanted sort. */
  const dotted = (
    file: FileSymbols,
    scope: number | null,
    parts: readonly string[],
    want: Want,
    depth: number,
  ): Found => {
    const [first = "", ...rest] = parts;
    if (depth > TYPES_MAX || parts.length > DOTS_MAX) return null;
    // `import a.b` binds a dotted alias: the longest one counts.
    for (let length = parts.length - 1; length > 1; length--) {
      const binding = file.bindings.get(parts.slice(0, length).join("."));
      const target = binding === undefined ? null : exports.bound(binding, "value");
      if (target !== null) return along({ target, confidence: CONFIDENCE.imported }, parts.slice(length), want, depth);
    }
    if (rest.length === 0) return bare(file, scope, first, want);
    const start =
      head(file, scope, first, "value", depth) ?? (want === "type" ? bare(file, scope, first, "type") : null);
    return start === null || start === "outside" ? start : along(start, rest, want, depth);
  };

  /** The members in turn; "outside" when a known module or class lacks one, null when the value's type is not known. */
  const along = (start: Guess, parts: readonly string[], want: Want, depth: number): Found => {
    let at = start;
    for (const [place, part] of parts.entries()) {
      const isLast = place === parts.length - 1;
      const next = step(at, part, isLast ? want : "value", depth) ?? (isLast ? null : step(at, part, "type", depth));
      if (next === null) return place === 0 && isComplete(at.target) ? "outside" : null;
      at = next;
    }
    return at;
  };

  /** A module's members are all known; so are those of a class unless it has bases or sets attributes. */
  const isComplete = ({ symbol }: Target): boolean => symbol === null;

  /** `super().f()`, `super.f()`, `Foo(...).f()`: the chain before a call, and what its result has. */
  const ofResult = (file: FileSymbols, use: ReferenceFact, qualifier: string, want: Want): Found => {
    const callee = /^(?:new |await )?([\p{L}_$][\p{L}\p{N}_$.]*)\s*\(/u.exec(qualifier)?.[1];
    if (callee === "super" || qualifier === "super") {
      const target = enclosingClass(file, use.symbol);
      const found = target === null ? null : inherited(target, use.name, want, true, 0);
      return found === null ? "outside" : { ...found, confidence: CONFIDENCE.inherited };
    }
    if (callee === undefined || !isOneCall(qualifier)) return null;
    const found = dotted(file, use.symbol, callee.split("."), "value", 0);
    if (found === null || found === "outside") return found;
    const kind = found.target.symbol === null ? undefined : found.target.file.facts.symbols[found.target.symbol]?.kind;
    const type = kind === "class" ? found.target : typeOf(found.target, 0);
    const member = type === null ? null : inherited(type, use.name, want, false, 0);
    return member === null ? null : weaker(found, { ...member, confidence: CONFIDENCE.typed });
  };

  return {
    guesses: (file, use, want) => {
      if (use.qualifier !== null && use.qualifier.length > QUALIFIER_LENGTH_MAX) return [];
      const qualifier = use.qualifier?.replaceAll("?.", ".").replaceAll("!", "").trim() ?? null;
      if (qualifier === null) {
        const found = use.name === "super" ? null : bare(file, scopeOf(file, use), use.name, want);
        if (found === "outside") return [];
        if (found !== null) return [asCalled(found, want)];
        return byName(file.isScript ? names.globals(use.name, file) : []);
      }
      if (/^["'`[{(\d/]|^[rbfu]{1,2}["']/i.test(qualifier)) return [];
      const isChain =
        /^[\p{L}_$#][\p{L}\p{N}_$#]*(?:\.[\p{L}_$#][\p{L}\p{N}_$#]*)*$/u.test(qualifier) && qualifier !== "super";
      const found = isChain
        ? dotted(file, scopeOf(file, use), [...qualifier.split("."), use.name], want, 0)
        : ofResult(file, use, qualifier, want);
      if (found === "outside") return [];
      return found === null ? byName(want === "value" ? names.methods(use.name, file) : []) : [found];
    },
  };

  /** A module that is called is called as what it exports as a whole. */
  function asCalled(found: Guess, want: Want): Guess {
    if (found.target.symbol !== null) return found;
    const target = exports.exported(found.target.file, "default", want);
    return target === null ? found : { target, confidence: found.confidence };
  }
}

/** Names in the head of a class (bases, decorators) are seen from outside of it. */
const scopeOf = (file: FileSymbols, use: ReferenceFact): number | null =>
  use.symbol !== null && (use.kind === "inherit" || use.kind === "implement" || use.kind === "decorate")
    ? (file.facts.symbols[use.symbol]?.parent ?? null)
    : use.symbol;

function enclosingClass(file: FileSymbols, scope: number | null): Target | null {
  const at = scopesOf(file.facts, scope).find((index) =>
    CLASS_KINDS.has(file.facts.symbols[index]?.kind ?? "variable"),
  );
  return at === undefined ? null : { file, symbol: at };
}

/** Is the text one call from its first bracket to its end? */
function isOneCall(text: string): boolean {
  let depth = 0;
  for (let at = text.indexOf("("); at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at === text.length - 1;
  }
  return false;
}
