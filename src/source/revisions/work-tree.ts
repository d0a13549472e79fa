/**
 * Looks up files of the work tree as entries of a tree, with their contents.
 *
 * Only reads files, never through git, which would run filters named by the repository. A file whose stat matches git's index has the
 * indexed content; any other file is read. Links are not followed, and of a submodule only its commit is read.
 */
import { createHash } from "node:crypto";
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { decode } from "../../text/decode.ts";
import type { Content } from "../../text/diff/file-patch.ts";
import { folderOf, nameOf } from "../../text/repo-path.ts";
import { inFolder } from "../files/open-inside.ts";
import { readFile } from "../files/read-file.ts";
import { type ConfigEntry, isOn, lastValue } from "../git/config.ts";
import type { FoundFolders } from "../git/folders.ts";
import type { IndexEntry } from "../git/index-file.ts";
import { canonicalMode, LINK_MODE, SUBMODULE_MODE } from "../git/objects.ts";
import type { GitIndex } from "./git-index.ts";
import { CONTENT_BYTES_MAX, type StoredContent, type TreeEntry } from "./revisions.ts";

const HASHED_BYTES_MAX = 64 * 1024 * 1024;
const ATTRIBUTES = ".gitattributes";
const ATTRIBUTES_BYTES_MAX = 1024 * 1024;

type WorkTree = {
  /** What is in git's index, by path. */
  readonly tracked: readonly string[];
  /** Git changes line ends when it reads or writes files here, so they say nothing. */
  readonly convertsLineEnds: boolean;
  /** Null when there is nothing. `was` is what is expected there. */
  entry(path: string, was: TreeEntry | null): TreeEntry | null;
  content(path: string, entry: TreeEntry): Content;
  /** Whether a path is inside another repository. */
  isElsewhere(path: string): boolean;
  /** All bytes that `entry` read to hash them. */
  readBytes(): number;
};

/** What git knows of a work tree. `submodules` are folders of other repositories, with what is checked out there if anything is. */
type GitKnowledge = {
  readonly folders: FoundFolders;
  readonly settings: readonly ConfigEntry[];
  readonly index: GitIndex;
  readonly submodules: ReadonlyMap<string, string | null>;
  /** The length of the repository's hashes. */
  readonly hashChars: number;
};

export function openWorkTree(
  root: string,
  { folders, settings, index, submodules, hashChars }: GitKnowledge,
): WorkTree {
  const hasModes = isOn(lastValue(settings, "core.filemode") ?? "true");
  const isSparse = isOn(lastValue(settings, "core.sparsecheckout"));
  const hasLinks = isOn(lastValue(settings, "core.symlinks") ?? "true");
  const nested = new Map<string, boolean>();
  const isBehindLink = linkFinder(root);
  let readBytes = 0;

  function entry(path: string, was: TreeEntry | null): TreeEntry | null {
    const stat = isBehindLink(path) ? null : statOf(join(root, path));
    const tracked = index.entries.get(path);
    const indexed = tracked === undefined ? null : { mode: canonicalMode(tracked.mode), hash: tracked.hash };
    if (tracked !== undefined && isUnseen(tracked, stat)) return indexed;
    if (stat === null) return null;
    if (stat.isSymbolicLink()) return { mode: LINK_MODE, hash: gitHash(linkTarget(root, path), hashChars) };
    const expected = was ?? indexed;
    if (stat.isDirectory()) return expected !== null && isSubmodule(expected) ? submoduleEntry(path, expected) : null;
    if (!stat.isFile()) return tracked?.isLeftOut ? indexed : null;
    const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
    // Where links cannot be made, git writes their targets into files.
    const ownMode = isLinkAsFile(expected)
      ? LINK_MODE
      : hasModes
        ? mode
        : expected?.mode.startsWith("100")
          ? expected.mode
          : "100644";
    if (tracked !== undefined && isUntouched(tracked, stat, index.writtenMs))
      return { mode: ownMode, hash: tracked.hash };
    const read = readFile(root, path, HASHED_BYTES_MAX);
    readBytes += read.kind === "bytes" ? read.bytes.length : 0;
    // An unreadable or too large file counts as changed.
    return { mode: ownMode, hash: read.kind === "problem" ? "" : gitHash(read.bytes, hashChars) };
  }

  /** Whether git does not look at a file. In a sparse checkout it does look at what is there against the rules. */
  const isUnseen = ({ isAssumed, isLeftOut }: IndexEntry, stat: Stats | null): boolean =>
    isAssumed || (isLeftOut && (stat === null || !isSparse));

  const isLinkAsFile = (expected: TreeEntry | null): boolean => !hasLinks && expected?.mode === LINK_MODE;

  /** A submodule that is not checked out is as expected, unless git's index has it no more. */
  function submoduleEntry(path: string, { mode, hash }: TreeEntry): TreeEntry | null {
    const head = submodules.get(path) ?? null;
    return head === null && index.entries.size > 0 && !isSubmoduleInIndex(path) ? null : { mode, hash: head ?? hash };
  }

  function isSubmoduleInIndex(path: string): boolean {
    const entry = index.entries.get(path);
    return entry !== undefined && isSubmodule(entry);
  }

  function isElsewhere(path: string): boolean {
    const folder = folderOf(path);
    if (folder === "") return false;
    const before = nested.get(folder);
    if (before !== undefined) return before;
    const is = isSubmoduleInIndex(folder) || statOf(join(root, folder, ".git")) !== null || isElsewhere(folder);
    nested.set(folder, is);
    return is;
  }

  const isLink = (path: string): boolean => hasLinks || statOf(join(root, path))?.isSymbolicLink() === true;
  const tracked = [...index.entries.keys()];
  return {
    tracked,
    convertsLineEnds: convertsLineEnds(root, folders, settings, tracked),
    entry,
    content: (path, { mode, hash }) =>
      isSubmodule({ mode })
        ? submoduleContent(hash)
        : contentOf(mode === LINK_MODE && isLink(path) ? linkTarget(root, path) : bytesOf(root, path)),
    isElsewhere,
    readBytes: () => readBytes,
  };
}

/** Tells whether a folder on the way to a path is a symbolic link, so that what is there lies elsewhere. */
function linkFinder(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isBehindLink = (path: string): boolean => {
    const folder = folderOf(path);
    if (folder === "") return false;
    const before = known.get(folder);
    if (before !== undefined) return before;
    const is = isBehindLink(folder) || statOf(join(root, folder))?.isSymbolicLink() === true;
    known.set(folder, is);
    return is;
  };
  return isBehindLink;
}

/** Whether a setting or an attribute makes git change line ends. Files of attributes count where git tracks them, and in the root. */
function convertsLineEnds(
  root: string,
  { commonFolder }: FoundFolders,
  settings: readonly ConfigEntry[],
  tracked: readonly string[],
): boolean {
  if (/^(true|input)$/i.test(lastValue(settings, "core.autocrlf") ?? "")) return true;
  const own = [ATTRIBUTES, ...tracked.filter((path) => path.endsWith(`/${ATTRIBUTES}`))];
  return hasTextAttributes(commonFolder, "info/attributes") || own.some((path) => hasTextAttributes(root, path));
}

/** What git shows for a submodule in place of its content. */
export const submoduleContent = (hash: string): Content => ({ text: `Subproject commit ${hash}\n` });

export const isSubmodule = ({ mode }: { readonly mode: string }): boolean => mode === SUBMODULE_MODE;

/** A content as text; undefined is one that the clone lacks. */
export function contentOf(bytes: StoredContent | undefined): Content {
  if (bytes === undefined) return { unread: "missing" };
  if (bytes === "too large") return { unread: bytes };
  const decoded = decode(bytes);
  return decoded.kind === "text" ? { text: decoded.text } : { unread: "binary" };
}

/** Null for what is no text, too large or missing. */
export const textIn = (content: Content): string | null => ("text" in content ? content.text : null);

function bytesOf(root: string, path: string): StoredContent {
  const read = readFile(root, path, CONTENT_BYTES_MAX);
  return read.kind === "bytes" ? read.bytes : "too large";
}

function hasTextAttributes(folder: string, path: string): boolean {
  const read = readFile(folder, path, ATTRIBUTES_BYTES_MAX);
  return read.kind === "bytes" && /\s(text|eol|crlf)\b/.test(new TextDecoder().decode(read.bytes));
}

/** The target's bytes; empty when it cannot be read, or when the link itself lies behind another one. */
function linkTarget(root: string, path: string): Uint8Array {
  try {
    return inFolder(root, folderOf(path), (folder) => readlinkSync(join(folder, nameOf(path)), { encoding: "buffer" }));
  } catch {
    return new Uint8Array();
  }
}

const SHA1_CHARS = 40;

/** Whether a file's stat matches its index entry and the file is older than the index, so the match can be trusted. */
const isUntouched = ({ stat: known }: IndexEntry, stat: Stats, writtenMs: number): boolean =>
  known !== null &&
  known.size === stat.size % 2 ** 32 &&
  known.seconds === Math.floor(stat.mtimeMs / 1000) % 2 ** 32 &&
  (known.nanoseconds === 0 || Math.abs(known.nanoseconds / 1e6 - (stat.mtimeMs % 1000)) < 0.01) &&
  stat.mtimeMs < writtenMs;

/** The git object hash of a content. */
const gitHash = (bytes: Uint8Array, chars: number): string =>
  createHash(chars === SHA1_CHARS ? "sha1" : "sha256")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
