/**
 * Combines ignore files: `.craignore` files first, then `.gitignore` files, each from the path's folder up to the repository root, then
 * `.git/info/exclude`, then the user's file. The first verdict wins.
 *
 * A verdict on a folder covers its contents; the walker applies that by not entering it.
 */
import { within } from "../../text/repo-path.ts";
import { readFile } from "../files/read-file.ts";
import type { Excludes } from "./excludes.ts";
import { type IgnoreFile, parseIgnoreFile, type Verdict } from "./gitignore.ts";
import type { MatchBudget } from "./match-budget.ts";

/** The ignore rules of one folder; `enter` gives those of a folder below. */
export type IgnoreRules = {
  /** `by` names the kind of the deciding file. A tracked file overrides "git"; nothing overrides "cra". */
  decide(path: string, isFolder: boolean): { readonly verdict: Verdict; readonly by: "cra" | "git" | null };
  /** `folder` is relative to the root; `git` and `cra` are the contents of its ignore files, null for missing ones. */
  enter(folder: string, files: { readonly git: Uint8Array | null; readonly cra: Uint8Array | null }): IgnoreRules;
  /** The rules of a nested repository at `folder`, where only cra's outer rules apply. */
  nest(folder: string, excludes: Excludes): IgnoreRules;
};

type Level = { readonly prefixLength: number; readonly file: IgnoreFile };

/** The rules above the root folder. `patterns` are configured and act as a `.craignore` above the root's. */
export function ignoreRules(excludes: Excludes, patterns: readonly string[], budget: MatchBudget): IgnoreRules {
  const configured = patterns.length === 0 ? null : new TextEncoder().encode(patterns.join("\n"));
  const cra = levelOf("", configured, "index.ignore", excludes.foldsCase, budget);
  return rulesOf(cra, levelsOf("", excludes, budget), excludes.foldsCase, budget);
}

const prefixOf = (folder: string): number => (folder === "" ? 0 : folder.length + 1);

function levelOf(
  folder: string,
  bytes: Uint8Array | null,
  name: string,
  foldsCase: boolean,
  budget: MatchBudget,
): readonly Level[] {
  const file = bytes === null ? null : parseIgnoreFile(bytes, name, foldsCase, budget);
  return file === null || file.isEmpty ? [] : [{ prefixLength: prefixOf(folder), file }];
}

function levelsOf(folder: string, { repository, user, foldsCase }: Excludes, budget: MatchBudget): readonly Level[] {
  const files = [
    { bytes: repository, name: ".git/info/exclude" },
    { bytes: user, name: "core.excludesFile" },
  ];
  return files.flatMap(({ bytes, name }) => levelOf(folder, bytes, name, foldsCase, budget));
}

/** Both lists start with the deepest level. */
function rulesOf(cra: readonly Level[], git: readonly Level[], foldsCase: boolean, budget: MatchBudget): IgnoreRules {
  return {
    decide(path, isFolder) {
      budget.addPath();
      const byCra = firstVerdict(cra, path, isFolder);
      if (byCra !== null) return { verdict: byCra, by: "cra" };
      const byGit = firstVerdict(git, path, isFolder);
      return { verdict: byGit, by: byGit === null ? null : "git" };
    },
    enter(folder, files) {
      const level = (bytes: Uint8Array | null, name: string): readonly Level[] =>
        levelOf(folder, bytes, within(folder, name), foldsCase, budget);
      const [ownCra, ownGit] = [level(files.cra, ".craignore"), level(files.git, ".gitignore")];
      return rulesOf([...ownCra, ...cra], [...ownGit, ...git], foldsCase, budget);
    },
    nest: (folder, excludes) => rulesOf(cra, levelsOf(folder, excludes, budget), excludes.foldsCase, budget),
  };
}

function firstVerdict(levels: readonly Level[], path: string, isFolder: boolean): Verdict {
  for (const { prefixLength, file } of levels) {
    const verdict = file.verdict(path.slice(prefixLength), isFolder);
    if (verdict !== null) return verdict;
  }
  return null;
}

/** Larger ignore files are not read; git's own limit is 100 MiB. */
const IGNORE_FILE_BYTES_MAX = 1024 * 1024;

/** The rules inside a folder: `rules`, those above it, and the folder's own ignore files. `names` are its entries. */
export function rulesInside(
  root: string,
  folder: string,
  names: readonly string[],
  rules: IgnoreRules,
  budget: MatchBudget,
): IgnoreRules {
  const contentOf = (name: string): Uint8Array | null => {
    if (!names.includes(name)) return null;
    const path = within(folder, name);
    const read = readFile(root, path, IGNORE_FILE_BYTES_MAX);
    return read.kind === "bytes" && budget.takeFile(read.bytes.length, path) ? read.bytes : null;
  };
  const [git, cra] = [contentOf(".gitignore"), contentOf(".craignore")];
  return git === null && cra === null ? rules : rules.enter(folder, { git, cra });
}
