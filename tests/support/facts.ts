/** Parses fixture text into files with facts: a `//- path` line starts each file, and the real parser reads it. */
import type { SourceFile } from "../../src/indexing/imports/model.ts";
import { PARSE_WORK } from "../../src/languages/grammar-packages.ts";
import { languageOf } from "../../src/languages/languages.ts";
import { parseFile } from "../../src/syntax/parse/parse.ts";

/** The texts of a fixture by path, in order. */
export function fixtureTexts(fixture: string): ReadonlyMap<string, string> {
  const parts = fixture.split(/^\/\/- (.+)$/m).slice(1);
  return new Map(
    parts.flatMap((part, at) => (at % 2 === 0 ? [[part.trim(), (parts[at + 1] ?? "").slice(1)] as const] : [])),
  );
}

/** The parsed files of a fixture. Token counts are zero because no caller reads them. */
export async function fixtureFiles(texts: ReadonlyMap<string, string>): Promise<readonly SourceFile[]> {
  const limits = { workMax: PARSE_WORK.max, isFresh: false, factsMax: 10_000 };
  const files: SourceFile[] = [];
  for (const [path, text] of texts) {
    const language = languageOf(path);
    const facts = await parseFile(text, language, limits);
    const symbols = facts.symbols.map((symbol) => ({ ...symbol, signatureTokens: 0, bodyTokens: 0 }));
    files.push({ path, language, facts: { ...facts, tokenCount: 0, symbols } });
  }
  return files;
}
