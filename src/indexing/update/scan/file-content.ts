/** What a file holds: its hash, its language, and its text or why it is skipped. */
import type { StatEntry } from "../../../db/parse-cache/stat-cache.ts";
import { isTestPath } from "../../../languages/file-role.ts";
import { languageOf } from "../../../languages/languages.ts";
import { scriptLanguageOf } from "../../../languages/script-language.ts";
import { decode } from "../../../text/decode.ts";
import type { IndexableFile } from "../../model/index-run.ts";
import type { WorkTree } from "../index-deps.ts";

/** The sha256 of the bytes, in hex. */
export const hashOf = (bytes: Uint8Array): string => Bun.SHA256.hash(bytes, "hex");

/** What a file holds, apart from its text. `script` as in `StatEntry`. */
export type Content = Pick<StatEntry, "hash" | "script"> & Pick<IndexableFile, "sizeBytes">;

export const contentOf = (path: string, bytes: Uint8Array): Content => ({
  hash: hashOf(bytes),
  script: scriptLanguageOf(path, bytes),
  sizeBytes: bytes.length,
});

export const indexableFile = (path: string, { hash, script, sizeBytes }: Content): IndexableFile => ({
  path,
  language: script ?? languageOf(path),
  contentHash: hash,
  sizeBytes,
  isTest: isTestPath(path),
});

/** The text of a file, or why it is skipped. */
export function textOf(
  { skipByText }: Pick<WorkTree, "skipByText">,
  path: string,
  bytes: Uint8Array,
): { readonly skip: string } | { readonly skip: null; readonly text: string } {
  const decoded = decode(bytes);
  if (decoded.kind === "binary") return { skip: "binary" };
  const skip = skipByText(path, decoded.text);
  return skip === null ? { skip, text: decoded.text } : { skip };
}

/** Reads the text of an indexed file again; null if it holds something else by now. */
export const textReader =
  (readFile: WorkTree["readFile"]) =>
  ({ path, contentHash, sizeBytes }: Pick<IndexableFile, "path" | "contentHash" | "sizeBytes">): string | null => {
    const read = readFile(path, sizeBytes);
    if (read.kind === "problem" || hashOf(read.bytes) !== contentHash) return null;
    const decoded = decode(read.bytes);
    return decoded.kind === "text" ? decoded.text : null;
  };

/** What a file holds now: a text, or why it is skipped; `problem` if it cannot be read. */
type FileContent =
  | { readonly kind: "problem"; readonly why: string }
  | ({ readonly kind: "skipped"; readonly reason: string } & ReadFile)
  | ({ readonly kind: "text"; readonly text: string } & ReadFile);

type ReadFile = { readonly file: IndexableFile } & Pick<Content, "script">;

/** Reads a file that `skipByPath` keeps. */
export function readContent(
  workTree: Pick<WorkTree, "readFile" | "holdsPackage" | "skipByText">,
  path: string,
  bytesMax: number,
): FileContent {
  const read = workTree.readFile(path, bytesMax);
  if (read.kind === "problem") return read;
  const content = contentOf(path, read.bytes);
  const file = indexableFile(path, content);
  const { script } = content;
  if (workTree.holdsPackage(read.bytes)) return { kind: "skipped", file, script, reason: "package" };
  const text = textOf(workTree, path, read.bytes);
  return text.skip === null
    ? { kind: "text", file, script, text: text.text }
    : { kind: "skipped", file, script, reason: text.skip };
}
