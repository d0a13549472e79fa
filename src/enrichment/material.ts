/** What a model is shown of a file. It is read from the index, so an answer always belongs to the content it is stored under. */
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";

/** One version of a file, the unit that a model is asked about: a path and the hash of its bytes. */
export type Content = { readonly path: string; readonly contentHash: string };

/** A file as indexed. `docstring` is that of the file, or ""; `signatures` are those of its definitions, in order. */
export type Material = Content & {
  readonly language: string;
  readonly text: string;
  readonly docstring: string;
  readonly signatures: readonly string[];
};

type IndexReader = Pick<KnowledgeBase, "storedFiles" | "texts" | "symbolsIn" | "docstringsIn">;

/** The material of these contents, without files that have changed or are gone. */
export function materialsOf(kb: IndexReader, contents: readonly Content[]): readonly Material[] {
  const wanted = new Map(contents.map(({ path, contentHash }) => [path, contentHash]));
  const files = kb.storedFiles().filter(({ path, contentHash }) => wanted.get(path) === contentHash);
  const ids = files.map(({ id }) => id);
  const texts = kb.texts(ids);
  const symbols = Map.groupBy(kb.symbolsIn(ids), ({ fileId }) => fileId);
  const docstrings = new Map(
    kb
      .docstringsIn(ids)
      .flatMap(({ fileId, symbolId, content }) => (symbolId === null ? [[fileId, content] as const] : [])),
  );
  return files.map(({ id, path, contentHash, language }) => ({
    path,
    contentHash,
    language,
    text: texts.get(id) ?? "",
    docstring: docstrings.get(id) ?? "",
    signatures: (symbols.get(id) ?? []).map(({ signature, qualifiedName }) => signature || qualifiedName),
  }));
}

/** The contents with their materials, null where one is no longer indexed, `perRead` at a time. They are read on demand. */
export function* fromContents(
  contents: readonly Content[],
  perRead: number,
  read: (contents: readonly Content[]) => readonly Material[],
): Generator<readonly { readonly content: Content; readonly material: Material | null }[]> {
  for (let at = 0; at < contents.length; at += perRead) {
    const asked = contents.slice(at, at + perRead);
    const found = new Map(read(asked).map((material) => [material.path, material]));
    yield asked.map((content) => ({ content, material: found.get(content.path) ?? null }));
  }
}
