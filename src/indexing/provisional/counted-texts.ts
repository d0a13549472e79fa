/** Reads the texts of counted files, as long as they are the ones that were counted. */
import { decode, isAsciiText } from "../../text/decode.ts";
import type { IndexOptions } from "../model/index-run.ts";
import type { IndexDeps } from "../update/index-deps.ts";
import { hashOf } from "../update/scan/file-content.ts";
import type { ReadText } from "../update/writer/write-generation.ts";
import type { Corpus } from "./count-tree.ts";

/** `texts` are those that were read, by id: choosing files and answering need the same ones. */
export type TextDeps = Pick<IndexDeps, "workTree"> & {
  readonly options: Pick<IndexOptions, "bytesMax">;
  readonly corpus: Pick<Corpus, "files">;
  readonly texts: Map<number, Buffer | null>;
};

type ReadBytes = (fileId: number) => Buffer | null;

/** Reads the text of a file if it is still the one that was counted. */
export function textReader({ workTree, options: { bytesMax }, corpus: { files }, texts }: TextDeps): ReadBytes {
  const read: ReadBytes = (fileId) => {
    const file = files[fileId - 1];
    const read = file === undefined ? null : workTree.readFile(file.path, bytesMax);
    if (file === undefined || read?.kind !== "bytes" || hashOf(read.bytes) !== file.contentHash) return null;
    // A text that was counted is not skipped.
    if (isAsciiText(read.bytes)) return Buffer.from(read.bytes.buffer, read.bytes.byteOffset, read.bytes.length);
    const decoded = decode(read.bytes);
    return decoded.kind === "text" ? Buffer.from(decoded.text) : null;
  };
  return (fileId) => texts.getOrInsertComputed(fileId, read);
}

/** The text of a content, such as that of a configuration file. */
export function textByHash({ corpus: { files } }: Pick<TextDeps, "corpus">, readText: ReadBytes): ReadText {
  const ids = new Map(files.map(({ contentHash }, at) => [contentHash, at + 1]));
  const texts = new Map<string, string | null>();
  return ({ contentHash: hash }) =>
    texts.getOrInsertComputed(hash, () => readText(ids.get(hash) ?? 0)?.toString() ?? null);
}
