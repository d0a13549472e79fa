/**
 * Finds what still uses the definitions and files that the changes under review remove.
 *
 * The index links what there is now. So the files that mention what was removed are linked once more, as if it were still there, by the same
 * rules. A use that the index links to another definition of that name does not count.
 */

import type { FileRow, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { familyOf, type ReadConfig } from "../../indexing/imports/model.ts";
import { type Imports, importsByPath, openImports } from "../../indexing/imports/resolve-imports.ts";
import { resolveReferences, standsAlone } from "../../indexing/references/resolve-references.ts";
import type { ImportFamily } from "../../languages/language.ts";
import { mentioningFiles } from "../../retrieval/lexical/mentioning-files.ts";
import { CONFIDENCE_MIN } from "../../retrieval/model/confidence.ts";
import type { RemainingUse } from "../../retrieval/model/review.ts";
import { byPath } from "../../text/order.ts";
import { nameOf } from "../../text/repo-path.ts";
import { type CachedFacts, type FormerFile, formerFiles, removedNames } from "./former-repository.ts";
import type { ParseAny, Removal } from "./removed-definitions.ts";

/** Names of one family that are looked for, and the files that are linked again. */
const NAMES_MAX = 100;
const CALLERS_MAX = 150;
/** A name in more files that do not import what was removed is a common word. */
const MENTIONS_MAX = 30;
/** A family with no more files is laid out whole; of a larger one, what the callers import. */
const FAMILY_MAX = 300;
/** Uses of each removed definition: sources and tests, and definitions and files with other lines, apart. */
const PER_DEFINITION_MAX = 5;
const USES_MAX = 30;

/** Sources before tests, and the surest first. */
export async function remainingUses(
  removals: readonly Removal[],
  kb: KnowledgeBase,
  cache: CachedFacts,
  parse: ParseAny,
  signal: AbortSignal,
): Promise<readonly RemainingUse[]> {
  const files = kb.files();
  const uses: Use[] = [];
  for (const [family, own] of Map.groupBy(removals, ({ language }) => familyOf(language))) {
    signal.throwIfAborted();
    if (family === null) continue;
    const ofFamily = files.filter(({ language }) => familyOf(language) === family);
    const callers = callersOf(own, kb, ofFamily);
    if (callers.length === 0) continue;
    const others = ofFamily.length <= FAMILY_MAX ? ofFamily : importedBy(callers, kb, ofFamily);
    const former = await formerFiles(own, { kb, cache, parse, callers, others });
    uses.push(...usesIn({ family, removals: own, former, kb, files, callers }));
  }
  return fewOfEach(uses, new Set(files.flatMap(({ path, isTest }) => (isTest ? [path] : []))));
}

/** `of` identifies what is used. */
type Use = RemainingUse & { readonly of: string };

function fewOfEach(uses: readonly Use[], tests: ReadonlySet<string>): readonly RemainingUse[] {
  const counts = new Map<string, Set<string>>();
  const places = new Set<string>();
  const sorted = uses.toSorted(
    (a, b) =>
      Number(tests.has(a.path)) - Number(tests.has(b.path)) ||
      b.confidence - a.confidence ||
      byPath(a, b) ||
      a.line - b.line,
  );
  return sorted
    .filter(({ of, path, line, symbol }) => {
      const place = `${path}\0${symbol === null ? line : `${symbol.qualifiedName}\0${symbol.startLine}`}`;
      const others = counts.getOrInsertComputed(`${of}\0${symbol === null}\0${tests.has(path)}`, () => new Set());
      // Lines of one file cost little more than its first.
      const counted = symbol === null ? path : place;
      if (places.has(place) || (others.size >= PER_DEFINITION_MAX && !others.has(counted))) return false;
      places.add(place);
      others.add(counted);
      return true;
    })
    .slice(0, USES_MAX)
    .map(({ of: _, ...use }) => use);
}

/** The files that mention a removed name or file, the changed ones among them. */
function callersOf(removals: readonly Removal[], kb: KnowledgeBase, files: readonly FileRow[]): readonly FileRow[] {
  const changed = new Set(kb.idsOf(removals.map(({ path }) => path)).values());
  const importing = new Set(kb.dependencyEnds([...changed]).map(({ source }) => source));
  const gone = removals.filter(({ file }) => file.kind !== "kept").map(({ path }) => plainName(path));
  const names = removedNames(removals);
  const mentions = mentioningFiles(kb, files, [...new Set([...gone, ...names])].slice(0, NAMES_MAX));
  const named = new Set(gone.flatMap((name) => mentions.get(name) ?? []).map(({ id }) => id));
  // Members of a removed class are called where it is not named, and a changed file itself is always looked at.
  const found = new Map(files.filter(({ id }) => changed.has(id)).map((file) => [file.id, file]));
  for (const holders of mentions.values()) {
    const related = holders.filter(({ id }) => importing.has(id) || named.has(id));
    const isCommon = holders.length - related.length > MENTIONS_MAX;
    for (const file of isCommon ? related : holders) if (found.size < CALLERS_MAX) found.set(file.id, file);
  }
  return [...found.values()];
}

/** A file's name without its ending; of the main file of a folder, the folder's. */
function plainName(path: string): string {
  const own = nameOf(path).replace(/\..*$/s, "");
  return /^(?:index|__init__|mod)$/.test(own) ? (path.split("/").at(-2) ?? own) : own;
}

/** What files import, and what that imports. */
function importedBy(callers: readonly FileRow[], kb: KnowledgeBase, files: readonly FileRow[]): readonly FileRow[] {
  const found = new Set(callers.map(({ id }) => id));
  for (const _ of ["direct", "indirect"])
    for (const { source, target } of kb.dependencyEnds([...found]))
      if (found.has(source) && found.size < FAMILY_MAX) found.add(target);
  return files.filter(({ id }) => found.has(id));
}

type Linking = {
  readonly family: ImportFamily;
  readonly removals: readonly Removal[];
  readonly former: ReadonlyMap<string, FormerFile>;
  readonly kb: KnowledgeBase;
  readonly files: readonly FileRow[];
  readonly callers: readonly FileRow[];
};

function usesIn(linking: Linking): readonly Use[] {
  const { removals, former, kb, files } = linking;
  const sources = [...former.values()].sort(byPath);
  const gone = new Set(removals.flatMap(({ path, file }) => (file.kind === "kept" ? [] : [path])));
  const paths = files.map(({ path }) => path);
  const readConfig = configReader(kb);
  const before = openImports(sources, readConfig, new Set([...paths, ...gone]));
  const now = openImports(
    sources.filter(({ path }) => !gone.has(path)),
    readConfig,
    new Set(paths),
  );
  return [...callsIn(linking, sources, before), ...importsIn(linking, before, now)];
}

const configReader =
  (kb: KnowledgeBase): ReadConfig =>
  (path) => {
    const [id] = kb.idsOf([path]).values();
    return id === undefined ? null : (kb.textsToMatch([id]).get(id) ?? null);
  };

function callsIn(linking: Linking, sources: readonly FormerFile[], imports: Imports): readonly Use[] {
  const { former, callers } = linking;
  const known = new Map(sources.map((file, position) => [file.path, { file, position }]));
  const isSettled = settledUses(linking);
  const edges = resolveReferences(sources, importsByPath(known, imports), new Set(callers.map(({ path }) => path)));
  return [...edges].flatMap(({ callerPath: path, caller, calleePath, callee, name, confidence }): readonly Use[] => {
    const [from, to] = [former.get(path), former.get(calleePath)];
    const removal = to?.removed.get(callee);
    const [symbol, target] = [from?.facts.symbols[caller], to?.facts.symbols[callee]];
    if (removal === undefined || symbol === undefined || target === undefined) return [];
    if (confidence < CONFIDENCE_MIN || from?.removed.has(caller) === true) return [];
    const use = from?.facts.references.find((one) => one.symbol === caller && one.name === name);
    const { qualifiedName, startLine } = symbol;
    const around = caller === from?.topLevel ? null : { qualifiedName, startLine };
    const place = { path, symbol: around, line: use?.line ?? startLine };
    const used = { name: target.name, isMember: target.name !== target.qualifiedName };
    if (isSettled(place, used, confidence)) return [];
    const key = `${calleePath}:${target.qualifiedName}`;
    return [{ ...place, why: `still uses ${inWords(target.qualifiedName, removal)}`, of: key, confidence }];
  });
}

const inWords = (name: string, { path, file }: Removal): string =>
  file.kind === "deleted" ? `${name} of ${path}, which was deleted` : `${name}, which was removed`;

type Used = { readonly name: string; readonly isMember: boolean };
type Place = Pick<RemainingUse, "path" | "symbol">;

/** Whether the index links a use to another definition, or the use is too vague while there is another one. */
function settledUses({ family, kb, files, callers, removals }: Linking) {
  const key = (path: string, name: string, line: number): string => `${path}\0${name}\0${line}`;
  const pathOf = new Map(callers.map(({ id, path }) => [id, path]));
  const rows = kb.symbolsIn(callers.map(({ id }) => id));
  const keyOf = new Map(
    rows.map((row) => [row.id, key(pathOf.get(row.fileId) ?? "", row.qualifiedName, row.startLine)]),
  );
  const references = kb
    .referencesFrom(rows.map(({ id }) => id))
    .filter(({ confidence }) => confidence >= CONFIDENCE_MIN);
  const callees = new Map(
    kb.symbolsById([...new Set(references.map(({ callee }) => callee))]).map((row) => [row.id, row]),
  );
  const linked = new Set(references.map(({ caller, callee }) => `${keyOf.get(caller)}\0${callees.get(callee)?.name}`));
  const names = removedNames(removals);
  const ofFamily = new Set(files.flatMap(({ id, language }) => (familyOf(language) === family ? [id] : [])));
  const defined = new Set(
    kb.definitionsNamed([...new Set(names)]).flatMap(({ fileId, name }) => (ofFamily.has(fileId) ? [name] : [])),
  );
  return ({ path, symbol }: Place, { name, isMember }: Used, confidence: number): boolean => {
    const isVague = confidence <= CONFIDENCE_MIN || (symbol === null && (isMember || !standsAlone(family)));
    if (isVague && defined.has(name)) return true;
    return symbol !== null && linked.has(`${key(path, symbol.qualifiedName, symbol.startLine)}\0${name}`);
  };
}

/** The import statements that lead to a file that is gone, or name a definition that is. */
function importsIn({ former, removals, callers }: Linking, before: Imports, now: Imports): readonly Use[] {
  const removed = new Map(removals.map((removal) => [removal.path, removal]));
  return callers.flatMap(({ path }) => {
    const file = former.get(path);
    if (file === undefined) return [];
    return file.facts.imports.flatMap((fact): readonly Use[] => {
      const alone = { ...file, facts: { ...file.facts, imports: [fact] } };
      const { edges, bindings } = before.of(alone);
      const use = (what: string, of: string): readonly Use[] => [
        { path, symbol: null, line: fact.line, why: `still imports ${what}`, of, confidence: 1 },
      ];
      for (const { module, name } of bindings) {
        const removal = module === null || module === path ? undefined : removed.get(module);
        const top = removal?.facts.symbols.findIndex((one) => one.parent === null && one.qualifiedName === name);
        if (removal?.file.kind === "kept" && removal.removed.has(top ?? -1))
          return use(inWords(name, removal), `${module}:${name}`);
      }
      // An import of a package is none of its files.
      if (bindings.some(({ group }) => group !== null)) return [];
      const gone = edges.flatMap(({ target }) => removed.get(target) ?? []).find(({ file }) => file.kind !== "kept");
      if (gone === undefined) return [];
      // `a.b` leads to a file `b` in another place, or to the package `a` alone.
      const name = plainName(gone.path);
      if (now.of(alone).edges.some(({ target }) => plainName(target) === name)) return [];
      const fate = gone.file.kind === "renamed" ? `renamed to ${gone.file.to}` : "deleted";
      return use(`${gone.path}, which was ${fate}`, gone.path);
    });
  });
}
