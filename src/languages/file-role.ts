/**
 * The role of a file in the repository by its path alone: source, test, example, declaration, config, docs.
 *
 * File names are matched against the patterns of all languages, regardless of the file's own language.
 */
import type { FileRole, NamedRole } from "./language.ts";
import { isData, isProse, LANGUAGES, languageOf } from "./languages.ts";

const TEST_FOLDER =
  /(^|\/)(tests?|testing|__tests?__|specs?|e2e|test[-_]?(utils?|data|support|helpers?|cases?|fixtures?|app|suite)|testdata|fixtures?|__fixtures__|__mocks__|mocks|__snapshots__|cypress|testify|integration[-_]?tests?|tests?[-_][a-z0-9_]+)\//i;
/** A package that is a tool for testing: its name contains "test", but its files are source. */
const TEST_TOOL = /^packages\/[^/]*test-utils\/src\//;
const EXAMPLE_FOLDER =
  /(^|\/)(_*(perf|performance)([-_]?tests?)?_*|examples?|docs?|doc_src|samples?|demos?|tutorials?|playgrounds?|website|www|site|scripts?|tools|([a-z]+_)?bench(es|marks?)?|galleries|templates?|starters?|integration|sandbox)\//i;

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
  const folder = folderOf(path);
  return folder.isTest || TEST_NAME.test(path.slice(folder.path.length));
}

/** The role of a `/` separated path, relative to the repository. */
export function fileRole(path: string): FileRole {
  const folder = folderOf(path);
  const name = path.slice(folder.path.length);
  if (DECLARATION_NAME.test(name)) return "declaration";
  if (folder.isTest || TEST_NAME.test(name)) return "test";
  if (CONFIG_NAME.test(name)) return "config";
  const language = languageOf(path);
  if (isProse(language)) return "docs";
  if (folder.isExample || EXAMPLE_NAME.test(name)) return "example";
  return isData(language) ? "config" : "source";
}

type Folder = { readonly path: string; readonly isTest: boolean; readonly isExample: boolean };
/** Of the path before: lists of files are in order of path, so the next mostly has the same folder. */
let last: Folder = { path: "", isTest: false, isExample: false };

function folderOf(path: string): Folder {
  const end = path.lastIndexOf("/") + 1;
  if (end === last.path.length && path.startsWith(last.path)) return last;
  const folder = path.slice(0, end);
  const isTest = TEST_FOLDER.test(folder) && !TEST_TOOL.test(folder);
  last = { path: folder, isTest, isExample: EXAMPLE_FOLDER.test(folder) };
  return last;
}
