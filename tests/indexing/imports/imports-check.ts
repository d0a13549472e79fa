/** One check for import resolution: a fixture in, its edges out as `source -> target`. */
import { expect, test } from "bun:test";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { resolveImports } from "../../support/resolved-imports.ts";

/** The edges of a fixture, one a line, `(types)` behind those that are gone at run time. */
export async function edgeLines(fixture: string): Promise<string> {
  const texts = fixtureTexts(fixture);
  const { edges } = resolveImports(await fixtureFiles(texts), (path) => texts.get(path) ?? null);
  return edges
    .map(({ source, target, kind }) => `${source} -> ${target}${kind === "type_ref" ? " (types)" : ""}`)
    .join("\n");
}

/** A test that a fixture has exactly these edges. */
export const checkEdges = (name: string, fixture: string, expected: string): void =>
  test(name, async () => expect(await edgeLines(fixture)).toBe(expected.trim()));
