/** The text that a package shows of a file, each line once: what JSON and the bundle hold, and what the budget bounds. */
import type { FileJson, SnippetJson, SymbolJson } from "../model/package-schema.ts";

/** `of` is the symbol or snippet that the text comes from. */
export type ShownPart = {
  readonly of: SymbolJson | SnippetJson;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
  readonly reason: string;
};

/** In order of lines. A method inside a class that is shown in full is not repeated. */
export function shownParts({ symbols, snippets }: FileJson): readonly ShownPart[] {
  const all = [
    ...symbols.map((symbol) => ({ of: symbol, ...linesOf(symbol), reason: symbol.relevance })),
    ...snippets.map((snippet) => ({ of: snippet, ...snippet })),
  ].sort((a, b) => a.start_line - b.start_line || b.end_line - a.end_line);
  let reached = 0;
  return all.filter(({ end_line: end }) => {
    const isNew = end > reached;
    reached = Math.max(reached, end);
    return isNew;
  });
}

function linesOf(symbol: SymbolJson): { start_line: number; end_line: number; text: string } {
  if (symbol.body === null)
    return { start_line: symbol.start_line, end_line: symbol.start_line, text: symbol.signature };
  return {
    start_line: symbol.end_line - symbol.body.split("\n").length + 1,
    end_line: symbol.end_line,
    text: symbol.body,
  };
}
