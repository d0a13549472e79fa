/** What the assertions of a test are listed under in a package, and whose an assertion is. */
import type { SymbolJson } from "./package-schema.ts";

type NamedTest = Pick<SymbolJson, "name" | "qualified_name" | "start_line">;

/** By test of one file: its name, or as much more as tells it from the others. */
export function testLabels<Test extends NamedTest>(tests: readonly Test[]): ReadonlyMap<Test, string> {
  const byName = Map.groupBy(tests, ({ name }) => name);
  const byQualifiedName = Map.groupBy(tests, ({ qualified_name: name }) => name);
  return new Map(
    tests.map((test) => {
      const { name, qualified_name: qualified, start_line: line } = test;
      if (byName.get(name)?.length === 1) return [test, name];
      return [test, byQualifiedName.get(qualified)?.length === 1 ? qualified : `${qualified} (line ${line})`];
    }),
  );
}

/** An assertion as packages list it. */
export const labelledAssertion = (label: string, assertion: string): string => `${label}${COLON}${assertion}`;

/** The assertions of each label, without it. A label may begin with another one: the longest counts. */
export function assertionsByLabel(
  lines: readonly string[],
  labels: Iterable<string>,
): ReadonlyMap<string, readonly string[]> {
  const longestFirst = [...labels].sort((a, b) => b.length - a.length);
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const label = longestFirst.find((text) => line.startsWith(text + COLON));
    if (label === undefined) continue;
    const assertion = line.slice(label.length + COLON.length);
    found.getOrInsertComputed(label, () => []).push(assertion);
  }
  return found;
}

const COLON = ": ";
