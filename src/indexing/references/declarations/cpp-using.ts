/** The names that `using` of C++ brings into a file, written in it or in a header that it includes. */
import { usedPath } from "../../imports/c.ts";
import type { FileSymbols } from "./file-symbols.ts";

/** The file and all that it includes, the file first. */
export type ClosureOf = (file: FileSymbols) => ReadonlySet<FileSymbols>;

/** The paths that a name can stand for, the nearest first; as a member of a namespace only by `using` in that namespace. */
export type UsedPaths = (from: FileSymbols, name: string, namespace: string | null) => readonly string[];

const NONE: readonly string[] = [];

/** Namespaces in each other. */
const NAMESPACES_MAX = 8;

/** What a `using` names, and the namespace that it is in. */
type Used = { readonly path: string; readonly around: string };

/** The `using` of files: of names, and of namespaces whose names all are used. */
type UsedNames = { readonly named: Map<string, Used[]>; readonly opened: Used[] };

/** A `using` counts for its whole file, but what includes the file sees none of a function or class. */
export function usedPaths(closureOf: ClosureOf): UsedPaths {
  const cached = new WeakMap<ReadonlySet<FileSymbols>, UsedNames>();
  const usedIn = (closure: ReadonlySet<FileSymbols>): UsedNames => {
    const found: UsedNames = { named: new Map(), opened: [] };
    const [own] = closure;
    for (const file of closure)
      for (const { specifier, line, names, star } of file.facts.imports) {
        if (star || (file !== own && isInside(file, line))) continue;
        const around = namespaceAround(file, line);
        const uses = pathsIn(/^\s*::/.test(specifier) ? "" : around, usedPath(specifier)).map((path) => ({
          path,
          around,
        }));
        for (const { alias } of names)
          if (alias === null) found.opened.push(...uses);
          else found.named.getOrInsertComputed(alias, () => []).push(...uses);
      }
    return found;
  };
  return (from, name, namespace) => {
    if (from.rules.parts !== "included") return NONE;
    const closure = closureOf(from);
    let used = cached.get(closure);
    if (used === undefined) {
      used = usedIn(closure);
      cached.set(closure, used);
    }
    const { named, opened } = used;
    const isSought = ({ around }: Used): boolean => namespace === null || around === namespace;
    return [
      ...(named.get(name) ?? []).filter(isSought).map(({ path }) => path),
      ...opened.filter(isSought).map(({ path }) => `${path}.${name}`),
    ];
  };
}

/** What a path can mean in a namespace: it may begin in any of those around it. */
function pathsIn(namespace: string, path: string): readonly string[] {
  const parts = namespace === "" ? [] : namespace.split(".").slice(0, NAMESPACES_MAX);
  return [...parts.map((_, at) => [...parts.slice(0, parts.length - at), path].join(".")), path];
}

const namespaceAround = ({ facts }: FileSymbols, line: number): string =>
  facts.symbols.findLast(({ kind, startLine, endLine }) => kind === "namespace" && startLine <= line && line <= endLine)
    ?.qualifiedName ?? "";

/** Whether a line is in a symbol that is no namespace. */
const isInside = ({ facts }: FileSymbols, line: number): boolean =>
  facts.symbols.some(({ kind, startLine, endLine }) => kind !== "namespace" && startLine <= line && line <= endLine);
