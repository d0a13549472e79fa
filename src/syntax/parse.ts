/**
 * A text to its facts: runs the queries and puts their answers together.
 *
 * Facts depend on the text and the language only. An error in the text is no failure; a file that needs
 * more than its time has no facts and a problem. Not here: token counts and term statistics, which need
 * no syntax (`measure.ts`).
 */
import { type CommentBlock, commentFacts, findCommentBlocks } from "./comments.ts";
import { findDefinitions } from "./definitions.ts";
import { docOfComment, docOfString, fileDocComment } from "./docs.ts";
import { findExports } from "./exports.ts";
import type { DocFact, FileFacts } from "./facts.ts";
import { findMatches, type ParseLimits } from "./find-matches.ts";
import { GRAMMARS } from "./grammars.ts";
import { findImports } from "./imports.ts";
import { linesOf } from "./lines.ts";
import type { Match, Matches, Span } from "./match.ts";
import { findReferences } from "./references.ts";
import type { SourceText } from "./source-text.ts";
import { nestSymbols, type UncountedSymbol } from "./symbols.ts";

/** Facts before tokens are counted. */
export type UncountedFacts = Omit<FileFacts, "tokenCount" | "symbols"> & {
  readonly symbols: readonly UncountedSymbol[];
};

/** Lines that hold comments or documentation, for term statistics. */
export type CommentLines = readonly { readonly line: number; readonly endLine: number }[];

export type Parsed = { readonly facts: UncountedFacts; readonly commentLines: CommentLines };

/** Parses a text. A language without a grammar gives facts with `parsed: false` and no problem. */
export async function parseFile(text: string, language: string, limits: ParseLimits): Promise<Parsed> {
  const grammar = GRAMMARS.get(language);
  if (grammar === undefined) return { facts: textFacts(text, null), commentLines: [] };
  const found = await findMatches(text, language, limits);
  if ("problem" in found) return { facts: textFacts(text, found.problem), commentLines: [] };
  return factsOf({ text, lines: linesOf(text), style: grammar.style }, found.matches, limits.factsMax);
}

/** The facts of a file that is text only, with the problem that made it so. */
export function textFacts(text: string, problem: string | null): UncountedFacts {
  const nothing = { doc: null, symbols: [], comments: [], imports: [], references: [], exportedAs: {} };
  return { parsed: false, problem, lineCount: linesOf(text).count, ...nothing };
}

function factsOf(source: SourceText, matches: Matches, factsMax: number): Parsed {
  const blocks = findCommentBlocks(source, matches.comments);
  const imports = findImports(source, matches.imports);
  const exports = findExports(source, matches.imports);
  const commentSpans = matches.comments.flatMap(({ captures }) => captures.get("comment") ?? []);
  const definitions = findDefinitions(source, matches.symbols, commentSpans, imports.bound);
  const docStrings = docStringsOf(matches.symbols);
  const symbols = nestSymbols(source, definitions, {
    blocks,
    docStrings: docStrings.byNode,
    exports,
    symbolsMax: factsMax,
  });
  const overview = fileDocComment(source, blocks, symbols.documentation);
  const remarks = blocks.filter((block) => block !== overview && !symbols.documentation.has(block));
  const definedAt = new Set(definitions.map(({ nameStart }) => nameStart));
  const facts: UncountedFacts = {
    parsed: true,
    problem: null,
    lineCount: source.lines.count,
    doc: fileDoc(source, docStrings.file) ?? (overview === null ? null : docOfComment(overview)),
    symbols: symbols.facts,
    comments: commentFacts(
      remarks.slice(0, factsMax),
      (block) => symbols.below.get(block) ?? symbols.innermostAt(firstCodeOf(source, block)),
    ).slice(),
    imports: imports.facts.slice(0, factsMax),
    references: findReferences(source, matches.references, definedAt, symbols.innermostAt).slice(0, factsMax),
    exportedAs: Object.fromEntries(exports.as),
  };
  return { facts, commentLines: blocks.map(({ line, endLine }) => ({ line, endLine })) };
}

/** Where to look for the symbol of a comment: after code it speaks of what its line begins with. */
function firstCodeOf({ text, lines }: SourceText, { span, line, alone }: CommentBlock): number {
  if (alone) return span.start;
  const start = lines.startOf(line);
  return start + (/\S/.exec(text.slice(start, span.start))?.index ?? 0);
}

/** Documentation strings by the start of the node they describe; the file's own has none. */
function docStringsOf(matches: readonly Match[]): {
  readonly byNode: ReadonlyMap<number, Span>;
  readonly file: Span | null;
} {
  const byNode = new Map<number, Span>();
  let file: Span | null = null;
  for (const { captures } of matches) {
    const text = captures.get("doc");
    if (text === undefined) continue;
    const documented = captures.get("documented");
    if (documented === undefined) file ??= text;
    else byNode.set(documented.start, text);
  }
  return { byNode, file };
}

function fileDoc(source: SourceText, span: Span | null): DocFact | null {
  return span === null ? null : docOfString(source.text.slice(span.start, span.end));
}
