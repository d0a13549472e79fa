/**
 * The files that a run may select: those that the globs and languages given leave, and a refinement.
 *
 * Not here: which of them it does select (`scope-stage.ts`).
 */
import type { FileRow } from "../db/curated.ts";

/** A file is a candidate when it matches one of `include` and `languages`, where given, and none of `exclude`. */
export type CandidateOptions = {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly languages: readonly string[];
};

/** Ids of files that are candidates, or none, whatever the options say; rejected ones first of all. */
type Decided = { readonly wanted: ReadonlySet<number>; readonly rejected: ReadonlySet<number> };

const NOT_DECIDED: Decided = { wanted: new Set(), rejected: new Set() };

export function candidateFiles(
  files: readonly FileRow[],
  options: CandidateOptions,
  { wanted, rejected }: Decided = NOT_DECIDED,
): readonly FileRow[] {
  const include = options.include.map((glob) => new Bun.Glob(glob));
  const exclude = options.exclude.map((glob) => new Bun.Glob(glob));
  return files.filter(
    ({ id, path, language }) =>
      !rejected.has(id) &&
      (wanted.has(id) ||
        ((include.length === 0 || include.some((glob) => glob.match(path))) &&
          !exclude.some((glob) => glob.match(path)) &&
          (options.languages.length === 0 || options.languages.includes(language)))),
  );
}
