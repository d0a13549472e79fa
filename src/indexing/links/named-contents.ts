/** The names that contents define, from when they were parsed until links are resolved, in one list of numbers. */
import { longer } from "../../text/terms/columns.ts";
import { contentHashes, shortHash } from "../model/content-hashes.ts";

/** What `packNames` found in a content. */
export type NamedContent = {
  readonly contentHash: string;
  readonly language: string;
  readonly names: Uint32Array;
};

type NamedContents = {
  add(content: NamedContent): void;
  /** The names of a content; null if nobody added them. */
  find(content: { readonly hash: string; readonly language: string }): Uint32Array | null;
};

const ROOM_FIRST = 1 << 12;

export function namedContents(): NamedContents {
  const hashes = contentHashes();
  /** Where the names of each content end, and begin after those of the one before. */
  const ends: number[] = [];
  /** By language and short hash. */
  const positions = new Map<string, Map<number, number>>();
  let numbers = new Int32Array(ROOM_FIRST);
  let count = 0;
  return {
    add({ contentHash, language, names }) {
      if (count + names.length > numbers.length)
        numbers = longer(numbers, Math.max(2 * numbers.length, count + names.length));
      numbers.set(names, count);
      count += names.length;
      const position = hashes.add(contentHash);
      positions.getOrInsertComputed(language, () => new Map<number, number>()).set(shortHash(contentHash), position);
      ends.push(count);
    },
    find({ hash, language }) {
      const position = positions.get(language)?.get(shortHash(hash));
      if (position === undefined || hashes.at(position) !== hash) return null;
      return new Uint32Array(numbers.buffer).subarray(ends[position - 1] ?? 0, ends[position]);
    },
  };
}
