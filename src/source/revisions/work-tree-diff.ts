/**
 * What the work tree changed since a commit, or what commits changed since then: files, their changed lines in the work tree, and the
 * unified diff.
 *
 * Contents are compared as text, ignoring line endings. A renamed file counts as deleted, and as modified under its new path; its patch is
 * at the new path. Nested repositories and symbolic links are not entered.
 */
import { join } from "node:path";
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { Variables } from "../../config/variables.ts";
import { isEmptyTree } from "../../text/diff/empty-tree.ts";
import { type Content, type FilePatch, filePatch, isEmptyPatch } from "../../text/diff/file-patch.ts";
import { diffLines, type LineDiff } from "../../text/diff/line-diff.ts";
import { inOrder } from "../../text/order.ts";
import { resolveGitFolders } from "../git/folders.ts";
import { LINK_MODE } from "../git/objects.ts";
import { gitSettings } from "../git/settings.ts";
import { carriedLines } from "./carried-lines.ts";
import { NO_INDEX, readGitIndex, submoduleHead } from "./git-index.ts";
import { COMPARED_SIDES_MAX, renamedFrom } from "./renames.ts";
import { found, type RevisionReader, type RevisionResult, type StoredContent, type TreeEntry } from "./revisions.ts";
import { contentOf, isSubmodule, openWorkTree, submoduleContent, textIn } from "./work-tree.ts";

/**
 * `lines` is null when the whole file is new as it is now, or when lines are unknown because it is binary, large or missing. `patches` are its part of
 * the diff: two where a file was replaced by a link or submodule, none for the old path of a renamed file. `before` is the file as it was,
 * if lines of it are gone or its path is; that of a renamed file is the old one.
 */
export type FileChange = {
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted";
  readonly lines: LineDiff | null;
  readonly patches: readonly FilePatch[];
  readonly before?: { readonly path: string; readonly text: string };
};

/**
 * `since` compares HEAD with its merge base with this commit, and `main..feature` that commit instead of HEAD; `diff` compares the work tree
 * with this commit. The hash of git's empty tree stands for no commit.
 */
export type DiffOptions = { readonly diff: string | null; readonly since: string | null };

/** `variables` are the caller's, to find the user's settings of git; without them only those of the repository count. */
type DiffRequest = DiffOptions & { readonly variables?: Variables };

/**
 * Changes by path since the commit (or empty tree) `base`, without uncommitted ones if `isCommitted`, up to the commit `tip` if it was named.
 * "unknown": there is no such commit. "unrelated": the commits have no common ancestor.
 */
export type WorkTreeChanges =
  | {
      readonly kind: "changes";
      readonly base: string;
      readonly tip: string | null;
      readonly isCommitted: boolean;
      readonly files: readonly FileChange[];
    }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "unrelated"; readonly name: string }
  | { readonly kind: "problem"; readonly why: string };

/** Lines are compared for this many files; the others are only reported as changed. */
const COMPARED_MAX = 1_000;

/**
 * `present` are paths of work tree files that count even if git does not track them. `root` is a real path. `hide` replaces secrets in a
 * text before it becomes part of a patch.
 */
export async function workTreeChanges(
  reader: RevisionReader,
  root: string,
  { diff, since, variables }: DiffRequest,
  present: readonly string[],
  signal: AbortSignal,
  hide: (text: string) => string = (text) => text,
): Promise<WorkTreeChanges> {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return folders;
  const { name, tip } = since === null ? { name: diff ?? "HEAD", tip: null } : endsOf(since);
  const named = isEmptyTree(name) ? found(name) : await reader.commit(root, name, signal);
  const head = await reader.commit(root, tip ?? "HEAD", signal);
  if (named.kind === "problem") return named;
  if (head.kind === "problem") return head;
  if (named.kind === "unknown") return { kind: "unknown", name };
  if (head.kind === "unknown") return { kind: "unknown", name: tip ?? "HEAD" };
  const isFork = since !== null && !isEmptyTree(name);
  const base = isFork ? await reader.forkPoint(root, named.value, head.value, signal) : named;
  if (base.kind !== "found") return base.kind === "unknown" ? { kind: "unrelated", name } : base;
  const before = isEmptyTree(name) ? found(NO_FILES) : await reader.files(root, base.value, signal);
  const committed = await reader.files(root, head.value, signal);
  if (before.kind !== "found" || committed.kind !== "found") return lost(before, committed);
  const old = before.value;
  const isCommitted = diff === null && since !== null;
  const settings = gitSettings(folders, variables ?? null);
  const hashChars = base.value.length;
  // What commits changed follows from them alone.
  const index = isCommitted
    ? found(NO_INDEX)
    : await readGitIndex({ reader, root, signal }, folders, settings, hashChars);
  if (index.kind !== "found") return lost(index);
  const submodules = new Map<string, string | null>();
  for (const [path, entry] of isCommitted ? [] : [...old, ...committed.value])
    if (isSubmodule(entry) && !submodules.has(path))
      submodules.set(path, await submoduleHead(reader, join(root, path), signal));
  const tree = openWorkTree(root, { folders, settings, index: index.value, submodules, hashChars });
  const paths = [...old.keys(), ...committed.value.keys(), ...(isCommitted ? [] : [...tree.tracked, ...present])];
  const changed: Changed[] = [];
  const turn = turns(signal);
  for (const path of [...new Set(paths)].sort(inOrder)) {
    await turn(tree.readBytes());
    const was = old.get(path) ?? null;
    const is = isCommitted ? (committed.value.get(path) ?? null) : tree.entry(path, was);
    if (isSame(was, is) || (was === null && !isCommitted && tree.isElsewhere(path))) continue;
    if (was !== null && is !== null && kindOf(was) !== kindOf(is))
      changed.push({ path, was, is: null, isReplaced: true }, { path, was: null, is, isReplaced: true });
    else changed.push({ path, was, is });
  }
  const given = { changed, committed: isCommitted ? committed.value : null, tree, hide };
  const files = await compared(reader, root, given, signal);
  if (files.kind === "problem") return files;
  return { kind: "changes", base: base.value, tip: tip === null ? null : head.value, isCommitted, files: files.value };
}

/** The names in `main..feature`, which git also writes with three dots. */
function endsOf(typed: string): { readonly name: string; readonly tip: string | null } {
  const [name = "", tip = "", ...more] = typed.split(/\.{2,3}/);
  return name === "" || tip === "" || more.length > 0 ? { name: typed, tip: null } : { name, tip };
}

/** Paths and bytes between which the process can handle a signal: some hundredths of a second. */
const PATHS_PER_TURN = 1_000;
const BYTES_PER_TURN = 16 * 1024 * 1024;

/** Call it for each path, with all bytes read so far. */
function turns(signal: AbortSignal): (bytes: number) => Promise<void> {
  let [paths, heard] = [0, 0];
  return async (bytes) => {
    if (++paths % PATHS_PER_TURN !== 0 && bytes < heard + BYTES_PER_TURN) return;
    heard = bytes;
    await checkSignal(signal);
  };
}

/** Throws the signal's reason, also of one that fires now. */
async function checkSignal(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

/** A path whose kind changed is there twice: as deleted and as added. */
type Changed = {
  readonly path: string;
  readonly was: TreeEntry | null;
  readonly is: TreeEntry | null;
  readonly isReplaced?: true;
};

const isSame = (was: TreeEntry | null, is: TreeEntry | null): boolean =>
  was?.hash === is?.hash && was?.mode === is?.mode;

const kindOf = (entry: TreeEntry): string => (isSubmodule(entry) || entry.mode === LINK_MODE ? entry.mode : "file");

const lost = (...all: readonly RevisionResult<unknown>[]): { readonly kind: "problem"; readonly why: string } => {
  const problem = all.find((one) => one.kind === "problem");
  return problem ?? { kind: "problem", why: "a commit's files cannot be read" };
};

type Compared =
  | { readonly kind: "found"; readonly value: readonly FileChange[] }
  | { readonly kind: "problem"; readonly why: string };

/** `committed` is HEAD, or the commit that was named, when uncommitted changes do not count. */
type Comparison = {
  readonly changed: readonly Changed[];
  readonly committed: ReadonlyMap<string, TreeEntry> | null;
  readonly tree: ReturnType<typeof openWorkTree>;
  readonly hide: (text: string) => string;
};

/** Compares lines. */
async function compared(
  reader: RevisionReader,
  root: string,
  { changed, committed, tree, hide }: Comparison,
  signal: AbortSignal,
): Promise<Compared> {
  const few = changed.slice(0, COMPARED_MAX);
  const moving = changed.filter(({ isReplaced }) => isReplaced !== true);
  const fresh = moving.flatMap(({ path, was, is }) => (was === null && is !== null ? [{ path, ...is }] : []));
  const gone = moving.flatMap(({ path, was, is }) => (was !== null && is === null ? [{ path, ...was }] : []));
  const isFew = Math.max(fresh.length, gone.length) <= COMPARED_SIDES_MAX && fresh.length > 0;
  const entries = [
    ...few.flatMap(({ was, is }) => [was, committed === null ? null : is]),
    ...(isFew ? gone : []),
    ...(isFew && committed !== null ? fresh : []),
  ];
  const hashes = entries.flatMap((entry) => (entry === null || isSubmodule(entry) ? [] : [entry.hash]));
  const contents = hashes.length === 0 ? found(NO_CONTENTS) : await reader.contents(root, [...new Set(hashes)], signal);
  if (contents.kind !== "found") return lost(contents);
  const stored = (entry: TreeEntry): Content =>
    isSubmodule(entry) ? submoduleContent(entry.hash) : contentOf(contents.value.get(entry.hash));
  const present = (path: string, entry: TreeEntry): Content =>
    committed === null ? tree.content(path, entry) : stored(entry);
  const renamed = renamedFrom(
    gone.map((one) => ({ ...one, text: textIn(stored(one)) })),
    fresh.map((one) => ({ ...one, text: isFew ? textIn(present(one.path, one)) : null })),
  );
  const moved = new Set([...renamed.values()].map(({ path }) => path));
  const isCompared = new Set(few);
  const patchOf = (change: Changed, from: (TreeEntry & { readonly path: string }) | null): FilePatch => {
    const content = (read: () => Content): Content =>
      isCompared.has(change) || from !== null ? read() : { unread: "too large" };
    const { path, is } = change;
    const before = from === null ? null : { ...from, content: content(() => stored(from)) };
    const patch = filePatch(
      before,
      is === null ? null : { path, ...is, content: content(() => present(path, is)) },
      hide,
    );
    return tree.convertsLineEnds && committed === null ? { ...patch, lineEnds: null } : patch;
  };
  const changesOf = (change: Changed): readonly FileChange[] => {
    const { path, was: tracked, is } = change;
    const source = renamed.get(path) ?? null;
    if (is === null) {
      const isMoved = moved.has(path) && source === null;
      const patches = isMoved ? [] : [patchOf(change, tracked === null ? null : { path, ...tracked })];
      return [{ path, kind: "deleted", lines: null, patches, ...earlier(path, tracked && stored(tracked)) }];
    }
    const was = tracked ?? source;
    if (was === null) {
      const lines = committed === null ? null : linesOfNew(textIn(stored(is)), textIn(tree.content(path, is)));
      return [{ path, kind: "added", lines, patches: [patchOf(change, null)] }];
    }
    const patches = [patchOf(change, { path: source?.path ?? path, mode: was.mode, hash: was.hash })];
    if (tracked !== null && patches.every(isEmptyPatch)) return [];
    if (!isCompared.has(change) && source === null) return [{ path, kind: "modified", lines: null, patches }];
    const [before, after] = [textIn(stored(was)), textIn(tree.content(path, is))];
    if (before === null || after === null) return [{ path, kind: "modified", lines: null, patches }];
    const then = committed === null ? null : textIn(stored(is));
    const lines = then === null ? diffLines(before, after) : carriedLines(before, then, after);
    const isLess = source !== null || patches.some(deletesLines);
    return [{ path, kind: "modified", lines, patches, ...(isLess ? earlier(source?.path ?? path, stored(was)) : {}) }];
  };
  const files: FileChange[] = [];
  for (const change of changed) {
    // Files above this number are only reported.
    if (isCompared.has(change)) await checkSignal(signal);
    files.push(...changesOf(change));
  }
  return found(withoutRepeats(files));
}

/** The lines that are left of a new file; null while it is as it was. */
const linesOfNew = (then: string | null, now: string | null): LineDiff | null =>
  then === null || now === null || then === now ? null : carriedLines("", then, now);

const deletesLines = ({ hunks }: FilePatch): boolean =>
  hunks.some(({ lines }) => lines.some((line) => line[0] === "-"));

function earlier(path: string, content: Content | null): Pick<FileChange, "before"> {
  const text = content === null ? null : textIn(content);
  return text === null ? {} : { before: { path, text } };
}

const NO_FILES: ReadonlyMap<string, TreeEntry> = new Map();
const NO_CONTENTS: ReadonlyMap<string, StoredContent> = new Map();

/** A path that is there twice becomes one change with both patches: as added if it is a file now, else as deleted. */
function withoutRepeats(files: readonly FileChange[]): readonly FileChange[] {
  return [...Map.groupBy(files, ({ path }) => path).values()].flatMap((own) => {
    const file = own.find(({ patches }) => patches.some(({ after }) => after?.mode.startsWith("100")));
    const one = file ?? own[0];
    return one === undefined ? [] : [{ ...one, patches: own.flatMap(({ patches }) => patches) }];
  });
}
