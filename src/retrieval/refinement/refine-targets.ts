/**
 * Looks up what the names of a refinement mean in the index: files that must be in, files that must not, requests for single
 * symbols, and names that the index does not know.
 *
 * A rejected file stays rejected whatever else names it. Accepted and rejected paths are exact, as are those of symbol
 * requests; a missing file may be the end of a path, and a missing test may be named by what it tests.
 */
import type { FileRow, KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../failure.ts";
import { indexPaths, type PathIndex } from "../anchors/path-index.ts";
import type { Anchor } from "../model/anchor.ts";
import { type Constraints, isConstrained } from "../model/refinement.ts";
import { symbolParts } from "../model/request-names.ts";
import { NO_SYMBOL_REQUESTS, type SymbolRequest, type SymbolRequests } from "../model/symbol-requests.ts";

/**
 * `anchors` name the files that must be in, as `pickSeeds` takes them; `wanted` are those files' ids, and those of the
 * symbols that `symbolRequests` want to be shown.
 */
export type RefineTargets = {
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

/** A name that more files or symbols have stands for none of them. */
const MEANINGS_MAX = 20;
/** Tests of one source that are taken, the likeliest first, from this score of the link on. */
const TESTS_PER_SOURCE_MAX = 5;
const TESTED_SCORE_MIN = 0.4;

/** A shorter text between quotes is no title of a test. */
const TITLE_CHARS_MIN = 4;
const QUOTED = /"([^"\n]{4,1000})"|'([^'\n]{4,1000})'|`([^`\n]{4,1000})`/g;
/** Texts that are held at once while one is looked for. */
const FILES_AT_A_TIME = 200;

const GIVEN = { section: "title", codeLike: true, value: 1 } as const;

type Found = { readonly files: readonly number[]; readonly symbols: readonly number[] };

/** Looks everything up. `files` are all that are indexed, in order of path. */
export function refineTargets(constraints: Constraints, kb: KnowledgeBase, files: readonly FileRow[]): RefineTargets {
  if (!isConstrained(constraints)) return NO_TARGETS;
  const index = lookupOf(kb, files, constraints.missing_tests);
  const notices: Notice[] = [];
  const say = (what: Unknown["what"], name: string, why: Unknown["why"]): void => {
    notices.push({ code: "refinement-unknown", what, name, why });
  };
  const rejected = new Set<number>();
  for (const path of constraints.rejected_files) {
    const id = index.exact(path);
    if (id === null) say("file", path, "unknown");
    else rejected.add(id);
  }
  const bySymbol = new Map<number, SymbolRequest>();
  const shown = new Map<number, string>();
  const wish = (what: SymbolRequest, text: string): void => {
    const found = index.exactSymbol(text);
    const isRejected = found.files.every((id) => rejected.has(id));
    if (found.symbols.length === 0) say("symbol", text, "unknown");
    else if (!isRejected) {
      for (const id of found.symbols) bySymbol.set(id, what);
      if (what !== "out") for (const id of found.files) shown.set(id, text);
    } else if (what !== "out") say("symbol", text, "rejected");
  };
  for (const name of constraints.as_body) wish("body", name);
  for (const name of constraints.as_signature) wish("signature", name);
  for (const name of constraints.left_out) wish("out", name);
  const anchors: Anchor[] = [];
  const want = (kind: "accepted" | "missing", what: Unknown["what"], text: string, found: Found): void => {
    const kept = found.files.filter((id) => !rejected.has(id));
    const symbols = found.symbols.filter((id) => bySymbol.get(id) !== "out");
    if (symbols.length === 0 && found.symbols.length > 0) say(what, text, "left out");
    else if (kept.length > 0 && found.files.length <= MEANINGS_MAX && found.symbols.length <= MEANINGS_MAX)
      anchors.push({ ...GIVEN, kind, text, files: kept, symbols });
    else say(what, text, found.files.length === 0 ? "unknown" : kept.length === 0 ? "rejected" : "ambiguous");
  };
  for (const path of constraints.accepted_files) want("accepted", "file", path, index.files(path, "exact"));
  for (const path of constraints.missing_files) want("missing", "file", path, index.files(path, "end"));
  for (const name of constraints.missing_symbols) want("missing", "symbol", name, index.symbol(name));
  for (const name of constraints.missing_tests) want("missing", "test", name, index.test(name));
  const gone: string[] = [];
  for (const name of constraints.changed) {
    const { path } = symbolParts(name);
    const inFile = index.files(name, "exact");
    const { files, symbols } = inFile.files.length > 0 ? inFile : index.exactSymbol(name);
    const holders = files.length > 0 ? files : index.files(path, "exact").files;
    const kept = holders.filter((id) => !rejected.has(id));
    const named = symbols.filter((id) => bySymbol.get(id) !== "out");
    if (holders.length === 0) gone.push(path === "" ? name : path);
    else if (kept.length > 0) anchors.push({ ...GIVEN, kind: "changed", text: name, files: kept, symbols: named });
  }
  if (gone.length > 0) notices.push({ code: "changed-gone", paths: [...new Set(gone)] });
  const wanted = new Set([...anchors.flatMap((anchor) => anchor.files), ...shown.keys()]);
  const asked = new Set(anchors.flatMap(({ kind, symbols }) => (kind === "missing" ? symbols : [])));
  return { anchors, wanted, rejected, symbolRequests: { bySymbol, files: shown, missing: asked }, notices };
}

type Unknown = Extract<Notice, { code: "refinement-unknown" }>;

function lookupOf(kb: KnowledgeBase, files: readonly FileRow[], missingTests: readonly string[]) {
  const byPath = new Map(files.map(({ path, id }) => [path, id]));
  const places = new Map(files.map(({ id }, place) => [id, place]));
  const tests = new Set(files.filter(({ isTest }) => isTest).map(({ id }) => id));
  let paths: PathIndex | null = null;
  let links: ReturnType<KnowledgeBase["testedBy"]> | null = null;
  let titles: ReadonlyMap<string, readonly number[]> | null = null;

  const exact = (path: string): number | null => byPath.get(path) ?? null;

  function filesLike(path: string, way: "exact" | "end"): Found {
    const id = exact(path);
    if (id !== null) return { files: [id], symbols: [] };
    if (way === "exact") return NOTHING;
    paths ??= indexPaths(files);
    const match = paths.endingLike(path);
    return { files: match.components === match.written ? match.files : [], symbols: [] };
  }

  /** The definitions of a name, a qualified name or `path:name`; else the headings and keys that are called that. */
  function symbol(typed: string): Found {
    const cut = typed.lastIndexOf(":");
    const isInFile = cut > 0 && typed[cut - 1] !== ":";
    const owners = isInFile ? new Set(filesLike(typed.slice(0, cut), "end").files) : null;
    const whole = (isInFile ? typed.slice(cut + 1) : typed).replaceAll(/::|#/g, ".");
    const last = whole.split(".").at(-1) ?? whole;
    const isMeant = ({ name, qualifiedName, fileId }: SymbolRow): boolean =>
      (owners === null || owners.has(fileId)) &&
      (name === whole || qualifiedName === whole || qualifiedName.endsWith(`.${whole}`));
    const defined = kb.symbolsNamed([last]).filter(isMeant);
    // A heading or a key may have a point in its name.
    return inFileOrder(defined.length > 0 ? defined : kb.outlineNamed([...new Set([last, whole])]).filter(isMeant));
  }

  /** Everything in one file that has exactly this qualified name. */
  function exactSymbol(typed: string): Found {
    const { path, name } = symbolParts(typed);
    const file = exact(path);
    if (file === null) return NOTHING;
    const isMeant = ({ qualifiedName, fileId }: SymbolRow): boolean => fileId === file && qualifiedName === name;
    const defined = kb.symbolsIn([file]).filter(isMeant);
    if (defined.length > 0) return inFileOrder(defined);
    // A heading or a key may have points in its name, which is then the end of the qualified one from any of them on.
    const ends = name.split(".").map((_, at, parts) => parts.slice(at).join("."));
    return inFileOrder(kb.outlineNamed(ends).filter(isMeant));
  }

  /** A test file, a test by name, or the tests of a file or of the file that defines a symbol. */
  function test(typed: string): Found {
    const named = filesLike(typed.replaceAll("\\", "/").replace(/^(\.\/)+/, ""), "end");
    const testFiles = named.files.filter((id) => tests.has(id));
    if (testFiles.length > 0) return { files: testFiles, symbols: [] };
    if (named.files.length > 0) return testsOf(named.files);
    const { files: holders, symbols } = symbol(typed);
    const ofTests = kb.symbolsById(symbols).filter(({ fileId }) => tests.has(fileId));
    if (ofTests.length > 0) return inFileOrder(ofTests);
    return holders.length > 0 ? testsOf(holders) : { files: titled(typed), symbols: [] };
  }

  /** The test files that have this text between quotes, as tests are called that are no definitions. */
  function titled(title: string): readonly number[] {
    if (title.length < TITLE_CHARS_MIN) return [];
    titles ??= titlesIn([...tests]);
    return titles.get(title) ?? [];
  }

  /** Every name that may be asked for and stands between quotes, with the files that have it. All texts are read once. */
  function titlesIn(ids: readonly number[]): ReadonlyMap<string, readonly number[]> {
    const found = new Map(missingTests.map((title) => [title, new Set<number>()]));
    for (let at = 0; at < ids.length; at += FILES_AT_A_TIME)
      for (const [id, text] of kb.textsToMatch(ids.slice(at, at + FILES_AT_A_TIME)))
        for (const [, a, b, c] of text.matchAll(QUOTED)) found.get(a ?? b ?? c ?? "")?.add(id);
    return new Map([...found].map(([title, files]) => [title, [...files]]));
  }

  function testsOf(sources: readonly number[]): Found {
    links ??= kb.testedBy([...tests]);
    const wanted = new Set(sources);
    const found = links
      .filter(({ source, score }) => wanted.has(source) && score >= TESTED_SCORE_MIN)
      .toSorted((a, b) => b.score - a.score || placeOf(a.test) - placeOf(b.test))
      .slice(0, TESTS_PER_SOURCE_MAX);
    return { files: [...new Set(found.map(({ test: id }) => id))], symbols: [] };
  }

  function inFileOrder(symbols: readonly SymbolRow[]): Found {
    const known = symbols
      .filter(({ fileId }) => places.has(fileId))
      .toSorted((a, b) => placeOf(a.fileId) - placeOf(b.fileId) || a.startLine - b.startLine || a.id - b.id);
    return { files: [...new Set(known.map(({ fileId }) => fileId))], symbols: known.map(({ id }) => id) };
  }

  const placeOf = (id: number): number => places.get(id) ?? files.length;

  return { exact, files: filesLike, symbol, exactSymbol, test };
}

const NOTHING: Found = { files: [], symbols: [] };
