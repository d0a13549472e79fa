/** The text that a package shows of a file, each line once: what JSON and the bundle hold, and what the budget bounds. */
import type { ContextPackage, FileJson, SnippetJson, SymbolJson } from "../model/package-schema.ts";
import { bodyStart } from "./code-rows.ts";

/** `symbol` is the symbol whose body or signature the text is; null for a snippet. */
export type ShownPart = SnippetJson & { readonly symbol: SymbolJson | null };

/** Why a symbol is in the package. */
type ReasonOf = (symbol: SymbolJson) => string;

/** The tier of each symbol, and what brought it in. */
export function symbolReasons({ provenance }: Pick<ContextPackage, "provenance">): ReasonOf {
  const reasons = new Map<string, string>();
  for (const { path, qualified_name: name, tier, why } of provenance.symbols.toReversed())
    reasons.set(`${path}#${name}`, `${tier}: ${why}`);
  return ({ file_id: path, qualified_name: name, relevance }) => reasons.get(`${path}#${name}`) ?? relevance;
}

/**
 * In order of lines. A method inside a class that is shown in full is not repeated. Where a snippet and a body share lines, the body has
 * them; what a body does not share with the one before becomes a snippet.
 */
export function shownParts({ symbols, snippets }: FileJson, reasonOf: ReasonOf): readonly ShownPart[] {
  const partOf = (symbol: SymbolJson): ShownPart => ({ ...linesShown(symbol), symbol, reason: reasonOf(symbol) });
  const all = [
    ...symbols.filter(({ body }) => body !== null).map(partOf),
    ...snippets.map((snippet) => ({ symbol: null, ...snippet })),
    ...symbols.filter(({ body }) => body === null).map(partOf),
  ].sort((a, b) => a.start_line - b.start_line || b.end_line - a.end_line);
  const shown: ShownPart[] = [];
  for (const part of all) {
    const last = shown.at(-1);
    const reached = last?.end_line ?? 0;
    if (part.end_line <= reached) continue;
    if (last === undefined || part.start_line > reached) shown.push(part);
    else if (part.symbol !== null && last.symbol === null && part.start_line > last.start_line)
      shown.splice(-1, 1, linesOf(last, last.start_line, part.start_line - 1), part);
    else shown.push({ ...linesOf(part, reached + 1, part.end_line), symbol: null });
  }
  return shown;
}

function linesShown(symbol: SymbolJson) {
  const { body, signature, end_line } = symbol;
  const start_line = bodyStart(symbol);
  return body === null ? { start_line, end_line: start_line, text: signature } : { start_line, end_line, text: body };
}

const linesOf = (part: ShownPart, start: number, end: number): ShownPart => ({
  ...part,
  start_line: start,
  end_line: end,
  text: part.text
    .split("\n")
    .slice(start - part.start_line, end - part.start_line + 1)
    .join("\n"),
});
