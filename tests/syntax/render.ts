/** Facts as compact text, one line each, so that a test reads as source and findings side by side. */
import { PARSE_WORK } from "../../src/languages/grammar-packages.ts";
import type { UncountedFacts } from "../../src/syntax/facts/text-facts.ts";
import { parseFile } from "../../src/syntax/parse/parse.ts";

export const LIMITS = { workMax: PARSE_WORK.max, isFresh: false, factsMax: 20_000 };

export async function factsOf(language: string, text: string): Promise<UncountedFacts> {
  const facts = await parseFile(text, language, LIMITS);
  return facts;
}

/** `+` exported, `-` not; kind, qualified name, [doc line/]start-end[@name line], signature, documentation. */
export async function symbolLines(language: string, text: string): Promise<readonly string[]> {
  const { symbols } = await factsOf(language, text);
  return symbols.map(({ exported, kind, qualifiedName, docLine, startLine, endLine, nameLine, signature, doc }) => {
    const lines = `${docLine === startLine ? "" : `${docLine}/`}${startLine}-${endLine}${nameLine === startLine ? "" : `@${nameLine}`}`;
    const about = doc === null ? "" : ` «${doc.format}: ${doc.content.replaceAll("\n", "⏎")}»`;
    return `${exported ? "+" : "-"}${kind} ${qualifiedName} ${lines} ${signature}${about}`;
  });
}

/** Line, kind, specifier, `*` for a star, and what is bound: `name` or `name>alias`. */
export async function importLines(language: string, text: string): Promise<readonly string[]> {
  const { imports } = await factsOf(language, text);
  return imports.map(({ line, kind, specifier, names, star }) =>
    [
      `${line} ${kind} ${specifier}`,
      ...(star ? ["*"] : []),
      ...names.map(({ name, alias }) => (name === alias ? name : `${name}>${alias ?? ""}`)),
    ].join(" "),
  );
}

/** Kind, qualifier and name, and the symbol that the use stands in. */
export async function referenceLines(language: string, text: string): Promise<readonly string[]> {
  const { references, symbols } = await factsOf(language, text);
  return references.map(({ kind, qualifier, name, symbol }) => {
    const used = qualifier === null ? name : `${qualifier} . ${name}`;
    return `${kind} ${used}${symbol === null ? "" : ` in ${symbols[symbol]?.qualifiedName}`}`;
  });
}

/** Lines, kind, `!` for a rationale, the symbol it belongs to, and the content. */
export async function commentLines(language: string, text: string): Promise<readonly string[]> {
  const { comments, symbols } = await factsOf(language, text);
  return comments.map(({ line, endLine, kind, isRationale, symbol, content }) => {
    const owner = symbol === null ? "" : ` in ${symbols[symbol]?.qualifiedName}`;
    return `${line}-${endLine} ${kind}${isRationale ? "!" : ""}${owner}: ${content.replaceAll("\n", "⏎")}`;
  });
}
