/**
 * What a model is shown of a file comes from the index, so that it is the content that the answer is kept under.
 *
 * Not here: how much of it fits (`prompt.ts`).
 */
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import type { Content } from "./contents.ts";

/** A file as it is indexed. `docstring` is its own, "" when it has none; `signatures` are its definitions', in order. */
export type Material = Content & {
  readonly language: string;
  readonly text: string;
  readonly docstring: string;
  readonly signatures: readonly string[];
};

/** The questions to an index that this takes. */
type Shown = Pick<KnowledgeBase, "files" | "texts" | "symbolsIn" | "docstringsIn">;

/** Files of the index as a model is asked about them; without those whose content is another one by now. */
export function materialsOf(kb: Shown, contents: readonly Content[]): readonly Material[] {
  const wanted = new Map(contents.map(({ path, contentHash }) => [path, contentHash]));
  const files = kb.files().filter(({ path, contentHash }) => wanted.get(path) === contentHash);
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
