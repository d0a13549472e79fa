/**
 * Fixture text to files with facts: `//- path` lines start files, the real parser reads them.
 */
import type { SourceFile } from "../../src/indexing/imports/model.ts";
import { parseFile } from "../../src/syntax/parse/parse.ts";
import { languageOf } from "../../src/text/language.ts";

/** The texts of a fixture by path, in its order. */
export function fixtureTexts(fixture: string): ReadonlyMap<string, string> {
  const parts = fixture.split(/^\/\/- (.+)$/m).slice(1);
  return new Map(
    parts.flatMap((part, at) => (at % 2 === 0 ? [[part.trim(), (parts[at + 1] ?? "").slice(1)] as const] : [])),
  );
}

/** The files of a fixture, parsed. Token counts are zero: nothing that takes these files reads them. */
export async function fixtureFiles(texts: ReadonlyMap<string, string>): Promise<readonly SourceFile[]> {
  const limits = { timeMsMax: 1, factsMax: 10_000, now: () => 0 };
  const files: SourceFile[] = [];
  for (const [path, text] of texts) {
    const language = languageOf(path);
    const { facts } = await parseFile(text, language, limits);
    const symbols = facts.symbols.map((symbol) => ({ ...symbol, signatureTokens: 0, bodyTokens: 0 }));
    files.push({ path, language, facts: { ...facts, tokenCount: 0, symbols } });
  }
  return files;
}
