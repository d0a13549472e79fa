/**
 * C and C++: an `#include` names a file, seen from the including file or from a folder that the compiler is told of.
 *
 * Which folders those are is not known without a build, so a path is looked for as the end of the paths that are
 * there: it has to be the only one of its kind near the including file. Headers of the system are never looked for,
 * and what tests hold is found from tests only.
 * Not here: which headers are the system's (`system-headers.ts`), what a name of a header means (`references.ts`).
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { ImportFact } from "../../../syntax/facts/facts.ts";
import type { Family, Resolution, Resolver, SourceFile } from "../model.ts";
import { folderOf, foldersUp, isWithin, joinPath, nameOf, within } from "../repo-path.ts";
import { isSystemHeader } from "./system-headers.ts";

export const C: Family = {
  open: includeResolver,
  scoping: {
    selfNames: ["this"],
    superNames: [],
    implicitSelf: true,
    exportsAll: true,
    starsPassOn: true,
  },
};

/** Folders that are given to compilers, in the order in which they are preferred when nothing is nearer. */
const ROOTS = ["include", "inc", "includes", "src", "lib", "source", "sources"];

/** More files of one name than this, and it says nothing. */
const CANDIDATES_MAX = 200;

function includeResolver(_: readonly SourceFile[], paths: ReadonlySet<string>): Resolver {
  const byName = new Map<string, string[]>();
  for (const path of [...paths].sort()) {
    const name = nameOf(path);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
  }

  const find = (from: string, specifier: string): string | null => {
    const isBracketed = specifier.startsWith("<");
    const written = (isBracketed ? specifier.slice(1, -1) : specifier).trim().replaceAll("\\", "/");
    if (written === "" || written.startsWith("/") || /^[A-Za-z]:/.test(written)) return null;
    if (!isBracketed) {
      const beside = joinPath(folderOf(from), written);
      if (beside !== null && paths.has(beside)) return beside;
    }
    const ending = written.replace(/^(?:\.\.?\/)+/, "");
    if (ending.includes("..") || isSystemHeader(ending)) return null;
    // `../` leads out of a folder that is not known: what is left has to be all the more telling.
    if (ending !== written && !ending.includes("/")) return null;
    const candidates = byName.get(nameOf(ending)) ?? [];
    if (candidates.length > CANDIDATES_MAX) return null;
    const fitting = candidates.filter(
      (path) => path !== from && (path === ending || path.endsWith(`/${ending}`)) && isSeen(from, path),
    );
    return nearest(from, fitting, ending);
  };

  const found = new Map<string, string | null>();
  const resolve = (path: string, { specifier }: ImportFact): Resolution => {
    const key = `${folderOf(path)}\0${isTestPath(path)}\0${specifier}`;
    const known = found.get(key);
    const target = known === undefined ? find(path, specifier) : known;
    if (known === undefined) found.set(key, target);
    const module = target === path ? null : target;
    const star = { alias: null, name: "*", module, submodule: null, group: null, star: true, reexport: false };
    return { targets: module === null ? [] : [module], bindings: [star] };
  };
  return { resolve, groupOf: () => null };
}

/** What tests hold is for tests. */
const isSeen = (from: string, path: string): boolean => isTestPath(from) || !isTestPath(path);

/**
 * The one candidate that shares the most folders with the including file. Among equals the one that lies in a folder
 * of headers, else none: a wrong file is worse.
 */
function nearest(from: string, candidates: readonly string[], ending: string): string | null {
  if (candidates.length < 2) return candidates[0] ?? null;
  for (const folder of foldersUp(folderOf(from))) {
    const near = candidates.filter((path) => isWithin(path, folder));
    if (near.length === 1) return near[0] ?? null;
    if (near.length === 0) continue;
    for (const root of ["", ...ROOTS]) {
      const path = within(within(folder, root), ending);
      if (near.includes(path)) return path;
    }
    return null;
  }
  return null;
}
