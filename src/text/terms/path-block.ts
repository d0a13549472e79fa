/**
 * The words in the paths of up to `BLOCK_FILES` files, inverted and packed: which files have a word in their path, and how often.
 *
 * A blob is a pure function of the paths and their places in the block. It begins with 32-bit words in little-endian order:
 *
 *     header    format · words · the end
 *     stem      the hash of each word's stem, ascending as signed words
 *     exact     the hash of each word
 *
 * The rest is packed as `varints.ts`. Of each word: the bytes that follow, then of each file with it: places after the file before (from
 * 2 bits up) · whether its own name has the word (1 bit) · whether counts follow (1 bit), without which the path has it once, and so has
 * the name: how often the path has it · how often the name has it.
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
  const all = varintWriter();
  const one = varintWriter();
  for (const word of [FORMAT, found.length, 0]) all.addWord(word);
  for (const [word] of found) all.addWord(word.stem);
  for (const [word] of found) all.addWord(word.exact);
  for (const [, files] of found) {
    one.clear();
    let next = 0;
    for (const { place, path, name } of files) {
      const isPlain = path === 1 && name <= 1;
      one.add(((place - next) << 2) | (Math.min(name, 1) << 1) | (isPlain ? 0 : 1));
      if (!isPlain) {
        one.add(path);
        one.add(name);
      }
      next = place + 1;
    }
    all.add(one.length());
    all.addBytes(one.written(), 0, one.length());
  }
  const bytes = all.written().slice();
  new DataView(bytes.buffer).setUint32(4 * (HEADER_WORDS - 1), bytes.length, true);
  return bytes;
}

/** A word: the index of its stem in a table, the hash of the word, the place of the file, and how often its path and its name have it. */
type Visit = (stem: number, exact: number, place: number, path: number, name: number) => void;

/** Visits each word whose stem is in a table, in each file with it. False if the blob has another format or is truncated. */
export function visitPathWords(blob: Uint8Array, stems: TermTable, visit: Visit): boolean {
  const bytes = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
  const count = words[1] ?? 0;
  const listsAt = 4 * (HEADER_WORDS + 2 * count);
  if (words[0] !== FORMAT || words[2] !== bytes.length || count < 0 || listsAt > bytes.length) return false;
  const reader: VarintReader = { bytes, at: listsAt };
  for (let word = 0; word < count; word += 1) {
    const size = nextVarint(reader);
    const end = reader.at + size;
    if (size < 0 || end > bytes.length) return false;
    const stem = lookUp(stems, words[HEADER_WORDS + word] ?? 0);
    if (stem >= 0)
      visitFiles(reader, end, (place, path, name) =>
        visit(stem, words[HEADER_WORDS + count + word] ?? 0, place, path, name),
      );
    reader.at = end;
  }
  return true;
}

function visitFiles(
  reader: VarintReader,
  end: number,
  visit: (place: number, path: number, name: number) => void,
): void {
  let next = 0;
  while (reader.at < end) {
    const head = nextVarint(reader);
    const place = next + (head >>> 2);
    if (place >= BLOCK_FILES) return;
    const hasCounts = (head & 1) === 1;
    const path = hasCounts ? nextVarint(reader) : 1;
    const name = hasCounts ? nextVarint(reader) : (head >>> 1) & 1;
    visit(place, path, name);
    next = place + 1;
  }
}
