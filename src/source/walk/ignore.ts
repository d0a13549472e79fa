/**
 * Which ignore file decides about a path: `.craignore` files first, then `.gitignore` files, each from
 * the path's own folder up to the root of its repository, then `.git/info/exclude`, then the user's own file. The
 * first with a verdict wins.
 *
 * A verdict on a folder covers what is in it; the walker applies that by not entering.
 */
import type { Excludes } from "./excludes.ts";
import { type IgnoreFile, parseIgnoreFile, type Verdict } from "./gitignore.ts";

/** The ignore files in force in one folder; `enter` makes those of a folder below. */
export type IgnoreRules = {
  /** `by` names the kind of file that decided: what git tracks beats `git`, nothing beats `cra`. */
  decide(path: string, isFolder: boolean): { readonly verdict: Verdict; readonly by: "cra" | "git" | null };
  /** `folder` is relative to the root; `git` and `cra` are the contents of its ignore files, null where there is none. */
  enter(folder: string, files: { readonly git: Uint8Array | null; readonly cra: Uint8Array | null }): IgnoreRules;
  /** Those of another repository at `folder`: of the rules so far only those of cra hold in it. */
  nest(folder: string, excludes: Excludes): IgnoreRules;
};

type Level = { readonly prefixLength: number; readonly file: IgnoreFile };

/** The rules outside any folder. */
export const ignoreRules = (excludes: Excludes): IgnoreRules => rulesOf([], levelsOf("", excludes), excludes.foldsCase);

const prefixOf = (folder: string): number => (folder === "" ? 0 : folder.length + 1);

function levelsOf(folder: string, { repository, user, foldsCase }: Excludes): readonly Level[] {
  const files = [repository, user].filter((bytes) => bytes !== null);
  return files.map((bytes) => ({ prefixLength: prefixOf(folder), file: parseIgnoreFile(bytes, foldsCase) }));
}

/** Deepest level first, in both lists. */
function rulesOf(cra: readonly Level[], git: readonly Level[], foldsCase: boolean): IgnoreRules {
  return {
    decide(path, isFolder) {
      const byCra = firstVerdict(cra, path, isFolder);
      if (byCra !== null) return { verdict: byCra, by: "cra" };
      const byGit = firstVerdict(git, path, isFolder);
      return { verdict: byGit, by: byGit === null ? null : "git" };
    },
    enter(folder, files) {
      const level = (bytes: Uint8Array | null): readonly Level[] =>
        bytes === null ? [] : [{ prefixLength: prefixOf(folder), file: parseIgnoreFile(bytes, foldsCase) }];
      return rulesOf([...level(files.cra), ...cra], [...level(files.git), ...git], foldsCase);
    },
    nest: (folder, excludes) => rulesOf(cra, levelsOf(folder, excludes), excludes.foldsCase),
  };
}

function firstVerdict(levels: readonly Level[], path: string, isFolder: boolean): Verdict {
  for (const { prefixLength, file } of levels) {
    const verdict = file.verdict(path.slice(prefixLength), isFolder);
    if (verdict !== null) return verdict;
  }
  return null;
}
