/**
 * The files that a run may select: those that the folders, globs and languages given leave, and a refinement.
 *
 * Not here: which of them it does select (`scope-stage.ts`).
 */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

/**
 * A file is a candidate when it is or lies in one of `only`, matches one of `include` and `languages`, each where given,
 * and none of `exclude`.
 */
export type CandidateOptions = {
  readonly only?: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly languages: readonly string[];
};

/** Ids of files that are candidates, or none, whatever the options say; rejected ones first of all. */
type Decided = { readonly wanted: ReadonlySet<number>; readonly rejected: ReadonlySet<number> };

const NOT_DECIDED: Decided = { wanted: new Set(), rejected: new Set() };

/** The candidates, which are the list itself when every file of it is one: what is known of it is not found out again. */
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

/** Whether a path is one of these folders and files, or lies in one; every path is where there are none. */
export const withinTest =
  (only: readonly string[] = []): ((path: string) => boolean) =>
  (path) =>
    only.length === 0 || only.some((position) => path === position || path.startsWith(`${position}/`));
