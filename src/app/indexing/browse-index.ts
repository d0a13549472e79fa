/** Browses the index: names of everything, one file with its outline, and which files have changed since. */
import type { FileQueries, FileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { hashOf } from "../../indexing/update/scan-and-parse.ts";
import { readFile } from "../../source/files/read-file.ts";
import { membersOf, placeOf } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A file, or a definition in it; `name` is qualified, null for the file. */
export type IndexedName = { readonly path: string; readonly name: string | null; readonly kind: string };

/** A definition. Lines are 1-based and inclusive. */
type IndexedSymbol = {
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

/** Those of these files that differ from the index, or are gone. What a store has is as it was pushed. */
export function changedFiles({ root, index, config }: Workspace, paths: readonly string[]): readonly string[] {
  const repos = config.settings["workspace.repos"];
  const members = repos.length === 0 ? null : membersOf(root, repos);
  const wanted = new Set(paths);
  const isChanged = ({ path, contentHash, sizeBytes }: FileRow): boolean => {
    const place = members === null ? { root, path } : placeOf(members, path);
    if (place === null) return false;
    const read = readFile(place.root, place.path, sizeBytes);
    return read.kind === "problem" || hashOf(read.bytes) !== contentHash;
  };
  return index
    .open()
    .files()
    .filter((file) => wanted.has(file.path) && isChanged(file))
    .map(({ path }) => path);
}
