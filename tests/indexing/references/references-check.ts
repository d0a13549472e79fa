/** Reference resolution on fixtures: files in, edges out as lines. */
import { expect, test } from "bun:test";
import { type ReferenceEdge, resolveReferences } from "../../../src/indexing/references/resolve-references.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { resolveImports } from "../../support/resolved-imports.ts";

/** A fixture in; each edge as `caller -> callee kind confidence`, symbols by file stem and qualified name. */
export async function references(fixture: string): Promise<readonly string[]> {
  const texts = fixtureTexts(fixture);
  const files = await fixtureFiles(texts);
  const edges = resolveReferences(
    files,
    resolveImports(files, (path) => texts.get(path) ?? null),
  );
  const name = (path: string, symbol: number): string =>
    `${path.replace(/\.\w+$/, "")}:${files.find((file) => file.path === path)?.facts.symbols[symbol]?.qualifiedName}`;
  const line = ({ callerPath, caller, calleePath, callee, kind, confidence }: ReferenceEdge): string =>
    `${name(callerPath, caller)} -> ${name(calleePath, callee)} ${kind} ${confidence}`;
  return [...edges].map(line);
}

/** The lines are expected to be all there are, in any order. */
export const checkReferences = (name: string, fixture: string, expected: string): void =>
  test(name, async () => {
    const lines = expected
      .trim()
      .split("\n")
      .filter((line) => line !== "");
    expect([...(await references(fixture))].sort()).toEqual(lines.map((line) => line.trim()).sort());
  });
