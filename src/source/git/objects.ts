/**
 * Parses git's commit and tree objects. Both history readers use this file, so names, messages and encodings cannot differ between them.
 */

/** The bytes of a SHA-1, the only hash of objects that are read without git. */
export const HASH_BYTES = 20;

export type Commit = {
  readonly hash: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly message: string;
  /** Committer time in seconds since 1970; 0 when missing or out of range. */
  readonly timestamp: number;
};

/** `mode` is git's, with file permissions reduced to 100644 and 100755. */
export type TreeEntry = { readonly name: string; readonly mode: string; readonly hash: string };

export const FOLDER_MODE = "40000";
export const SUBMODULE_MODE = "160000";
export const LINK_MODE = "120000";

/** Parses a commit object without its `commit <size>` header; null when it is invalid. */
export function parseCommit(hash: string, object: Uint8Array): Commit | null {
  const head = latin1(object);
  const headEnd = head.indexOf("\n\n");
  const header = headEnd < 0 ? head : head.slice(0, headEnd);
  const tree = /^tree ([0-9a-f]+)$/m.exec(header)?.[1];
  if (tree === undefined) return null;
  const decoder = decoderFor(/^encoding (\S+)$/m.exec(header)?.[1]);
  const decode = (bytes: string): string => decoder.decode(Buffer.from(bytes, "latin1"));
  const body = headEnd < 0 ? "" : (head.slice(headEnd + 2).split("\0", 1)[0] ?? "");
  return {
    hash,
    tree,
    parents: Array.from(header.matchAll(/^parent ([0-9a-f]+)$/gm), (match) => match[1] ?? ""),
    author: decode(/^author (.*?) ?<[^\n]*$/m.exec(header)?.[1] ?? "").trim(),
    message: decode(body).trim(),
    timestamp: timeOf(/^committer [^\n]*> (\d+)/m.exec(header)?.[1]),
  };
}

/** The year 2242. Later times come from broken clocks, or from negative times that git stores as huge numbers. */
const TIME_MAX = 2 ** 33;

export function timeOf(digits: string | undefined): number {
  const time = Number(digits ?? 0);
  return time <= TIME_MAX ? time : 0;
}

/** Parses a tree object. Names that are not UTF-8 contain U+FFFD. */
export function parseTree(object: Uint8Array): readonly TreeEntry[] {
  const bytes = Buffer.from(object.buffer, object.byteOffset, object.byteLength);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const hash = bytes.toString("hex", end + 1, end + 1 + HASH_BYTES);
    entries.push({
      name: bytes.toString("utf8", space + 1, end),
      mode: canonicalMode(bytes.toString("latin1", at, space)),
      hash,
    });
    at = end + 1 + HASH_BYTES;
  }
  return entries;
}

/** Whether a path was valid UTF-8. */
export const isUtf8Path = (path: string): boolean => !path.includes("\u{fffd}");

/** A mode as git stores it today; old versions stored other permissions of files too. */
export function canonicalMode(mode: string): string {
  const bits = Number.parseInt(mode, 8);
  const kind = bits & 0o170000;
  if (kind === 0o100000) return (bits & 0o100) === 0 ? "100644" : "100755";
  if (kind === 0o040000) return FOLDER_MODE;
  return kind === 0o120000 ? LINK_MODE : SUBMODULE_MODE;
}

/** The decoder for the Latin-1 family; all other encodings are read as UTF-8. */
const decoderFor = (encoding: string | undefined): TextDecoder =>
  new TextDecoder(/^(iso-?8859-?1|latin-?1|(windows-|cp)1252)$/i.test(encoding ?? "") ? "windows-1252" : "utf-8");

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/** The objects in the output of `git cat-file --batch`: `<hash> <type> <size>\n<content>\n`. Stops at anything else. */
export function* batchObjects(
  bytes: Uint8Array,
): Generator<{ readonly hash: string; readonly type: string; readonly content: Uint8Array }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; ) {
    const end = buffer.indexOf(0x0a, at);
    const [, hash = "", type = "", size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(buffer.toString("latin1", at, end)) ?? [];
    if (size === undefined) return;
    yield { hash, type, content: buffer.subarray(end + 1, end + 1 + Number(size)) };
    at = end + 1 + Number(size) + 1;
  }
}
