/**
 * Which source files a test file tests: by its name and by what it imports.
 *
 * A name alone can mislead (`test_utils.py` in a repository with five `utils.py`), and so can an
 * import, so each gives a part of the score and together they give all of it. Supporting information
 * for retrieval; nothing is chosen by it alone.
 */
import { isTestPath } from "../text/language.ts";
import type { ImportEdge } from "./imports-model.ts";
import { folderOf, nameOf } from "./resolve-path.ts";

/** `score` is above 0 and at most 1: 1 when name and import agree. */
export type TestLink = { readonly test: string; readonly source: string; readonly score: number };

/** What each kind of evidence is worth. A name that several sources share is divided among them. */
const WORTH = { name: 0.5, sameFolders: 0.1, import: 0.4 } as const;

/** Names of test files, with the stem of what they test. */
const NAME_RULES = [
  /^tests?_(.+)\.\w+$/,
  /^(.+)_(?:test|tests|spec)\.\w+$/,
  /^(.+)[.-](?:test|tests|spec|e2e)\.\w+$/,
  /^(.+?)(?:Tests?|TestCase|Spec|Specs|IT)\.\w+$/,
] as const;

/** The stem of the file that a test's name speaks of (`test_auth.py` -> `auth`), or null when it is no test's name. */
export function testSubject(path: string): string | null {
  const name = nameOf(path);
  for (const rule of NAME_RULES) {
    const subject = rule.exec(name)?.[1];
    if (subject !== undefined) return subject;
  }
  return null;
}

/** Links every test to the sources it tests, ordered by test, then by score downward, then by source. */
export function mapTests(paths: readonly string[], edges: readonly ImportEdge[]): readonly TestLink[] {
  const sources = paths.filter((path) => !isTestPath(path));
  const byStem = new Map<string, string[]>();
  for (const path of sources) {
    const stem = stemOf(path);
    byStem.set(stem, [...(byStem.get(stem) ?? []), path]);
  }
  const imported = new Map<string, Set<string>>();
  for (const { source, target } of edges) {
    if (!isTestPath(source) || isTestPath(target)) continue;
    imported.set(source, (imported.get(source) ?? new Set()).add(target));
  }

  const links: TestLink[] = [];
  for (const test of paths.filter(isTestPath)) {
    const subject = testSubject(test);
    const named = (subject === null ? [] : (byStem.get(subject) ?? [])).filter(
      (path) => extensionOf(path) === extensionOf(test),
    );
    const needed = imported.get(test) ?? new Set<string>();
    for (const source of new Set([...named, ...needed])) {
      const byName = named.includes(source)
        ? WORTH.name / named.length + WORTH.sameFolders * sharedFolders(test, source)
        : 0;
      const byImport = needed.has(source) ? WORTH.import / (named.includes(source) ? 1 : needed.size) : 0;
      links.push({ test, source, score: Math.round((byName + byImport) * 1e6) / 1e6 });
    }
  }
  return links.sort((a, b) => order(a.test, b.test) || b.score - a.score || order(a.source, b.source));
}

/** A package's `__init__` or `index` is known by its folder's name. */
function stemOf(path: string): string {
  const stem = nameOf(path).replace(/(?:\.d)?\.\w+$/, "");
  return stem === "__init__" || stem === "index" || stem === "mod" ? nameOf(folderOf(path)) : stem;
}

/** Languages that are tested in one another count as one: the extension without what tells types or modules. */
const extensionOf = (path: string): string =>
  (/\.(\w+)$/.exec(path)?.[1] ?? "").replace(/^[mc]?[jt]sx?$/, "js").replace(/^pyi$/, "py");

/** The share of the source's folders that the test's path names too, 0..1. */
function sharedFolders(test: string, source: string): number {
  const folders = folderOf(source)
    .split("/")
    .filter((part) => part !== "");
  const own = new Set(test.split("/"));
  return folders.length === 0 ? 1 : folders.filter((part) => own.has(part)).length / folders.length;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
