/**
 * The names that one file defines, for look-ups by what they stand in.
 *
 * Lists of numbers, laid out on the first look-up: maps of maps weigh as much as the facts themselves.
 * Members that stand outside of their types are found through those (`classes.ts`), and where `extensions`
 * says so also by their own names, with a dot before.
 */
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { isOutside } from "./member-owners.ts";

/** What stands directly in a symbol (in nothing, for null) under a name: indices of symbols, in order. */
export type Entries = (parent: number | null, name: string) => readonly number[];

const NONE: readonly number[] = [];

/** Not in a symbol, and outside of a type that is to be told by the name. */
const TOP = -1;
const EXTENSION = -2;

/** What a function that extends a type is found by, apart from the type. No name of a repository begins with a dot. */
export const extensionName = (name: string): string => `.${name}`;

/** Numbers for names, the same in all files of a repository. */
export type NameIds = Map<string, number>;

export function entriesOf(facts: FileFacts, extensions: boolean, ids: NameIds): Entries {
  let table: Table | null = null;
  return (parent, written) => {
    table ??= layOut(facts, extensions, ids);
    const isExtension = written.startsWith(".");
    const holder = isExtension ? EXTENSION : (parent ?? TOP);
    const id = ids.get(isExtension ? written.slice(1) : written);
    if (id === undefined) return NONE;
    const count = table.length / WIDTH;
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = table[middle * WIDTH] ?? TOP;
      if (other < holder || (other === holder && (table[middle * WIDTH + 1] ?? 0) < id)) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low * WIDTH; table[at] === holder && table[at + 1] === id; at += WIDTH)
      found.push(table[at + 2] ?? 0);
    return found.length === 0 ? NONE : found;
  };
}

/** Three numbers for each symbol, one symbol after another in their order: what it stands in, its name, its index. */
type Table = Int32Array;
const WIDTH = 3;

function layOut(facts: FileFacts, extensions: boolean, ids: NameIds): Table {
  const rows: (readonly [holder: number, name: number, index: number])[] = [];
  facts.symbols.forEach((symbol, index) => {
    const { name, parent } = symbol;
    const isMember = isOutside(facts, symbol);
    const id = idOf(name, ids);
    if (!isMember || (extensions && parent === null)) rows.push([isMember ? EXTENSION : (parent ?? TOP), id, index]);
  });
  return Int32Array.from(rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).flat());
}

/** The number of a name, a new one when it has none. */
export function idOf(name: string, ids: NameIds): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  ids.set(name, ids.size);
  return ids.size - 1;
}
