/**
 * Finds the imports of one repository in another, and what is used through them, where a manifest of the first names a package of the second.
 *
 * They are resolved by the rules for imports within a repository, as if all of them lay in one folder. Facts come from the parse caches; a
 * file without any has no such imports.
 */
import type { OneRepository } from "../../db/curated/knowledge-base.ts";
import {
  type CrossImport,
  type CrossLinks,
  type CrossReference,
  NO_LINKS,
  type SymbolPlace,
} from "../../db/curated/union/union-rows.ts";
import { openFactCache } from "../../db/parse-cache/open-parse-cache.ts";
import type { ParseKey } from "../../db/parse-cache/parse-cache.ts";
import { familiesBetween, isManifest, type Manifest } from "../../indexing/imports/manifests.ts";
import { familyOf, type SourceFile } from "../../indexing/imports/model.ts";
import { importsByPath, openImports } from "../../indexing/imports/resolve-imports.ts";
import { linkFacts } from "../../indexing/links/link-facts.ts";
import { resolveReferences } from "../../indexing/references/resolve-references.ts";
import { byPath, inOrder } from "../../text/order.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { EXTRACTOR } from "./indexing-deps.ts";

type OpenMember = OneRepository & { readonly workspace: Pick<Workspace, "paths"> };

/** The files of one repository that may import another. More are not looked at. */
const IMPORTERS_MAX = 5_000;
/** The manifests of one repository that are read. */
const MANIFESTS_MAX = 100;

/** A server is asked the same repositories again and again. */
const remembered = new Map<string, CrossLinks>();
const REMEMBERED_MAX = 8;

/** All such imports, by path, and the references between their files. */
export function crossLinks(members: readonly OpenMember[]): CrossLinks {
  const key = JSON.stringify(members.map(({ name, kb }) => [name, kb.meta().contentHash, kb.meta().provisional]));
  const links = remembered.get(key) ?? linksOf(members);
  remembered.delete(key);
  remembered.set(key, links);
  for (const oldest of [...remembered.keys()].slice(0, -REMEMBERED_MAX)) remembered.delete(oldest);
  return links;
}

function linksOf(members: readonly OpenMember[]): CrossLinks {
  const pairs = pairsOf(members);
  if (pairs.length === 0) return NO_LINKS;
  const caches = members.map(({ workspace: { paths } }) => openFactCache(paths, EXTRACTOR, 0));
  try {
    const links = linkFacts({
      outline: (key, intern) => firstOf(caches, (cache) => cache.outline(key, intern)),
      uses: (key: ParseKey) => firstOf(caches, (cache) => cache.uses(key)),
    });
    const sources = new Map(members.map((member) => [member.name, sourcesOf(member, links.sourceOf)]));
    const imports = openImports([...sources.values()].flat(), configReader(members));
    const found = new Map<string, CrossImport>();
    for (const { importer, imported, families } of pairs) {
      const files = (sources.get(importer) ?? []).filter(({ language }) => {
        const family = familyOf(language);
        return family !== null && families.has(family);
      });
      for (const file of files.slice(0, IMPORTERS_MAX))
        for (const { source, target } of imports.of(file).edges)
          if (target.startsWith(`${imported}/`)) found.set(`${source}\0${target}`, { source, target });
    }
    const linked = new Set([...found.values()].flatMap(({ source, target }) => [source, target]));
    const files = [...sources.values()].flat().filter(({ path }) => linked.has(path));
    return {
      imports: [...found.values()].sort((a, b) => inOrder(a.source, b.source) || inOrder(a.target, b.target)),
      references: [...referencesIn(files, imports, found)],
    };
  } finally {
    for (const cache of caches) cache.close();
  }
}

/** The references of files to what they import from another repository. */
function* referencesIn(
  files: readonly SourceFile[],
  imports: ReturnType<typeof openImports>,
  found: ReadonlyMap<string, CrossImport>,
): Generator<CrossReference> {
  const inOrderOfPath = files.toSorted(byPath);
  const known = new Map(inOrderOfPath.map((file, position) => [file.path, { file, position }]));
  const placeOf = (path: string, at: number): SymbolPlace | null => {
    const symbol = known.get(path)?.file.facts.symbols[at];
    return symbol === undefined ? null : { path, qualifiedName: symbol.qualifiedName, startLine: symbol.startLine };
  };
  const importers = new Set([...found.values()].map(({ source }) => source));
  for (const edge of resolveReferences(inOrderOfPath, importsByPath(known, imports), importers)) {
    if (!found.has(`${edge.callerPath}\0${edge.calleePath}`)) continue;
    const [caller, callee] = [placeOf(edge.callerPath, edge.caller), placeOf(edge.calleePath, edge.callee)];
    if (caller !== null && callee !== null) yield { caller, callee, kind: edge.kind, confidence: edge.confidence };
  }
}

type Pair = {
  readonly importer: string;
  readonly imported: string;
  readonly families: ReturnType<typeof familiesBetween>;
};

function pairsOf(members: readonly OneRepository[]): readonly Pair[] {
  const manifests = members.map((member) => ({ name: member.name, own: manifestsOf(member) }));
  return manifests.flatMap((from) =>
    manifests.flatMap((to): readonly Pair[] => {
      const families = from === to ? null : familiesBetween(from.own, to.own);
      return families === null || families.size === 0 ? [] : [{ importer: from.name, imported: to.name, families }];
    }),
  );
}

function manifestsOf({ kb }: OneRepository): readonly Manifest[] {
  const files = kb
    .files()
    .filter(({ path }) => isManifest(path))
    .slice(0, MANIFESTS_MAX);
  const texts = kb.texts(files.map(({ id }) => id));
  return files.map(({ id, path }) => ({ path, text: texts.get(id) ?? "" }));
}

const sourcesOf = (
  { name, kb }: OneRepository,
  sourceOf: ReturnType<typeof linkFacts>["sourceOf"],
): readonly SourceFile[] =>
  kb
    .storedFiles()
    .map(({ path, language, contentHash: hash }) => sourceOf({ path: `${name}/${path}`, language, hash }));

/** Reads configuration from the indexes. All repositories are members of one workspace, as npm calls it. */
function configReader(members: readonly OneRepository[]) {
  const workspaces = members.flatMap(({ name }) => [name, `${name}/**`]);
  return (path: string): string | null => {
    if (path === "package.json") return JSON.stringify({ workspaces });
    const member = members.find(({ name }) => path.startsWith(`${name}/`));
    if (member === undefined) return null;
    const [id] = member.kb.idsOf([path.slice(member.name.length + 1)]).values();
    return id === undefined ? null : (member.kb.texts([id]).get(id) ?? null);
  };
}

function firstOf<Cache, T>(caches: readonly Cache[], read: (cache: Cache) => T | null): T | null {
  for (const cache of caches) {
    const found = read(cache);
    if (found !== null) return found;
  }
  return null;
}
