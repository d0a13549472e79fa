/**
 * Which files a tsconfig.json speaks of: its `files`, `include` and `exclude`.
 *
 * As in TypeScript: without `files` and `include` all that lies in its folder, a pattern without stars is a file or
 * a folder, `exclude` takes out of `include` only. Patterns are repository paths; those that lead elsewhere match
 * nothing. Not here: endings (every file of the family may be one of the project's).
 */
import { nameOf } from "../repo-path.ts";

/** Longer patterns match nothing. */
const PATTERN_LENGTH_MAX = 500;

/** As written in a configuration or one that it extends; null where nothing is. */
export type FileLists = {
  readonly files: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
};

export const NO_LISTS: FileLists = { files: null, include: null, exclude: null };

/** Is a file one of the project? `folder` is where its configuration stands. */
export function filesTest({ files, include, exclude }: FileLists, folder: string): (path: string) => boolean {
  const listed = new Set(files ?? []);
  const taken = (include ?? (files === null ? [folder] : [])).map(patternTest);
  const left = (exclude ?? []).map(patternTest);
  return (path) => listed.has(path) || (taken.some((test) => test(path)) && !left.some((test) => test(path)));
}

function patternTest(pattern: string): (path: string) => boolean {
  const start = pattern === "" ? "" : `${pattern}/`;
  if (!/[*?]/.test(pattern)) return (path) => path === pattern || path.startsWith(start);
  if (pattern.length > PATTERN_LENGTH_MAX) return () => false;
  // Braces and brackets are letters. A last part without dots and stars names a folder.
  const literal = pattern.replace(/[{}[\]!\\]/g, "\\$&");
  const glob = new Bun.Glob(literal);
  const below = /[.*?]/.test(nameOf(pattern)) ? null : new Bun.Glob(`${literal}/**`);
  return (path) => glob.match(path) || (below?.match(path) ?? false);
}
