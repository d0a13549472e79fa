/**
 * Explains why an import edge of cra is right although TypeScript resolves that import to nothing or to another file.
 *
 * Every reason is a rule on the two paths and the specifier; an edge without a matching rule is wrong.
 */

import { folderOf, foldersUp, isWithin, joinPath, within } from "../../src/text/repo-path.ts";
import type { Edge, Judge } from "./import-edges.ts";

export const REASONS = {
  bundler: {
    name: "bundler",
    words:
      "a file that is not a module for TypeScript (styles, images, Vue files), or a specifier with a `?query` for a bundler",
  },
  built: {
    name: "built entry",
    words: "TypeScript finds nothing, because the entry is a file that only a build creates",
  },
  extension: {
    name: "no extension",
    words: "the extension is omitted, which bundlers allow and strict ECMAScript modules do not",
  },
  implementation: {
    name: "not the types",
    words: "TypeScript resolves to the declarations, cra to their JavaScript file",
  },
  unindexed: {
    name: "not indexed",
    words: "TypeScript resolves to a file that is not indexed (a link, generated), cra to another one",
  },
  module: { name: "module entry", words: "TypeScript resolves to the `main` of a package, cra to its `module`" },
} as const;

type Import = { readonly path: string; readonly specifier: string };

/** `texts` are the indexed files; `unresolved` imports have no file in TypeScript, `unindexed` ones no indexed file. */
export function typescriptJudge(
  texts: ReadonlyMap<string, string>,
  unresolved: readonly Import[],
  unindexed: readonly Import[],
): Judge {
  const [nowhere, elsewhere] = [unresolved, unindexed].map(
    (imports) => new Set(imports.map(({ path, specifier }) => `${path}\0${specifier}`)),
  );
  const packageOf = (path: string): string | null =>
    foldersUp(folderOf(path)).find((folder) => texts.has(within(folder, "package.json"))) ?? null;
  const isNamed = (path: string, specifier: string): boolean => {
    const folder = packageOf(path);
    const { name } = folder === null ? {} : manifestIn(texts, folder);
    return typeof name === "string" && (specifier === name || specifier.startsWith(`${name}/`));
  };
  return (edge, theirs) => {
    const { source, target, specifier } = edge;
    if (isBundled(edge)) return REASONS.bundler.name;
    if (elsewhere?.has(`${source}\0${specifier}`)) return REASONS.unindexed.name;
    if (nowhere?.has(`${source}\0${specifier}`)) {
      const path = joinPath(folderOf(source), specifier);
      if (!specifier.startsWith(".")) return isNamed(target, specifier) ? REASONS.built.name : null;
      if (path !== null && target.startsWith(`${path}.`)) return REASONS.extension.name;
      return /\/(?:dist|build|lib|out)\//.test(specifier) ? REASONS.built.name : null;
    }
    const folder = packageOf(target);
    if (folder === null || theirs.length === 0 || theirs.some((path) => packageOf(path) !== folder)) return null;
    if (theirs.every((path) => /\.d\.[mc]?ts$/.test(path) || stemOf(path) === stemOf(target))) {
      return REASONS.implementation.name;
    }
    return entryOf(texts, folder, "module") === target ? REASONS.module.name : null;
  };
}

/** A relative path to a file that is not a module, or with a query for a bundler. */
function isBundled({ source, target, specifier }: Edge): boolean {
  const [path = "", words] = specifier.split("?");
  if (words !== undefined) {
    const written = joinPath(folderOf(source), path);
    return written !== null && (target === written || target.startsWith(`${written}.`));
  }
  const rest = path.replace(/^(?:\.{1,2}\/)+|^[^/]+\//, "");
  return !/\.(?:[mc]?[jt]sx?|json)$/.test(target) && (target === rest || target.endsWith(`/${rest}`));
}

const stemOf = (path: string): string => path.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, "");

/** The file named by a field of a package's manifest. */
function entryOf(texts: ReadonlyMap<string, string>, folder: string, field: string): string | null {
  const entry = manifestIn(texts, folder)[field];
  const path = typeof entry === "string" ? joinPath(folder, entry) : null;
  return path !== null && isWithin(path, folder) ? path : null;
}

const manifestIn = (texts: ReadonlyMap<string, string>, folder: string): Readonly<Record<string, unknown>> =>
  JSON.parse(texts.get(within(folder, "package.json")) ?? "{}");
