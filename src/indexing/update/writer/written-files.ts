/** The files that a generation has written so far, as columns: a first one writes all files of a repository. */
import type { ReplacedFile } from "../../../db/curated/write/write-files.ts";
import { contentHashes } from "../../model/content-hashes.ts";

/** A written file: its row id and content. */
export type Written = {
  readonly id: number;
  readonly path: string;
  readonly contentHash: string;
  readonly language: string;
  /** Its interface is that of the stored generation. */
  readonly looksSame: boolean;
  /** What the stored generation has in its place. */
  readonly before: ReplacedFile | null;
};

export type WrittenFiles = {
  get(path: string): Written | null;
  /** Adds a file, or says what it holds now. */
  set(file: Written): void;
  delete(path: string): void;
  clear(): void;
  /** Marks a written file as one of the generation that is due. */
  setDue(path: string): void;
  all(): Iterable<Written>;
  notDue(): Iterable<Written>;
};

export function writtenFiles(): WrittenFiles {
  const positions = new Map<string, number>();
  let columns = noFiles();
  const at = (path: string, position: number): Written => ({
    id: columns.ids[position] ?? 0,
    path,
    contentHash: columns.hashes.at(position),
    language: columns.languages[position] ?? "",
    looksSame: columns.looksSame[position] ?? false,
    before: columns.before.get(position) ?? null,
  });
  const those = function* (isWanted: (position: number) => boolean): Generator<Written> {
    for (const [path, position] of positions) if (isWanted(position)) yield at(path, position);
  };
  return {
    get(path) {
      const position = positions.get(path);
      return position === undefined ? null : at(path, position);
    },
    set({ id, path, contentHash, language, looksSame, before }) {
      const known = positions.get(path);
      const position = columns.hashes.add(contentHash);
      positions.set(path, position);
      columns.ids[position] = id;
      columns.languages[position] = columns.names.getOrInsertComputed(language, (name) => name);
      columns.looksSame[position] = looksSame;
      columns.areDue[position] = known !== undefined && columns.areDue[known] === true;
      if (before !== null) columns.before.set(position, before);
    },
    delete: (path) => void positions.delete(path),
    clear() {
      positions.clear();
      columns = noFiles();
    },
    setDue(path) {
      const position = positions.get(path);
      if (position !== undefined) columns.areDue[position] = true;
    },
    all: () => those(() => true),
    notDue: () => those((position) => columns.areDue[position] === false),
  };
}

/** By position. A file that is written again gets a new one. */
const noFiles = () => ({
  hashes: contentHashes(),
  ids: [] as number[],
  /** One string for each name of a language, which come with every file anew. */
  names: new Map<string, string>(),
  languages: [] as string[],
  looksSame: [] as boolean[],
  areDue: [] as boolean[],
  before: new Map<number, ReplacedFile>(),
});
