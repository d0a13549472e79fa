/** Browses the index: names of everything, one file with its outline, where files lie, and which have changed since. */
import { join, sep } from "node:path";
import type { FileQueries, StoredFileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { hashOf } from "../../indexing/update/scan/file-content.ts";
import { readFile } from "../../source/files/read-file.ts";
import { membersOf, placeOf } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A file, or a definition in it; `name` is qualified, null for the file. */
export type IndexedName = { readonly path: string; readonly name: string | null; readonly kind: string };

/** A definition. Lines are 1-based and inclusive. */
export type IndexedSymbol = {
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Tokens of its body. */
  readonly tokens: number;
};

export type IndexedFile = {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly symbols: readonly IndexedSymbol[];
};

/** Each file, followed by its definitions. */
export function namesIn(kb: FileQueries & SymbolQueries): readonly IndexedName[] {
  const files = kb.files();
  const symbols = Map.groupBy(kb.symbolsIn(files.map(({ id }) => id)), ({ fileId }) => fileId);
  return files.flatMap(({ id, path }) => [
    { path, name: null, kind: "file" },
    ...(symbols.get(id) ?? []).map(({ qualifiedName, kind }) => ({ path, name: qualifiedName, kind })),
  ]);
}

/** Those of these files that are in the index, as they were indexed, by path. */
export function indexedFiles(kb: FileQueries & SymbolQueries, paths: readonly string[]): readonly IndexedFile[] {
  const wanted = new Set(paths);
  const files = kb.files().filter(({ path }) => wanted.has(path));
  const ids = files.map(({ id }) => id);
  const texts = kb.texts(ids);
  const symbols = Map.groupBy(kb.symbolsIn(ids), ({ fileId }) => fileId);
  return files.map(({ id, path, language }) => ({
    path,
    language,
    text: texts.get(id) ?? "",
    symbols: (symbols.get(id) ?? []).map(({ qualifiedName, kind, startLine, endLine, bodyTokens }) => ({
      qualifiedName,
      kind,
      startLine,
      endLine,
      tokens: bodyTokens,
    })),
  }));
}

type Place = { readonly root: string; readonly path: string };

/** Where files of the index lie: the root of the repository, and the path in it; null for one that only a store has. */
export function placesOf({ root, config }: Pick<Workspace, "root" | "config">): (path: string) => Place | null {
  const repos = config.settings["workspace.repos"];
  if (repos.length === 0) return (path) => ({ root, path });
  const members = membersOf(root, repos);
  return (path) => placeOf(members, path);
}

/** The absolute path of a file of the index; null for one outside of its repository, or that only a store has. */
function sourcePath(workspace: Pick<Workspace, "root" | "config">, path: string): string | null {
  const place = placesOf(workspace)(path);
  const found = place === null ? null : join(place.root, place.path);
  return found?.startsWith(`${place?.root}${sep}`) ? found : null;
}

/** Those of these files that differ from the index, or are gone. What a store has is as it was pushed. */
function changedFiles(workspace: Workspace, paths: readonly string[]): readonly string[] {
  const placed = placesOf(workspace);
  const wanted = new Set(paths);
  const isChanged = ({ path, contentHash, sizeBytes }: StoredFileRow): boolean => {
    const place = placed(path);
    if (place === null) return false;
    const read = readFile(place.root, place.path, sizeBytes);
    return read.kind === "problem" || hashOf(read.bytes) !== contentHash;
  };
  return workspace.index
    .open()
    .storedFiles()
    .filter((file) => wanted.has(file.path) && isChanged(file))
    .map(({ path }) => path);
}

/** All of this of the index that a workspace has open. */
export const browseIndex = (workspace: Workspace) => ({
  names: () => namesIn(workspace.index.open()),
  indexedFile: (path: string) => indexedFiles(workspace.index.open(), [path])[0] ?? null,
  indexedFiles: (paths: readonly string[]) => indexedFiles(workspace.index.open(), paths),
  sourcePath: (path: string) => sourcePath(workspace, path),
  members: () => membersOf(workspace.root, workspace.config.settings["workspace.repos"]),
  changedFiles: (paths: readonly string[]) => changedFiles(workspace, paths),
});
