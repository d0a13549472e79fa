/**
 * The words in the paths of up to `BLOCK_FILES` files, inverted and packed: which files have a word in their path, and how often.
 *
 * A blob is a pure function of the paths and their places in the block. It begins with 32-bit words in little-endian order:
 *
 *     header    format · words · the end
 *     stem      the hash of each word's stem, ascending as signed words
 *     exact     the hash of each word
 *     list      the byte where the list of each word begins, and the end
 *
 * The lists are packed as `varints.ts`. Of each file with the word: places after the file before (from 2 bits up) · whether its own name has
 * the word (1 bit) · whether counts follow (1 bit): how often the path has it · how often the name has it. Without, each that has it has
 * it once.
 */

import { expandIdentifier, identifiersIn } from "./identifiers.ts";
import { ownName } from "./path-names.ts";
import { BLOCK_FILES } from "./stats-block.ts";
import { stem } from "./stem.ts";
import { termHash } from "./term-hashes.ts";
import { lookUp, type TermTable } from "./term-stats.ts";
import { nextVarint, type VarintReader, varintWriter } from "./varints.ts";

const FORMAT = 0x63727001;
const HEADER_WORDS = 3;

type Word = { readonly text: string; readonly stem: number; readonly exact: number };
/** How often a word is in the path at a place, and in its file's own name. */
type Held = { readonly place: number; path: number; name: number };

/** Encodes one block after another, from paths in order of their places; null for none. Remembers the words of identifiers. */
export function pathBlockEncoder(): (paths: readonly (readonly [place: number, path: string])[]) => Uint8Array | null {
  const words = new Map<string, Word>();
  const ofIdentifier = new Map<string, readonly Word[]>();
  const wordOf = (text: string): Word => ({ text, stem: termHash(stem(text)) | 0, exact: termHash(text) | 0 });
  const split = (identifier: string): readonly Word[] =>
    expandIdentifier(identifier).map((text) => words.getOrInsertComputed(text, wordOf));
  const wordsIn = (text: string): readonly Word[] =>
    identifiersIn(text).flatMap((identifier) => ofIdentifier.getOrInsertComputed(identifier, split));
  return (paths) => {
    if (paths.length === 0) return null;
    const found = new Map<Word, Held[]>();
    const heldBy = (word: Word, place: number): Held => {
      const files = found.getOrInsertComputed(word, () => []);
      const last = files.at(-1);
      if (last?.place === place) return last;
      const held = { place, path: 0, name: 0 };
      files.push(held);
      return held;
    };
    let [folders, above]: [string, readonly Word[]] = ["", []];
    for (const [place, path] of paths) {
      const slash = path.lastIndexOf("/");
      if (folders.length !== slash + 1 || !path.startsWith(folders)) {
        folders = path.slice(0, slash + 1);
        above = wordsIn(folders);
      }
      for (const word of above) heldBy(word, place).path += 1;
      for (const word of wordsIn(path.slice(slash + 1))) heldBy(word, place).path += 1;
      for (const word of wordsIn(ownName(path, slash))) heldBy(word, place).name += 1;
    }
    return packed([...found].sort(([a], [b]) => a.stem - b.stem || a.exact - b.exact || (a.text < b.text ? -1 : 1)));
  };
}

function packed(found: readonly (readonly [Word, readonly Held[]])[]): Uint8Array {
  const lists = varintWriter();
  const ends = found.map(([, files]) => {
    let next = 0;
    for (const { place, path, name } of files) {
      const isPlain = path === 1 && name <= 1;
      lists.add(((place - next) << 2) | (Math.min(name, 1) << 1) | (isPlain ? 0 : 1));
      if (!isPlain) {
        lists.add(path);
        lists.add(name);
      }
      next = place + 1;
    }
    return lists.length();
  });
  const listsAt = 4 * (HEADER_WORDS + 3 * found.length + 1);
  const all = varintWriter();
  for (const word of [FORMAT, found.length, listsAt + lists.length()]) all.addWord(word);
  for (const [word] of found) all.addWord(word.stem);
  for (const [word] of found) all.addWord(word.exact);
  for (const end of [0, ...ends]) all.addWord(listsAt + end);
  all.addBytes(lists.written(), 0, lists.length());
  return all.written().slice();
}

/** A word: the index of its stem in a table, the hash of the word, the place of the file, and how often its path and its name have it. */
type Visit = (stem: number, exact: number, place: number, path: number, name: number) => void;

/**
 * Visits each word whose stem is in a table, in each file with it. False if the blob has another format, is truncated, or has lists that
 * overlap, go beyond it or name impossible places or counts: overlapping lists of a planted one would take forever to read.
 */
export function visitPathWords(blob: Uint8Array, stems: TermTable, visit: Visit): boolean {
  const bytes = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
  const count = words[1] ?? 0;
  const exactAt = HEADER_WORDS + count;
  const listAt = exactAt + count;
  const isWhole = words[0] === FORMAT && words[2] === bytes.length && count >= 0 && 4 * (listAt + count) < bytes.length;
  if (!isWhole) return false;
  const reader: VarintReader = { bytes, at: 4 * (listAt + count + 1) };
  for (let word = 0; word < count; word += 1) {
    const stem = lookUp(stems, words[HEADER_WORDS + word] ?? 0);
    if (stem < 0) continue;
    const exact = words[exactAt + word] ?? 0;
    const begin = words[listAt + word] ?? 0;
    const end = words[listAt + word + 1] ?? 0;
    if (begin < reader.at || end < begin || end > bytes.length) return false;
    reader.at = begin;
    for (let next = 0; reader.at < end; next += 1) {
      const head = nextVarint(reader);
      const hasCounts = (head & 1) === 1;
      const path = hasCounts ? nextVarint(reader) : 1;
      const name = hasCounts ? nextVarint(reader) : (head >>> 1) & 1;
      next += head >>> 2;
      if (next >= BLOCK_FILES || path < 0 || name < 0) return false;
      visit(stem, exact, next, path, name);
    }
  }
  return true;
}
