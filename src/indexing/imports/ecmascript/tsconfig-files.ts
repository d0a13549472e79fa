/**
 * Decides which files belong to a tsconfig.json: its `files`, `include` and `exclude`.
 *
 * As in TypeScript, a project without `files` and `include` has every file of its folder, a pattern without wildcards is a
 * file or a folder, and `exclude` applies to `include` only. Extensions are ignored. Patterns are repository paths.
 */
import { nameOf } from "../repo-path.ts";

/** Longer patterns match nothing. */
const PATTERN_LENGTH_MAX = 500;

/** From a configuration or one that it extends; null where neither has the list. */
export type FileLists = {
  readonly files: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[] | null;
};

export const NO_LISTS: FileLists = { files: null, include: null, exclude: null };

/** Tests whether a file belongs to the project. `folder` holds its configuration. */
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
  // Braces and brackets are plain characters. A last part without dots and wildcards is a folder.
  const literal = pattern.replace(/[{}[\]!\\]/g, "\\$&");
  const glob = new Bun.Glob(literal);
  const below = /[.*?]/.test(nameOf(pattern)) ? null : new Bun.Glob(`${literal}/**`);
  return (path) => glob.match(path) || (below?.match(path) ?? false);
}
