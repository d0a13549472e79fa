/**
 * The role of a file in the repository by its path alone: source, test, example, declaration, config, docs.
 *
 * File names are matched against the patterns of all languages, regardless of the file's own language.
 */
import type { FileRole, NamedRole } from "./language.ts";
import { isData, isProse, LANGUAGES, languageOf } from "./languages.ts";

const TEST_FOLDER =
  /(^|\/)(tests?|__tests?__|specs?|e2e|test[-_]?(utils?|data|support|helpers?|cases?|fixtures?|app|suite)|testdata|fixtures?|__fixtures__|__mocks__|mocks|__snapshots__|cypress|testify|integration[-_]?tests?|tests?[-_][a-z0-9_]+)\//i;
/**
 * A folder `testing` has tests at the top of a repository, and helpers of tests in Go. Elsewhere it mostly has what a library offers to those
 * who test with it (`xarray.testing`, `Illuminate\Testing`).
 */
const TESTING_AT_TOP = /^testing\//i;
const TESTING_OF_GO = /(^|\/)testing\/.*\.go$/i;
/** Folders of tests whose names are one word: `src/jvmTest/` of Gradle, `Shop.UnitTests/` of .NET and `ShopTests/` of Xcode. */
const TEST_SET = /(^|\/)(src\/[a-z]\w*Test|[A-Z]\w*Tests|[\w.-]+\.([A-Z]\w*)?Tests?)\//;
/** A package that is a tool for testing: its name contains "test", but its files are source. */
const TEST_TOOL = /^packages\/[^/]*test-utils\/src\//;
const EXAMPLE_FOLDER =
  /(^|\/)(_*(perf|performance)([-_]?tests?)?_*|examples?|docs?|doc_src|samples?|demos?|tutorials?|playgrounds?|website|www|site|scripts?|tools|([a-z]+_)?bench(es|marks?)?|galleries|templates?|starters?|integration|sandbox)\//i;

/**
 * What is below a source root of Maven, Gradle or sbt is the name of a package (`src/main/java/com/example/shop/`) or a folder of the class path
 * (`src/main/resources/templates/`).
 */
const BELOW_SOURCE_ROOT = /(?<=(?:^|\/)src\/[\w-]+\/(?:java|kotlin|scala(?:-[\d.]+)?|groovy|resources)\/).*$/;

const namesWith = (role: NamedRole): RegExp =>
  new RegExp(`^(?:${[...LANGUAGES.values()].flatMap(({ roles }) => roles?.[role] ?? []).join("|")})$`);

const TEST_NAME = namesWith("test");
const DECLARATION_NAME = namesWith("declaration");
const CONFIG_NAME = namesWith("config");
/** Benchmarks run code like tests, but check nothing. */
const EXAMPLE_NAME = namesWith("example");

/**
 * A test, or a file that only tests use (fixtures, mocks). Ranking was measured on real tasks with these patterns. They
 * match whole path segments and parts of names, so `latest.py`, `contest.py` and `attestation/` do not match.
 */
export function isTestPath(path: string): boolean {
  const nameAt = path.lastIndexOf("/") + 1;
  return isInTests(path, nameAt) || TEST_NAME.test(path.slice(nameAt)) || TESTING_OF_GO.test(path);
}

/** The role of a `/` separated path, relative to the repository. */
export const fileRole = (path: string): FileRole =>
  roleOf({ path, language: languageOf(path), isTest: isTestPath(path) });

/** The same for a file of which these are known, in a third of the time. */
export function roleOf(file: { readonly path: string; readonly language: string; readonly isTest: boolean }): FileRole {
  const { path, language, isTest } = file;
  const nameAt = path.lastIndexOf("/") + 1;
  const name = path.slice(nameAt);
  if (DECLARATION_NAME.test(name)) return "declaration";
  if (isTest) return "test";
  if (CONFIG_NAME.test(name)) return "config";
  if (isProse(language)) return "docs";
  if (isInExamples(path, nameAt) || EXAMPLE_NAME.test(name)) return "example";
  return isData(language) ? "config" : "source";
}

/** Documents about what changed, who may use it and how to take part; these names anywhere, those only at the root. */
const RECORD =
  /(?:^|\/)(?:(?:changelog|changes|licen[cs]e|copying|notice|authors|contributors|maintainers|contributing|code[-_]of[-_]conduct)(?:[-_.][^/]*)?|\.(?:github|gitlab|changeset)\/.*)$/i;
const ROOT_RECORD = /^(?:history|news|releases?|security)(?:\.\w+)?$/i;
/** Texts of an unknown form, such as `Procfile` or `go.sum`, have the language of plain text too. */
const PLAIN_TEXT = /\.te?xt$|(?:^|\/)readme$/i;

/** Whether a document can explain code: prose that is no record of changes, licence or rule for contributors. */
export const canExplain = ({ path, language }: { readonly path: string; readonly language: string }): boolean =>
  isProse(language) && !RECORD.test(path) && !ROOT_RECORD.test(path) && (language !== "text" || PLAIN_TEXT.test(path));

const isInTests = ofFolder(
  (folder) =>
    (TEST_FOLDER.test(folder) || TESTING_AT_TOP.test(folder) || TEST_SET.test(folder)) && !TEST_TOOL.test(folder),
);
const isInExamples = ofFolder((folder) => EXAMPLE_FOLDER.test(folder));

/**
 * Whether something holds for the folder of a path, whose file name begins at `nameAt`. Lists are in order of path, so the next file mostly has
 * the same folder.
 */
function ofFolder(holds: (folder: string) => boolean): (path: string, nameAt: number) => boolean {
  let last = { folder: "", answer: holds("") };
  return (path, nameAt) => {
    if (nameAt !== last.folder.length || !path.startsWith(last.folder)) {
      const folder = path.slice(0, nameAt);
      last = { folder, answer: holds(folder.replace(BELOW_SOURCE_ROOT, "")) };
    }
    return last.answer;
  };
}
