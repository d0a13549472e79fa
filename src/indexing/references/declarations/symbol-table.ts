/**
 * The symbol table of one file: names by the symbol that contains them.
 *
 * Built as lists of numbers on the first lookup, because nested maps would need as much memory as the facts. External members are found through
 * their types (`classes.ts`), and extensions also by their own names with a leading dot.
 */
import { isTest } from "../../../languages/cpp/tests.ts";
import type { NameRules } from "../../../languages/name-rules.ts";
import type { OutlinedFacts } from "../../../syntax/facts/facts.ts";
import { isExternalMember } from "../../../syntax/facts/member-owner.ts";

/** Indices of the symbols with this name directly inside `parent` (top level for null), in order: the last `SAME_MAX`. */
export type SymbolTable = (parent: number | null, name: string) => readonly number[];

const NONE: readonly number[] = [];

/** Only generated text has more of one name, and every reference to it would look at all of them. */
const SAME_MAX = 200;

const TOP = -1;
const EXTENSION = -2;

/** The key of an extension function. No name of a repository begins with a dot. */
export const extensionName = (name: string): string => `.${name}`;

/** Ids of names, shared by all files. */
export type NameIds = Map<string, number>;

export function symbolTable(facts: OutlinedFacts, rules: NameRules, ids: NameIds): SymbolTable {
  let table: Table | null = null;
  return (parent, written) => {
    table ??= layOut(facts, rules, ids);
    const rows = table;
    const isExtension = written.startsWith(".");
    const holder = isExtension ? EXTENSION : (parent ?? TOP);
    const id = ids.get(isExtension ? written.slice(1) : written);
    if (id === undefined) return NONE;
    const start = firstRow(rows, holder, id);
    const end = endOfSame(rows, start, holder, id);
    return start >= end ? NONE : indicesIn(rows, Math.max(start, end - SAME_MAX), end);
  };
}

/** The end of the rows of a name in a symbol, which begin at `start`: there is rarely more than one. */
function endOfSame(table: Table, start: number, holder: number, id: number): number {
  for (let end = start; end < start + SAME_MAX; end += 1)
    if (table[end * WIDTH] !== holder || table[end * WIDTH + 1] !== id) return end;
  return firstRow(table, holder, id + 1);
}

/** Not by a callback: what a function's callbacks use lies in an object that every call makes. */
function indicesIn(table: Table, start: number, end: number): readonly number[] {
  const indices: number[] = [];
  for (let row = start; row < end; row += 1) indices.push(table[row * WIDTH + 2] ?? 0);
  return indices;
}

/** The first row that is not before a name in a symbol. */
function firstRow(table: Table, holder: number, id: number): number {
  let [low, high] = [0, table.length / WIDTH];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = table[middle * WIDTH] ?? TOP;
    if (other < holder || (other === holder && (table[middle * WIDTH + 1] ?? 0) < id)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Three numbers for each symbol, sorted: the symbol around it, the id of its name, its index. */
type Table = Int32Array;
const WIDTH = 3;

function layOut(facts: OutlinedFacts, { extensions, parts }: NameRules, ids: NameIds): Table {
  const holders: number[] = [];
  const names: number[] = [];
  /** Of the symbols in the table: where they are in these lists. */
  const order: number[] = [];
  for (const [index, symbol] of facts.symbols.entries()) {
    const isMember = isExternalMember(facts, symbol);
    holders.push(isMember ? EXTENSION : (symbol.parent ?? TOP));
    names.push(idOf(symbol.name, ids));
    const isTitled = parts === "included" && symbol.kind === "function" && isTest(symbol.signature);
    if (isMember ? extensions === "imported" && symbol.parent === null : !isTitled) order.push(index);
  }
  order.sort((a, b) => (holders[a] ?? 0) - (holders[b] ?? 0) || (names[a] ?? 0) - (names[b] ?? 0) || a - b);
  const table = new Int32Array(WIDTH * order.length);
  for (const [row, index] of order.entries()) {
    table[WIDTH * row] = holders[index] ?? 0;
    table[WIDTH * row + 1] = names[index] ?? 0;
    table[WIDTH * row + 2] = index;
  }
  return table;
}

/** The id of a name; a new name gets the next one. */
export function idOf(name: string, ids: NameIds): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  ids.set(name, ids.size);
  return ids.size - 1;
}
