/**
 * Uses of names, from the matches of a language's reference queries.
 *
 * Where two patterns name one place the earlier pattern holds; the names of definitions are no uses.
 * Repeats inside one symbol are dropped. Not here: what a name means (`indexing`).
 */
import type { ReferenceFact } from "./facts.ts";
import { type Match, oneLine, type Span } from "./match.ts";
import { type SourceText, textOf } from "./source-text.ts";

const KINDS = ["decorate", "inherit", "implement", "call", "type"] as const satisfies readonly ReferenceFact["kind"][];

const QUALIFIER_MAX = 100;
const NAME_MAX = 200;

type Use = {
  readonly pattern: number;
  readonly kind: ReferenceFact["kind"];
  readonly name: Span;
  readonly qualifier: Span | undefined;
};

/** The uses in a file, in order. `definedAt` are the offsets of the names of definitions. */
export function findReferences(
  source: SourceText,
  matches: readonly Match[],
  definedAt: ReadonlySet<number>,
  symbolAt: (offset: number) => number | null,
): readonly ReferenceFact[] {
  const uses = new Map<number, Use>();
  for (const match of matches) {
    const use = readUse(match);
    if (use === null || definedAt.has(use.name.start)) continue;
    const known = uses.get(use.name.start);
    if (known === undefined || use.pattern < known.pattern) uses.set(use.name.start, use);
  }
  const facts = new Map<string, ReferenceFact>();
  for (const { kind, name, qualifier } of [...uses.values()].toSorted((a, b) => a.name.start - b.name.start)) {
    const symbol = symbolAt(name.start);
    const line = source.lines.lineOf(name.start);
    const written = textOf(source, { start: name.start, end: Math.min(name.end, name.start + NAME_MAX) });
    const before = qualifier === undefined ? null : qualifierIn(source, qualifier);
    for (const each of namesIn(written, before, kind)) {
      const key = `${symbol} ${kind} ${each.name} ${each.qualifier ?? ""}`;
      if (!facts.has(key)) facts.set(key, { ...each, kind, line, symbol });
    }
  }
  return [...facts.values()];
}

function readUse({ pattern, captures }: Match): Use | null {
  for (const kind of KINDS) {
    const name = captures.get(`reference.${kind}`);
    if (name !== undefined) return { pattern, kind, name, qualifier: captures.get("qualifier") };
  }
  return null;
}

/** A qualifier is cut before it is folded: chains of calls can be as long as a file. `a?.b!` is `a.b`. */
function qualifierIn(source: SourceText, { start, end }: Span): string {
  const written = textOf(source, { start, end: Math.min(end, start + 4 * QUALIFIER_MAX) });
  return oneLine(written.replace(/\?(?=\.)|!(?=\.|$)/g, ""), QUALIFIER_MAX);
}

const PLAIN_NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const DOTTED_NAMES = /[\p{ID_Start}_][\p{ID_Continue}]*(?:\.[\p{ID_Start}_][\p{ID_Continue}]*)*/gu;

/** A type in quotes (`"list[pkg.Foo]"`) can hold several names, each with its own qualifier. */
function namesIn(
  written: string,
  qualifier: string | null,
  kind: ReferenceFact["kind"],
): readonly { readonly name: string; readonly qualifier: string | null }[] {
  if (kind !== "type" || PLAIN_NAME.test(written)) return [{ name: written, qualifier }];
  return (written.match(DOTTED_NAMES) ?? []).map((dotted) => {
    const dot = dotted.lastIndexOf(".");
    return { name: dotted.slice(dot + 1), qualifier: dot === -1 ? null : dotted.slice(0, dot) };
  });
}
