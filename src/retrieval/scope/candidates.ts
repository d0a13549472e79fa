/** The files that a run may select: those that the given folders, globs and languages leave, and a refinement allows. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

/**
 * A file is a candidate when it is or lies in one of `only`, matches one of `include` and `languages`, each where given,
 * and none of `exclude`.
 */
type CandidateOptions = {
  readonly only?: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly languages: readonly string[];
};

/** Ids of files that are candidates whatever the options say, and of files that never are. Rejection wins. */
type Decided = { readonly wanted: ReadonlySet<number>; readonly rejected: ReadonlySet<number> };

const NOT_DECIDED: Decided = { wanted: new Set(), rejected: new Set() };

/** The candidates. When every file is one, this is the same list, so that what is cached for it is found again. */
export function candidateFiles(
  files: readonly FileRow[],
  options: CandidateOptions,
  { wanted, rejected }: Decided = NOT_DECIDED,
): readonly FileRow[] {
  const isCandidate = candidateTest(options);
  const candidates = files.filter((file) => !rejected.has(file.id) && (wanted.has(file.id) || isCandidate(file)));
  return candidates.length === files.length ? files : candidates;
}

/** Whether a file may be selected, refinements aside. */
export function candidateTest(options: CandidateOptions): (file: Pick<FileRow, "path" | "language">) => boolean {
  const include = options.include.map((glob) => new Bun.Glob(glob));
  const exclude = options.exclude.map((glob) => new Bun.Glob(glob));
  const isWithin = withinTest(options.only);
  return ({ path, language }) =>
    isWithin(path) &&
    (include.length === 0 || include.some((glob) => glob.match(path))) &&
    !exclude.some((glob) => glob.match(path)) &&
    (options.languages.length === 0 || options.languages.includes(language));
}

/** Whether a path is one of these folders and files, or lies in one. True for every path when there are none. */
export const withinTest =
  (only: readonly string[] = []): ((path: string) => boolean) =>
  (path) =>
    only.length === 0 || only.some((root) => path === root || path.startsWith(`${root}/`));
