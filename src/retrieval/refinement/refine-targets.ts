/**
 * Resolves the names of a refinement to files and symbols of the index, with a notice for each name that is not found.
 *
 * A rejected file stays rejected even if another name matches it. Accepted and rejected paths are exact, as are those of
 * symbol requests; a missing file may be the end of a path, and a missing test may be named by what it tests.
 */
import type { EdgeQueries, FileQueries, FileRow, SymbolQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import type { FilePatch } from "../../text/diff/file-patch.ts";
import { NEAR_MAX } from "../anchors/near-path.ts";
import { definitionsTyped, filesTyped } from "../anchors/typed-names.ts";
import type { Anchor } from "../model/anchor.ts";
import { type Constraints, isConstrained } from "../requests/refinement.ts";
import { symbolParts } from "../requests/request-names.ts";
import { NO_SYMBOL_REQUESTS, type SymbolRequest, type SymbolRequests } from "../requests/symbol-requests.ts";
import { skippedNotice } from "../scope/skipped-paths.ts";
import { nearTarget } from "./near-target.ts";

/**
 * `anchors` name the files that must be in, as `pickSeeds` takes them. `wanted` are the ids of those files and of the files
 * of requested symbols.
 */
type RefineTargets = {
  readonly anchors: readonly Anchor[];
  readonly wanted: ReadonlySet<number>;
  readonly rejected: ReadonlySet<number>;
  readonly symbolRequests: SymbolRequests;
  readonly notices: readonly Notice[];
};

const NO_TARGETS: RefineTargets = {
  anchors: [],
  wanted: new Set(),
  rejected: new Set(),
  symbolRequests: NO_SYMBOL_REQUESTS,
  notices: [],
};

/** A name that matches more files or symbols than this is ambiguous. */
const MATCHES_MAX = 20;
/** How many tests of one source file are taken, best link first, and the lowest score of a link. */
const TESTS_PER_SOURCE_MAX = 5;
const TESTED_SCORE_MIN = 0.4;

/** A shorter quoted text is not the title of a test. */
const TITLE_CHARS_MIN = 4;
const QUOTED = /"([^"\n]{4,1000})"|'([^'\n]{4,1000})'|`([^`\n]{4,1000})`/g;
/** Texts in memory at once during the search for titles. */
const FILES_AT_A_TIME = 200;

const GIVEN = { section: "title", codeLike: true, value: 1 } as const;

/** The ids that a name matches; `files` are those of the symbols where it names symbols. */
type Match = { readonly files: readonly number[]; readonly symbols: readonly number[] };

type Unknown = Extract<Notice, { code: "refinement-unknown" }>;

type TargetQueries = FileQueries & SymbolQueries & EdgeQueries;

/**
 * Resolves everything. `files` are all that are indexed, in order of path. `patches` are those under review: the old path of a file that one
 * of them renames is not missing.
 */
export function refineTargets(
  constraints: Constraints,
  kb: TargetQueries,
  files: readonly FileRow[],
  patches: readonly Pick<FilePatch, "before" | "after">[] = [],
): RefineTargets {
  if (!isConstrained(constraints)) return NO_TARGETS;
  const paths = pathLookup(files);
  const symbols = symbolLookup(kb, paths, files);
  const testsNamed = testLookup(kb, files, paths, symbols, constraints.missing_tests);
  const notices: Notice[] = [];
  const notFound = (what: Unknown["what"], name: string, why: Unknown["why"]): void => {
    const skipped = what === "file" && why === "unknown" ? skippedNotice(name, kb) : null;
    if (skipped !== null) {
      notices.push(skipped);
      return;
    }
    const near = why === "unknown" && notices.length < NEAR_MAX ? nearTarget(name, kb, files) : null;
    notices.push({ code: "refinement-unknown", what, name, why, ...(near === null ? {} : { near }) });
  };
  const rejected = new Set<number>();
  for (const path of constraints.rejected_files) {
    const [id] = paths.exact(path);
    if (id === undefined) notFound("file", path, "unknown");
    else rejected.add(id);
  }
  const bySymbol = new Map<number, SymbolRequest>();
  const requestedFiles = new Map<number, string>();
  const addRequest = (request: SymbolRequest, name: string): void => {
    const match = symbols.exact(name);
    const isRejected = match.files.every((id) => rejected.has(id));
    if (match.symbols.length === 0) notFound("symbol", name, "unknown");
    else if (!isRejected) {
      for (const id of match.symbols) bySymbol.set(id, request);
      if (request !== "out") for (const id of match.files) requestedFiles.set(id, name);
    } else if (request !== "out") notFound("symbol", name, "rejected");
  };
  for (const name of constraints.as_body) addRequest("body", name);
  for (const name of constraints.as_signature) addRequest("signature", name);
  for (const name of constraints.left_out) addRequest("out", name);
  const anchors: Anchor[] = [];
  const isKept = (id: number): boolean => !rejected.has(id);
  const isShown = (id: number): boolean => bySymbol.get(id) !== "out";
  const addAnchor = (kind: "accepted" | "missing", what: Unknown["what"], text: string, match: Match): void => {
    const own = { files: match.files.filter(isKept), symbols: match.symbols.filter(isShown) };
    if (own.symbols.length === 0 && match.symbols.length > 0) notFound(what, text, "left out");
    else if (match.files.length === 0) notFound(what, text, "unknown");
    else if (own.files.length === 0) notFound(what, text, "rejected");
    else if (Math.max(match.files.length, match.symbols.length) > MATCHES_MAX) notFound(what, text, "ambiguous");
    else anchors.push({ ...GIVEN, kind, text, ...own });
  };
  for (const path of constraints.accepted_files) addAnchor("accepted", "file", path, filesOnly(paths.exact(path)));
  for (const path of constraints.missing_files) addAnchor("missing", "file", path, filesOnly(paths.typed(path)));
  for (const name of constraints.missing_symbols) addAnchor("missing", "symbol", name, symbols.named(name));
  for (const name of constraints.missing_tests) {
    const match = testsNamed(name);
    const isKnown = match.files.length > 0 || paths.typed(name).length + symbols.named(name).files.length === 0;
    if (isKnown) addAnchor("missing", "test", name, match);
    else notFound("test", name, "untested");
  }
  const gone = new Set<string>();
  const renamed = renamedPaths(patches);
  for (const name of constraints.changed) {
    const { path } = symbolParts(name, paths.isPath);
    const file = paths.exact(name);
    const match = file.length > 0 ? filesOnly(file) : symbols.exact(name);
    const holders = match.files.length > 0 ? match.files : paths.exact(path);
    const own = { files: holders.filter(isKept), symbols: match.symbols.filter(isShown) };
    const holder = path === "" ? name : path;
    if (holders.length === 0) {
      if (!renamed.has(holder)) gone.add(holder);
    } else if (own.files.length > 0) anchors.push({ ...GIVEN, kind: "changed", text: name, ...own });
  }
  if (gone.size > 0) notices.push({ code: "changed-gone", paths: [...gone] });
  const wanted = new Set([...anchors.flatMap((anchor) => anchor.files), ...requestedFiles.keys()]);
  const missing = new Set(anchors.flatMap((anchor) => (anchor.kind === "missing" ? anchor.symbols : [])));
  return { anchors, wanted, rejected, symbolRequests: { bySymbol, files: requestedFiles, missing }, notices };
}

/** The old paths of the files that patches rename. */
const renamedPaths = (patches: readonly Pick<FilePatch, "before" | "after">[]): ReadonlySet<string> =>
  new Set(
    patches.flatMap(({ before, after }) =>
      before !== null && after !== null && before.path !== after.path ? [before.path] : [],
    ),
  );

type PathLookup = ReturnType<typeof pathLookup>;

function pathLookup(files: readonly FileRow[]) {
  const byPath = new Map(files.map(({ path, id }) => [path, id]));
  const positions = new Map(files.map(({ id }, position) => [id, position]));
  const position = (id: number): number => positions.get(id) ?? files.length;

  /** The file of exactly this path, if there is one. */
  function exact(path: string): readonly number[] {
    const id = byPath.get(path);
    return id === undefined ? [] : [id];
  }

  const isPath = (path: string): boolean => byPath.has(path);

  const typed = (path: string): readonly number[] => filesTyped(path, files);

  /** Symbols with their files, in order of file and line. */
  function matchOf(rows: readonly SymbolRow[]): Match {
    const known = rows
      .filter(({ fileId }) => positions.has(fileId))
      .toSorted((a, b) => position(a.fileId) - position(b.fileId) || a.startLine - b.startLine || a.id - b.id);
    return { files: [...new Set(known.map(({ fileId }) => fileId))], symbols: known.map(({ id }) => id) };
  }

  return { exact, isPath, typed, position, matchOf };
}

type SymbolLookup = ReturnType<typeof symbolLookup>;

function symbolLookup(kb: SymbolQueries, paths: PathLookup, files: readonly FileRow[]) {
  const named = (typed: string): Match => paths.matchOf(definitionsTyped(typed, kb, files));

  /** Everything in one file that has exactly this qualified name, given as `path:name`. */
  function exact(typed: string): Match {
    const { path, name } = symbolParts(typed, paths.isPath);
    const [file] = paths.exact(path);
    if (file === undefined) return filesOnly([]);
    const isMatch = ({ qualifiedName, fileId }: SymbolRow): boolean => fileId === file && qualifiedName === name;
    const defined = kb.symbolsIn([file]).filter(isMatch);
    if (defined.length > 0) return paths.matchOf(defined);
    // The name of a heading or key may contain dots, so it can start after any of them.
    const ends = name.split(".").map((_, at, parts) => parts.slice(at).join("."));
    return paths.matchOf(kb.outlineNamed(ends).filter(isMatch));
  }

  return { named, exact };
}

/** Finds a test file, a test by name or title, or the tests of a file or of the file that defines a symbol. */
function testLookup(
  kb: TargetQueries,
  files: readonly FileRow[],
  paths: PathLookup,
  symbols: SymbolLookup,
  missingTests: readonly string[],
): (typed: string) => Match {
  const tests = new Set(files.filter(({ isTest }) => isTest).map(({ id }) => id));
  let links: ReturnType<EdgeQueries["testedBy"]> | null = null;
  let titles: ReadonlyMap<string, ReadonlySet<number>> | null = null;

  function testsOf(sources: readonly number[]): readonly number[] {
    links ??= kb.testedBy([...tests]);
    const wanted = new Set(sources);
    const linked = links
      .filter(({ source, score }) => wanted.has(source) && score >= TESTED_SCORE_MIN)
      .toSorted((a, b) => b.score - a.score || paths.position(a.test) - paths.position(b.test))
      .slice(0, TESTS_PER_SOURCE_MAX);
    return [...new Set(linked.map(({ test }) => test))];
  }

  /** The test files that contain this text in quotes, as the title of a test that is not a definition. */
  function titled(title: string): readonly number[] {
    if (title.length < TITLE_CHARS_MIN) return [];
    titles ??= filesByTitle(kb, [...tests], missingTests);
    return [...(titles.get(title) ?? [])];
  }

  return (typed) => {
    const named = paths.typed(typed.replaceAll("\\", "/").replace(/^(\.\/)+/, ""));
    const testFiles = named.filter((id) => tests.has(id));
    if (testFiles.length > 0) return filesOnly(testFiles);
    if (named.length > 0) return filesOnly(testsOf(named));
    const match = symbols.named(typed);
    const inTests = kb.symbolsById(match.symbols).filter(({ fileId }) => tests.has(fileId));
    if (inTests.length > 0) return paths.matchOf(inTests);
    return filesOnly(match.files.length > 0 ? testsOf(match.files) : titled(typed));
  };
}

/** The files that contain each title in quotes. Each text is read once for all titles. */
function filesByTitle(
  kb: FileQueries,
  ids: readonly number[],
  wanted: readonly string[],
): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map(wanted.map((title) => [title, new Set<number>()]));
  for (let at = 0; at < ids.length; at += FILES_AT_A_TIME)
    for (const [id, text] of kb.textsToMatch(ids.slice(at, at + FILES_AT_A_TIME)))
      for (const [, a, b, c] of text.matchAll(QUOTED)) found.get(a ?? b ?? c ?? "")?.add(id);
  return found;
}

const filesOnly = (files: readonly number[]): Match => ({ files, symbols: [] });
