/**
 * Extracts the facts of a text: runs the queries and combines their results.
 *
 * Facts depend only on the text and the language. A syntax error is not a failure; a file that is too much work has a
 * problem and no facts. Token counts and term statistics need no syntax (`measure.ts`).
 */
import { blanked } from "../../languages/conditional-code.ts";
import { conflictSides } from "../../languages/conflict-sides.ts";
import { commentBlocks, isOutline, PARSED_LANGUAGES } from "../../languages/languages.ts";
import { type Grammar, PLAIN_STYLE } from "../../languages/syntax.ts";
import type { Span } from "../../text/lines.ts";
import { linesOf } from "../../text/lines.ts";
import { type CommentBlock, commentFacts, findCommentBlocks } from "../facts/comments.ts";
import { componentUses } from "../facts/component-uses.ts";
import { findDefinitions } from "../facts/definitions.ts";
import { docOfComment, docOfString, fileDocComment } from "../facts/docs.ts";
import { findExports } from "../facts/exports.ts";
import type { DocFact } from "../facts/facts.ts";
import { findImports } from "../facts/imports.ts";
import { firstParts, outlineSymbols } from "../facts/outline.ts";
import { findReferences } from "../facts/references.ts";
import { dotted, type SourceText, textOf } from "../facts/source-text.ts";
import { nestSymbols, type UncountedSymbol } from "../facts/symbols.ts";
import { textFacts, type UncountedFacts } from "../facts/text-facts.ts";
import { findSections } from "../facts/visibility-sections.ts";
import { findMatches, type ParseLimits } from "../query/find-matches.ts";
import type { Match, Matches } from "../query/match.ts";

/** Parses a text. A language without a grammar gives facts with `parsed: false` and no problem. */
export async function parseFile(text: string, language: string, limits: ParseLimits): Promise<UncountedFacts> {
  const parsing = PARSED_LANGUAGES.get(language);
  if (parsing === undefined) return textFacts(text, null);
  if (parsing.kind === "grammar") {
    const grammar = await parsing.load();
    const dialect = grammar.dialect?.(text) ?? null;
    return dialect === null ? parseWith(grammar, text, language, limits) : parseFile(text, dialect, limits);
  }
  if (parsing.kind === "embedding") {
    const { script, components } = (await parsing.load()).read(text);
    if (script === null) return { ...textFacts(text, null), parsed: true };
    const facts = await parseFile(script.text, script.language, limits);
    const uses = componentUses(components, facts, linesOf(text));
    return { ...facts, references: [...facts.references, ...uses].slice(0, limits.factsMax) };
  }
  const source = { text, parsed: text, code: text, lines: linesOf(text), style: PLAIN_STYLE };
  const headings = (await parsing.load()).outline(text, source.lines);
  const symbols = outlineSymbols(source, firstParts(headings)).slice(0, limits.factsMax);
  return { ...textFacts(text, null), parsed: true, symbols };
}

async function parseWith(
  { style }: Grammar,
  text: string,
  language: string,
  limits: ParseLimits,
): Promise<UncountedFacts> {
  const found = await findMatches(text, language, style, limits);
  if ("problem" in found) return textFacts(text, found.problem);
  // Lines that mark a conflict are no part of a signature.
  const [unmarked = text] = conflictSides(text);
  const source = { text: unmarked, parsed: found.parsed, lines: linesOf(text), style };
  return factsOf(source, found.matches, language, limits.factsMax);
}

function factsOf(read: Omit<SourceText, "code">, matches: Matches, language: string, factsMax: number): UncountedFacts {
  const comments = matches.comments.flatMap(({ captures }) => captures.get("comment") ?? []);
  const source = { ...read, code: blanked(read.text, comments) };
  const blocks = findCommentBlocks(source, matches.comments, commentBlocks(language));
  const imports = findImports(source, matches.imports);
  const exports = findExports(source, matches.imports, imports.facts);
  const defined = findDefinitions(source, matches.symbols, comments, imports.bound);
  const definitions = isOutline(language) ? firstParts(defined) : defined;
  const docStrings = docStringsOf(matches.symbols);
  const symbols = nestSymbols(source, definitions, {
    blocks,
    docStrings: docStrings.byNode,
    exports,
    sections: findSections(source, matches.symbols),
    symbolsMax: factsMax,
  });
  const overview = fileDocComment(source, blocks, symbols.documentation);
  const remarks = blocks.filter((block) => block !== overview && !symbols.documentation.has(block));
  const definedAt = new Set(definitions.map(({ nameStart }) => nameStart));
  return {
    parsed: true,
    problem: null,
    lineCount: source.lines.count,
    namespace: namespaceOf(source, matches.imports),
    doc: fileDoc(source, docStrings.file) ?? (overview === null ? null : docOfComment(source, overview)),
    symbols: symbols.facts,
    comments: commentFacts(
      remarks.slice(0, factsMax),
      (block) => symbols.below.get(block) ?? symbols.innermostAt(firstCodeOf(source, block)),
    ).slice(),
    imports: imports.facts.slice(0, factsMax),
    references: findReferences(source, matches.references, {
      definedAt,
      imports: imports.facts,
      bound: imports.bound,
      symbols: symbols.facts,
      symbolAt: symbols.innermostAt,
      symbolNamed: namedIn(symbols.facts),
    }).slice(0, factsMax),
    exportedAs: Object.fromEntries(exports.as),
    commentLines: blocks
      .slice(0, factsMax)
      .map(({ line, endLine }) => ({ line, endLine }))
      .sort((a, b) => a.line - b.line),
  };
}

/** Finds symbols by name and by the index of the directly enclosing symbol; the first one wins. */
function namedIn(symbols: readonly UncountedSymbol[]): (name: string, parent: number | null) => number | null {
  const found = new Map<string, number>();
  symbols.forEach(({ name, qualifiedName, parent }, index) => {
    // The name of a member defined outside of its owner is not visible there.
    const isMember = parent === null && qualifiedName !== name;
    const key = `${parent} ${name}`;
    if (!isMember && !found.has(key)) found.set(key, index);
  });
  return (name, parent) => found.get(`${parent} ${name}`) ?? null;
}

/**
 * The package that a file declares, with dots: the first `@package` of its import queries, then those inside it, which have
 * the setting `package` "nested".
 */
function namespaceOf(source: SourceText, matches: readonly Match[]): string | null {
  let found: string | null = null;
  for (const { captures, settings } of matches) {
    const span = captures.get("package");
    if (span === undefined || (found !== null && settings.get("package") !== "nested")) continue;
    const name = dotted(source.style, textOf(source, span));
    found = (found === null ? name : `${found}.${name}`).slice(0, NAMESPACE_MAX);
  }
  return found;
}

const NAMESPACE_MAX = 200;

/** The offset that determines the symbol of a comment: a comment after code describes the start of its line. */
function firstCodeOf({ text, lines }: SourceText, { span, line, alone }: CommentBlock): number {
  if (alone) return span.start;
  const start = lines.startOf(line);
  return start + (/\S/.exec(text.slice(start, span.start))?.index ?? 0);
}

/** Documentation strings by the start of the node that they describe; that of the file has none. */
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
