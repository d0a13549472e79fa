/**
 * What resolving needs of a file's facts, held for all files of a repository at once.
 *
 * Texts (documentation, comments) are left out, and equal names are one string: of 30,000 files the rest is a third
 * of the memory.
 */
import type { FileFacts } from "../syntax/facts.ts";

export type Intern = (text: string) => string;

/** Answers the first of equal strings for all of them. */
export function stringPool(): Intern {
  const pool = new Map<string, string>();
  return (text) => {
    const known = pool.get(text);
    if (known !== undefined) return known;
    pool.set(text, text);
    return text;
  };
}

/** The facts without documentation and comments; the same symbols, imports and references at the same places. */
export function linkFacts(facts: FileFacts, intern: Intern): FileFacts {
  const orNull = (text: string | null): string | null => (text === null ? null : intern(text));
  return {
    ...facts,
    doc: null,
    comments: [],
    symbols: facts.symbols.map((symbol) => ({
      ...symbol,
      name: intern(symbol.name),
      qualifiedName: intern(symbol.qualifiedName),
      signature: intern(symbol.signature),
      doc: null,
    })),
    imports: facts.imports.map(({ specifier, line, kind, names, star }) => ({
      specifier: intern(specifier),
      line,
      kind,
      names: names.map(({ name, alias }) => ({ name: intern(name), alias: orNull(alias) })),
      star,
    })),
    references: facts.references.map(({ name, qualifier, kind, line, symbol }) => ({
      name: intern(name),
      qualifier: orNull(qualifier),
      kind,
      line,
      symbol,
    })),
  };
}
