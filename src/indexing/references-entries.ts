/**
 * The names that one file defines, for look-ups by what they stand in.
 *
 * Lists of numbers, laid out on the first look-up: maps of maps weigh as much as the facts themselves.
 * Members that stand outside of their types are found through those (`references-classes.ts`), and where `extensions`
 * says so also by their own names, with a dot before.
 */
import type { FileFacts } from "../syntax/facts.ts";
import { isOutside } from "./references-owners.ts";

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
    const { order, holders, names } = table;
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = order[middle] ?? 0;
      const other = holders[at] ?? TOP;
      if (other < holder || (other === holder && (names[at] ?? 0) < id)) low = middle + 1;
      else high = middle;
    }
    let end = low;
    for (let at = order[end]; at !== undefined && holders[at] === holder && names[at] === id; at = order[end]) end += 1;
    return end === low ? NONE : Array.from(order.subarray(low, end));
  };
}

/** What each symbol stands in, and its name, as numbers; and the symbols in order of both. */
type Table = { readonly order: Uint32Array; readonly holders: Int32Array; readonly names: Int32Array };

function layOut(facts: FileFacts, extensions: boolean, ids: NameIds): Table {
  const { symbols } = facts;
  const holders = new Int32Array(symbols.length);
  const names = new Int32Array(symbols.length);
  const listed: number[] = [];
  symbols.forEach((symbol, index) => {
    const { name, parent } = symbol;
    const isMember = isOutside(facts, symbol);
    holders[index] = isMember ? EXTENSION : (parent ?? TOP);
    names[index] = idOf(name, ids);
    if (!isMember || (extensions && parent === null)) listed.push(index);
  });
  const compared = (a: number, b: number): number =>
    (holders[a] ?? 0) - (holders[b] ?? 0) || (names[a] ?? 0) - (names[b] ?? 0) || a - b;
  return { order: Uint32Array.from(listed.sort(compared)), holders, names };
}

/** The number of a name, a new one when it has none. */
export function idOf(name: string, ids: NameIds): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  ids.set(name, ids.size);
  return ids.size - 1;
}
