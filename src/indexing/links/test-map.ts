/**
 * Finds the source files that a test file tests: by its name, its imports and the references of its symbols.
 *
 * Each can mislead alone (`test_utils.py` with five `utils.py`), so the score combines them. Links only support retrieval.
 * Invariants: a link leads from a test to a file that is not a test; ordered by test, then by descending score.
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import { isTestPath } from "../../languages/file-role.ts";
import { isCode } from "../../languages/languages.ts";
import { byPath, inOrder } from "../../text/order.ts";
import { folderOf, nameOf } from "../../text/repo-path.ts";
import { familyOf, type ImportEdge } from "../imports/model.ts";
import type { PathPositions } from "../model/path-positions.ts";
import { plainStem } from "../references/declarations/file-symbols.ts";
import type { ReferenceEdge } from "../references/resolve-references.ts";
import { EVIDENCE, SCORE_STEPS, type TestLink, testLinkList } from "./test-links.ts";

/** One file of the repository. */
type MappedFile = { readonly path: string; readonly language: string };

/** The weight of each kind of evidence. A name that several sources share is divided among them. */
const WORTH = { name: 0.5, plainName: 0.25, sameFolders: 0.1, import: 0.15, reference: 0.25 } as const;

/** The maximum of links of a test, and of sources for one name; a name with more is ignored. */
const LINKS_MAX = 20;
const NAMESAKES_MAX = 20;

/** Uses with a higher confidence are evidence. */
const CONFIDENCE_MIN = 0.5;

/** Patterns of test file names, with the stem of the tested file. */
const NAME_RULES = [
  /^tests?_([^.]+)\.\w+$/,
  /^([^.]+)_(?:tests?|spec|unittests?)\.\w+$/,
  /^(.+)[.-](?:test|tests|spec|test-d|e2e)\.\w+$/,
  /^(.+?)(?:Tests?|TestCases?|Specs?|Suite|IT)\.\w+$/,
  /^Test([A-Z][^.]*)\.\w+$/,
  /^([^.]+)\.t\.sol$/,
] as const;

/** The stem of the file in a test's name (`test_auth.py` -> `auth`), or null if it is not the name of a test. */
export function testSubject(path: string): string | null {
  const name = nameOf(path);
  for (const rule of NAME_RULES) {
    const subject = rule.exec(name)?.[1];
    if (subject !== undefined) return subject;
  }
  return null;
}

export type TestMap = {
  addImport(edge: Pick<ImportEdge, "source" | "target">): void;
  /** Adds a use. */
  add(edge: Pick<ReferenceEdge, "callerPath" | "calleePath" | "confidence">): void;
  /** Computes the links of a test file early. Call it after all its imports and uses were added; other files are ignored. */
  end(path: string): void;
  /** The tests that may be named after a file that is no test. */
  namedAfter(file: MappedFile): readonly string[];
  /**
   * Every test, or the requested ones, with the sources that it tests. `about`: only tests among these files, and those that may be
   * named after one of them.
   */
  links(of?: ReadonlySet<string> | null, about?: ReadonlySet<string> | null): Iterable<TestLink>;
};

type Role = "test" | "source" | "other";

/**
 * A map of a repository's tests, from its files and where each path is in them; imports and uses are added one by one. What needs all files waits
 * until it is asked for.
 */
export function testMap(
  files: readonly MappedFile[],
  positions: PathPositions = new Map(files.map(({ path }, position) => [path, position])),
): TestMap {
  const fileAt = (path: string): MappedFile | undefined => files[positions.get(path) ?? -1];
  /** By position. */
  const roles = new Array<Role | undefined>(files.length).fill(undefined);
  const roleAt = (position: number): Role => {
    const file = files[position];
    if (file === undefined) return "other";
    const role = roles[position] ?? (!isCode(file.language) ? "other" : isTestPath(file.path) ? "test" : "source");
    roles[position] = role;
    return role;
  };
  const roleOf = (path: string): Role => roleAt(positions.get(path) ?? files.length);
  const tests = onDemand(() => files.filter((_, position) => roleAt(position) === "test"));
  /** The sources that a test may be named after. */
  const byStem = onDemand(() => {
    const sources = new Map<string, string[]>(tests().map((test) => [testKey(test), []]));
    for (const [position, file] of files.entries())
      if (roleAt(position) === "source") sources.get(nameKey(file))?.push(file.path);
    return sources;
  });
  const imported = new Map<string, Set<string>>();
  const used = new Map<string, Map<string, number>>();

  const ended = testLinkList(files, positions);
  const linksOf = ({ path: test, language }: MappedFile): readonly TestLink[] => {
    const subject = testSubject(test);
    const namesakes = byStem().get(testKey({ path: test, language })) ?? [];
    const nameWorth = subject === null ? WORTH.plainName : WORTH.name;
    return scored(test, namesakes, nameWorth, imported.get(test) ?? new Set(), used.get(test) ?? new Map());
  };

  return {
    addImport: ({ source, target }) => {
      if (roleOf(source) === "test" && roleOf(target) === "source")
        imported.getOrInsertComputed(source, () => new Set()).add(target);
    },
    namedAfter: ({ path, language }) =>
      isTestPath(path) || !isCode(language)
        ? []
        : tests().flatMap((test) => (testKey(test) === nameKey({ path, language }) ? test.path : [])),
    add: ({ callerPath, calleePath, confidence }) => {
      if (confidence < CONFIDENCE_MIN || roleOf(callerPath) !== "test" || roleOf(calleePath) !== "source") return;
      const uses = used.get(callerPath) ?? new Map<string, number>();
      used.set(callerPath, uses.set(calleePath, (uses.get(calleePath) ?? 0) + confidence));
    },
    end(path) {
      const position = positions.get(path);
      const test = position !== undefined && roleOf(path) === "test" ? files[position] : undefined;
      if (position !== undefined && test !== undefined) ended.set(position, linksOf(test));
      imported.delete(path);
      used.delete(path);
    },
    *links(of = null, about = null) {
      const keyAt = (path: string): string | null => {
        const file = fileAt(path);
        return file === undefined || roleOf(path) !== "source" ? null : nameKey(file);
      };
      const names = about === null ? null : new Set([...about].map(keyAt));
      const asked =
        of === null ? tests() : [...of].flatMap((path) => (roleOf(path) === "test" ? (fileAt(path) ?? []) : []));
      const isWanted = (test: MappedFile): boolean =>
        (of?.has(test.path) ?? true) && (names === null || about?.has(test.path) === true || names.has(testKey(test)));
      for (const test of asked.filter(isWanted).sort(byPath))
        yield* ended.get(positions.get(test.path) ?? -1) ?? linksOf(test);
    },
  };
}

/** The links of a test, the best first. `nameWorth`: the weight of a name. `needed`: what it imports; `uses`: the confidences of its uses. */
function scored(
  test: string,
  namesakes: readonly string[],
  nameWorth: number,
  needed: ReadonlySet<string>,
  uses: ReadonlyMap<string, number>,
): readonly TestLink[] {
  const named = namedAmong(
    namesakes.length > NAMESAKES_MAX ? nearest(test, namesakes) : namesakes,
    [...new Set([...needed, ...uses.keys()])],
    uses,
  );
  const most = Math.max(0, ...uses.values());
  const parts = new Set(test.split("/"));
  const links = [...new Set([...named, ...needed, ...uses.keys()])].map((source): TestLink => {
    const isNamed = named.has(source);
    const worth = {
      name: isNamed ? nameWorth / named.size + WORTH.sameFolders * sharedFolders(parts, source) : 0,
      import: needed.has(source) ? WORTH.import / (isNamed ? 1 : needed.size) : 0,
      reference: most === 0 ? 0 : (WORTH.reference * (uses.get(source) ?? 0)) / most,
    };
    const score = Math.round((worth.name + worth.import + worth.reference) * SCORE_STEPS) / SCORE_STEPS;
    return { test, source, score, by: EVIDENCE.filter((kind) => worth[kind] > 0).join(",") };
  });
  return links
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || inOrder(a.source, b.source))
    .slice(0, LINKS_MAX);
}

/** Of a package that a test is named after and uses only files of, those files count as named, and not its `__init__`. */
function namedAmong(
  namesakes: readonly string[],
  needed: readonly string[],
  uses: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  return new Set(
    namesakes.flatMap((path) => {
      if (!isPackage(path) || uses.has(path)) return [path];
      const inside = needed.filter((source) => source !== path && folderOf(source) === folderOf(path));
      return inside.length === 0 ? [path] : inside;
    }),
  );
}

/** Languages that are tested in one another count as one. */
const kinOf = (language: string): string => familyOf(language) ?? language;

/** Tests and sources with the same key may belong together by their names. */
const keyOf = (language: string, stem: string): string => `${kinOf(language)}\0${plainStem(stem)}`;
const nameKey = ({ path, language }: MappedFile): string => keyOf(language, stemOf(path));
const testKey = ({ path, language }: MappedFile): string => keyOf(language, testSubject(path) ?? stemOf(path));

/** A package's `__init__` or `index` has the name of its folder. */
function stemOf(path: string): string {
  return isPackage(path) ? nameOf(folderOf(path)) : nameOf(path).replace(ENDING, "");
}

const ENDING = /(?:\.d)?\.\w+$/;
const isPackage = (path: string): boolean => ["__init__", "index", "mod"].includes(nameOf(path).replace(ENDING, ""));

/** Of many files with the same name, those that share most folders with the test, if they are few. */
function nearest(test: string, paths: readonly string[]): readonly string[] {
  const parts = new Set(test.split("/"));
  const shares = paths.map((path) => sharedFolders(parts, path));
  const best = Math.max(...shares);
  const found = paths.filter((_, at) => shares[at] === best);
  return found.length > NAMESAKES_MAX ? [] : found;
}

/** The share of the source's folders that are parts of the test's path too, 0..1. */
function sharedFolders(own: ReadonlySet<string>, source: string): number {
  const folders = folderOf(source)
    .split("/")
    .filter((part) => part !== "");
  return folders.length === 0 ? 1 : folders.filter((part) => own.has(part)).length / folders.length;
}
