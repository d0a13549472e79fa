/** The files that a run may select, by the given folders, globs and languages, and by refinements. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

/**
 * A candidate equals or is inside one of `only`, and matches one of `include` and one of `languages` (each if given) and
 * none of `exclude`.
 */
type CandidateOptions = {
  readonly only?: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly languages: readonly string[];
};

/** Ids of files that are candidates regardless of the options, and of files that never are. Rejection wins. */
type Decided = { readonly wanted: ReadonlySet<number>; readonly rejected: ReadonlySet<number> };

const NOT_DECIDED: Decided = { wanted: new Set(), rejected: new Set() };

/** Of each list of files, the last candidates: a question asks before and after it knows that the index is current. */
const newest = new WeakMap<readonly FileRow[], { readonly asked: string; readonly candidates: readonly FileRow[] }>();

/** The candidates. The same question has the same list, which is that of all files if every file is one: other modules cache by list. */
export function candidateFiles(
  files: readonly FileRow[],
  options: CandidateOptions,
  { wanted, rejected }: Decided = NOT_DECIDED,
): readonly FileRow[] {
  const { only = [], include, exclude, languages } = options;
  const bounds = [only, include, exclude, languages, [...rejected]];
  if (bounds.every(({ length }) => length === 0)) return files;
  const asked = JSON.stringify([bounds, [...wanted]]);
  const before = newest.get(files);
  if (before?.asked === asked) return before.candidates;
  const isCandidate = candidateTest(options);
  const found = files.filter((file) => !rejected.has(file.id) && (wanted.has(file.id) || isCandidate(file)));
  const candidates = found.length === files.length ? files : found;
  newest.set(files, { asked, candidates });
  return candidates;
}

/** Whether a file may be selected, ignoring refinements. */
export function candidateTest(options: CandidateOptions): (file: Pick<FileRow, "path" | "language">) => boolean {
  const include = options.include.map(globTest);
  const exclude = options.exclude.map(globTest);
  const isWithin = withinTest(options.only);
  return ({ path, language }) =>
    isWithin(path) &&
    (include.length === 0 || include.some((matches) => matches(path))) &&
    !exclude.some((matches) => matches(path)) &&
    (options.languages.length === 0 || options.languages.includes(language));
}

/**
 * Whether a path, or a folder that it is in, matches a glob. As in `.gitignore` and in a task, a glob without a slash matches in every
 * folder; with `!` before it, it matches what it otherwise does not.
 */
function globTest(glob: string): (path: string) => boolean {
  const [, negations = "", pattern = ""] = /^(!*)(.*)$/s.exec(glob) ?? [];
  const trimmed = pattern.replace(/^\.?\//, "").replace(/\/$/, "");
  const placed = trimmed.includes("/") || pattern.startsWith("/") ? trimmed : `**/${trimmed}`;
  const own = new Bun.Glob(placed);
  const below = new Bun.Glob(`${placed}/**`);
  const expected = negations.length % 2 === 0;
  return (path) => (own.match(path) || below.match(path)) === expected;
}

/** Whether a path equals or is inside one of these folders and files. Without any, true for every path. */
export const withinTest =
  (only: readonly string[] = []): ((path: string) => boolean) =>
  (path) =>
    only.length === 0 || only.some((root) => path === root || path.startsWith(`${root}/`));
