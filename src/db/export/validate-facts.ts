/**
 * Checks that imported facts are consistent: lines are within the file, indexes within their lists, and sizes plausible.
 *
 * Types are checked before (`facts-codec.ts`). Only the text can tell whether facts are true.
 */
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { soundTermStats } from "../../text/terms/term-stats-check.ts";

/** The most facts of one kind in one file; parsing keeps fewer. */
const COUNT_MAX = 100_000;
/** Parsing cuts signatures at 400 characters, and names are part of them. */
const NAME_MAX = 20_000;

/** `stats` are the term statistics of the same file. */
export function areValidFacts(facts: FileFacts, stats: Uint8Array): boolean {
  const { lineCount, symbols, comments, imports, references, exportedAs, namespace, doc } = facts;
  // An empty file has no lines, but facts about it are on line 1.
  const lineMax = Math.max(1, lineCount);
  const isLine = (line: number): boolean => line >= 1 && line <= lineMax;
  const isSpan = (first: number, last: number): boolean => isLine(first) && isLine(last) && first <= last;
  const isSymbol = (symbol: number | null): boolean => symbol === null || symbol < symbols.length;
  const isDoc = (text: typeof doc): boolean => text === null || text.content.length <= TEXT_MAX;
  return (
    [symbols, comments, imports, references, Object.keys(exportedAs)].every(({ length }) => length <= COUNT_MAX) &&
    (namespace?.length ?? 0) <= NAME_MAX &&
    isDoc(doc) &&
    symbols.every(
      (symbol, index) =>
        isSpan(symbol.startLine, symbol.endLine) &&
        isSpan(symbol.docLine, symbol.endLine) &&
        isLine(symbol.nameLine) &&
        (symbol.parent === null || symbol.parent < index) &&
        symbol.name.length <= NAME_MAX &&
        symbol.qualifiedName.length <= NAME_MAX &&
        symbol.signature.length <= NAME_MAX &&
        isDoc(symbol.doc),
    ) &&
    comments.every(
      ({ line, endLine, symbol, content }) => isSpan(line, endLine) && isSymbol(symbol) && content.length <= TEXT_MAX,
    ) &&
    imports.every(
      ({ line, specifier, names }) => isLine(line) && specifier.length <= NAME_MAX && names.length <= COUNT_MAX,
    ) &&
    references.every(({ line, symbol, name }) => isLine(line) && isSymbol(symbol) && name.length <= NAME_MAX) &&
    soundTermStats(stats, symbols.length)
  );
}

/** The largest size limit for a file. */
const TEXT_MAX = 64 * 1024 * 1024;
