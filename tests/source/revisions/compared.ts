/** What both readers of revisions say of a work tree, and a small repository to change. */
import { expect } from "bun:test";
import type { RevisionReader } from "../../../src/source/revisions/revisions.ts";
import { builtinRevisions } from "../../../src/source/revisions/revisions-builtin.ts";
import { gitRevisions } from "../../../src/source/revisions/revisions-git.ts";
import {
  type DiffOptions,
  type WorkTreeChanges,
  workTreeChanges,
} from "../../../src/source/revisions/work-tree-diff.ts";
import { environment, gitFilesOf } from "../both-readers.ts";
import { commitFiles, type Folder, temporaryRepository } from "../fixture.ts";

export const { signal } = new AbortController();
export const byGit: RevisionReader = gitRevisions(Bun.which("git") ?? "", environment);
export const DIFF: DiffOptions = { diff: "HEAD", since: null };
export const since = (name: string): DiffOptions => ({ diff: null, since: name });

/** What both readers say, having written nothing. */
export async function changes(
  root: string,
  wish: DiffOptions = DIFF,
  present: readonly string[] = [],
): Promise<WorkTreeChanges> {
  const before = gitFilesOf(root);
  const first = await workTreeChanges(byGit, root, wish, present, signal);
  expect(await workTreeChanges(builtinRevisions, root, wish, present, signal)).toEqual(first);
  expect(gitFilesOf(root)).toEqual(before);
  return first;
}

/** The same in short: `kind path added/gone`. */
export async function told(
  root: string,
  wish: DiffOptions = DIFF,
  present: readonly string[] = [],
): Promise<readonly string[]> {
  const found = await changes(root, wish, present);
  if (found.kind !== "changes") return [JSON.stringify(found)];
  return found.files.map(({ kind, path, lines }) => {
    const added = lines?.added.map(({ startLine, endLine }) => `${startLine}-${endLine}`) ?? [];
    return `${kind} ${path}${lines === null ? "" : ` +${added.join(",")} -${lines.goneAfter.join(",")}`}`;
  });
}

export const TEXT = "one\ntwo\nthree\nfour\nfive\n";

/** Five small files in one commit. */
export function repository(): Folder {
  const folder = temporaryRepository();
  commitFiles(folder.path, {
    "a.txt": TEXT,
    "b/c.txt": TEXT,
    "b/gone.txt": TEXT,
    "b/same.txt": TEXT,
    "bin.dat": "\0\x01",
  });
  return folder;
}
