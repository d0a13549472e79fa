/** Files as columns. There may be a hundred thousand, so the object of a file is made only when it is asked for. */
import { onDemand } from "../../concurrency/on-demand.ts";
import { contentHashes } from "./content-hashes.ts";
import type { IndexableFile } from "./index-run.ts";
import { type PathPositions, pathPositions } from "./path-positions.ts";

/** Files by position. An array is one, too. */
export type FileList = Iterable<IndexableFile> & {
  readonly length: number;
  at(position: number): IndexableFile | undefined;
};

/** A list to add files to, whose columns can be read one by one. */
export type FileColumns = FileList & {
  readonly paths: readonly string[];
  languageAt(position: number): string;
  hashAt(position: number): string;
  /** Where each path is, once all files are added. */
  positions(): PathPositions;
  find(path: string): IndexableFile | undefined;
  add(file: IndexableFile): void;
};

/** An empty list. */
export function fileColumns(): FileColumns {
  const paths: string[] = [];
  /** One string for each, which come with every file anew. */
  const names = new Map<string, string>();
  const languages: string[] = [];
  const hashes = contentHashes();
  const sizes: number[] = [];
  const areTests: boolean[] = [];
  const languageAt = (position: number): string => languages[position] ?? "";
  const at = (position: number): IndexableFile | undefined => {
    const path = paths[position];
    if (path === undefined) return undefined;
    return {
      path,
      language: languageAt(position),
      contentHash: hashes.at(position),
      sizeBytes: sizes[position] ?? 0,
      isTest: areTests[position] ?? false,
    };
  };
  const positions = onDemand(() => pathPositions(paths));
  const find = (path: string): IndexableFile | undefined => at(positions().get(path) ?? paths.length);
  const add = ({ path, language, contentHash, sizeBytes, isTest }: IndexableFile): void => {
    paths.push(path);
    languages.push(names.getOrInsertComputed(language, (name) => name));
    hashes.add(contentHash);
    sizes.push(sizeBytes);
    areTests.push(isTest);
  };
  return Object.assign(
    listOf(() => paths.length, at),
    { paths, languageAt, hashAt: hashes.at, positions, find, add },
  );
}

/** The files at these positions of a list. */
export const filesAt = (files: FileList, positions: readonly number[]): FileList =>
  listOf(
    () => positions.length,
    (index) => {
      const position = positions[index];
      return position === undefined ? undefined : files.at(position);
    },
  );

const listOf = (length: () => number, at: FileList["at"]): FileList => ({
  get length() {
    return length();
  },
  at,
  *[Symbol.iterator]() {
    for (let position = 0; ; position += 1) {
      const file = at(position);
      if (file === undefined) return;
      yield file;
    }
  },
});
