/**
 * What the index has, for looking through it: names of everything, and one file with its outline.
 */
import type { KnowledgeBase } from "./db/curated.ts";

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
export function namesIn(kb: KnowledgeBase): readonly IndexedName[] {
  const files = kb.files();
  const symbols = Map.groupBy(kb.symbolsIn(files.map(({ id }) => id)), ({ fileId }) => fileId);
  return files.flatMap(({ id, path }) => [
    { path, name: null, kind: "file" },
    ...(symbols.get(id) ?? []).map(({ qualifiedName, kind }) => ({ path, name: qualifiedName, kind })),
  ]);
}

/** One file as it was indexed; null when it is not in the index. */
export function indexedFile(kb: KnowledgeBase, path: string): IndexedFile | null {
  const file = kb.files().find((row) => row.path === path);
  if (file === undefined) return null;
  return {
    path,
    language: file.language,
    text: kb.texts([file.id]).get(file.id) ?? "",
    symbols: kb.symbolsIn([file.id]).map(({ qualifiedName, kind, startLine, endLine, bodyTokens }) => ({
      qualifiedName,
      kind,
      startLine,
      endLine,
      tokens: bodyTokens,
    })),
  };
}
