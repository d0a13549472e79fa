/**
 * What the work tree changed since a commit, or what commits changed since then: files, and their changed lines in the work tree.
 *
 * Only this module reads the work tree, never git, which would run filters named by the repository. A file whose stat matches git's index
 * has the indexed content; any other file is read. Contents are compared as text, ignoring line endings. A renamed file counts as
 * deleted, and as modified under its new path. Nested repositories and symbolic links are not entered.
 */
import { createHash } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { decode } from "../../text/decode.ts";
import { diffLines, type LineDiff } from "../../text/line-diff.ts";
import { inOrder } from "../../text/order.ts";
import { mergeRanges } from "../../text/ranges.ts";
import { readFile } from "../files/read-file.ts";
import { resolveGitFolders } from "../git/folders.ts";
import { type IndexEntry, parseGitIndex } from "../git/index-file.ts";
import { COMPARED_SIDES_MAX, renamedFrom } from "./renames.ts";
import { CONTENT_BYTES_MAX, found, type RevisionReader, type RevisionResult } from "./revisions.ts";

/** `lines` is null when the whole file is new, or when lines are unknown because it is binary, large or missing. */
export type FileChange = {
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted";
  readonly lines: LineDiff | null;
};

/** `since` compares HEAD with its merge base with this commit; `diff` compares the work tree with this commit. */
export type DiffOptions = { readonly diff: string | null; readonly since: string | null };

/** Changes by path. "unknown": there is no such commit. "unrelated": the commits have no common ancestor. */
export type WorkTreeChanges =
  | { readonly kind: "changes"; readonly files: readonly FileChange[] }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "unrelated"; readonly name: string }
  | { readonly kind: "problem"; readonly why: string };

/** Lines are compared for this many files; the others are only reported as changed. */
const COMPARED_MAX = 1_000;
const HASHED_BYTES_MAX = 64 * 1024 * 1024;
const INDEX_BYTES_MAX = 256 * 1024 * 1024;

/** `present` are paths of work tree files that count even if git does not track them. `root` is a real path. */
export async function workTreeChanges(
  reader: RevisionReader,
  root: string,
  { diff, since }: DiffOptions,
  present: readonly string[],
  signal: AbortSignal,
): Promise<WorkTreeChanges> {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return folders;
  const name = since ?? diff ?? "HEAD";
  const [named, head] = [await reader.commit(root, name, signal), await reader.commit(root, "HEAD", signal)];
  if (named.kind === "problem") return named;
  if (head.kind === "problem") return head;
  if (named.kind === "unknown" || head.kind === "unknown") return { kind: "unknown", name };
  const base = since === null ? named : await reader.forkPoint(root, named.value, head.value, signal);
  if (base.kind !== "found") return base.kind === "unknown" ? { kind: "unrelated", name } : base;
  const before = await reader.files(root, base.value, signal);
  const committed = await reader.files(root, head.value, signal);
  if (before.kind !== "found" || committed.kind !== "found") return lost(before, committed);
  const elsewhere = new Set([...before.value.folders, ...committed.value.folders]);
  const tree = workTree(root, folders.folder, elsewhere, base.value.length);
  const old = before.value.files;
  const isUncommittedToo = diff !== null || since === null;
  const paths = [...old.keys(), ...committed.value.files.keys(), ...(isUncommittedToo ? present : [])];
  const changed: Changed[] = [];
  for (const path of [...new Set(paths)].sort(inOrder)) {
    signal.throwIfAborted();
    const [was, is] = [old.get(path) ?? null, isUncommittedToo ? tree.hash(path) : hashIn(committed.value.files, path)];
    if (was !== is && !(was === null && tree.isElsewhere(path))) changed.push({ path, was, is });
  }
  return await compared(reader, root, changed, isUncommittedToo ? null : committed.value.files, signal);
}

type Changed = { readonly path: string; readonly was: string | null; readonly is: string | null };

const lost = (...all: readonly RevisionResult<unknown>[]): WorkTreeChanges =>
  all.find((one) => one.kind === "problem") ?? { kind: "problem", why: "a commit's files cannot be read" };

const hashIn = (files: ReadonlyMap<string, string>, path: string): string | null => files.get(path) ?? null;

/** Compares lines. `committed` are the files of HEAD when uncommitted changes do not count. */
async function compared(
  reader: RevisionReader,
  root: string,
  changed: readonly Changed[],
  committed: ReadonlyMap<string, string> | null,
  signal: AbortSignal,
): Promise<WorkTreeChanges> {
  const modified = changed.filter(({ was, is }) => was !== null && is !== null).slice(0, COMPARED_MAX);
  const fresh = changed.flatMap(({ path, was, is }) => (was === null && is !== null ? [{ path, hash: is }] : []));
  const gone = changed.flatMap(({ path, was, is }) => (was !== null && is === null ? [{ path, hash: was }] : []));
  const isFew = Math.max(fresh.length, gone.length) <= COMPARED_SIDES_MAX && fresh.length > 0;
  const hashes = [
    ...modified.flatMap(({ path, was }) => [was, committed?.get(path)]),
    ...(isFew ? gone.map(({ hash }) => hash) : []),
    ...(isFew ? fresh.map(({ path }) => committed?.get(path)) : []),
  ].filter((hash) => hash != null);
  const contents = hashes.length === 0 ? found(NO_CONTENTS) : await reader.contents(root, [...new Set(hashes)], signal);
  if (contents.kind !== "found") return lost(contents);
  const oldText = (hash: string | null | undefined): string | null => asText(contents.value.get(hash ?? ""));
  const newText = (path: string): string | null => asText(contentOf(root, path));
  const renamed = renamedFrom(
    gone.map((one) => ({ ...one, text: oldText(one.hash) })),
    fresh.map((one) => ({ ...one, text: isFew ? newText(one.path) : null })),
  );
  const looked = new Set([...modified.map(({ path }) => path), ...renamed.keys()]);
  const files = changed.flatMap(({ path, was: tracked, is }): readonly FileChange[] => {
    if (is === null) return [{ path, kind: "deleted", lines: null }];
    const was = tracked ?? renamed.get(path) ?? null;
    if (was === null) return [{ path, kind: "added", lines: null }];
    if (!looked.has(path)) return [{ path, kind: "modified", lines: null }];
    const [before, after] = [oldText(was), newText(path)];
    if (before === null || after === null) return [{ path, kind: "modified", lines: null }];
    const lines = diffLines(before, after);
    const head = committed === null ? null : oldText(committed.get(path));
    const changes = head === null ? lines : without(lines, diffLines(head, after));
    // Only line endings differ, or uncommitted changes revert it.
    return isNothing(changes) && committed === null && tracked !== null
      ? []
      : [{ path, kind: "modified", lines: changes }];
  });
  return { kind: "changes", files };
}

const NO_CONTENTS: ReadonlyMap<string, Uint8Array> = new Map();

const isNothing = ({ added, goneAfter }: LineDiff): boolean => added.length + goneAfter.length === 0;

/** The changes in `lines` that are not in `later`. */
function without(lines: LineDiff, later: LineDiff): LineDiff {
  const isLater = (line: number): boolean =>
    later.added.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const kept = lines.added.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at).filter((line) => !isLater(line)),
  );
  return {
    added: mergeRanges(kept.map((line) => ({ startLine: line, endLine: line }))),
    goneAfter: lines.goneAfter.filter((line) => !later.goneAfter.includes(line)),
  };
}

function asText(bytes: Uint8Array | null | undefined): string | null {
  const decoded = bytes == null ? null : decode(bytes);
  return decoded?.kind === "text" ? decoded.text : null;
}

function contentOf(root: string, path: string): Uint8Array | null {
  const read = readFile(root, path, CONTENT_BYTES_MAX);
  return read.kind === "bytes" ? read.bytes : null;
}

/** Looks up paths in the work tree. `elsewhere` are folders of other repositories; hashes have `hashChars` characters. */
function workTree(root: string, gitFolder: string, elsewhere: ReadonlySet<string>, hashChars: number) {
  const known = knownToGit(gitFolder);
  const nested = new Map<string, boolean>();

  /** The git hash of a file's content; null when there is no such file. */
  function hash(path: string): string | null {
    const stat = statOf(join(root, path));
    const entry = known.entries.get(path);
    if (stat === null || !stat.isFile()) return entry?.isLeftOut ? entry.hash : null;
    if (entry !== undefined && isUntouched(entry, stat, known.writtenMs)) return entry.hash;
    const read = readFile(root, path, HASHED_BYTES_MAX);
    // An unreadable or too large file counts as changed.
    return read.kind === "problem" ? "" : gitHash(read.bytes, hashChars);
  }

  /** Whether a path is inside another repository. */
  function isElsewhere(path: string): boolean {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (folder === "") return false;
    const before = nested.get(folder);
    if (before !== undefined) return before;
    const is = elsewhere.has(folder) || statOf(join(root, folder, ".git")) !== null || isElsewhere(folder);
    nested.set(folder, is);
    return is;
  }

  return { hash, isElsewhere };
}

/** The entries of git's index and the time it was written; empty when unreadable, so that every file is read. */
function knownToGit(gitFolder: string): {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  readonly writtenMs: number;
} {
  const stat = statOf(join(gitFolder, "index"));
  const read = readFile(gitFolder, "index", INDEX_BYTES_MAX);
  const entries = (read.kind === "bytes" ? parseGitIndex(read.bytes) : null) ?? [];
  const clear = entries.filter(({ isInConflict }) => !isInConflict);
  return { entries: new Map(clear.map((entry) => [entry.path, entry])), writtenMs: stat?.mtimeMs ?? 0 };
}

const SHA1_CHARS = 40;

/** Whether a file's stat matches its index entry and the file is older than the index, so the match can be trusted. */
const isUntouched = (entry: IndexEntry, stat: Stats, writtenMs: number): boolean =>
  entry.size === stat.size % 2 ** 32 &&
  entry.seconds === Math.floor(stat.mtimeMs / 1000) % 2 ** 32 &&
  (entry.nanoseconds === 0 || Math.abs(entry.nanoseconds / 1e6 - (stat.mtimeMs % 1000)) < 0.01) &&
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
