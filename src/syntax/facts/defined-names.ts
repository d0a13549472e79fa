/**
 * The names by which other files may find what a file defines without importing it, as hashes: who looks for the files that define a name
 * need not read the facts of all files.
 */
import type { OutlinedFacts } from "./facts.ts";
import { isExternalMember } from "./member-owner.ts";

/**
 * `methods` are members, `globals` macros and what is at the top of a script; `external` are members that are defined outside their types, and
 * `owned` the same ones after the last name of their owner. A name is there once for each definition. `all` are the names of all that it
 * defines, imports or exports: under no other can a reference find something in it.
 */
export type DefinedNames = {
  readonly methods: Uint32Array;
  readonly globals: Uint32Array;
  readonly external: Uint32Array;
  readonly owned: Uint32Array;
  readonly all: Uint32Array;
};

/** The lengths of the first three lists; the fourth has that of the third, and the fifth is the rest. */
const HEADER = 3;

/** The names of a file in one list, which `unpackNames` takes apart. */
export function packNames(facts: Pick<OutlinedFacts, "symbols" | "imports" | "exportedAs">): Uint32Array {
  const { symbols, imports, exportedAs } = facts;
  const all = new Set([...symbols.map(({ name }) => name), ...Object.keys(exportedAs)]);
  for (const { names } of imports) for (const { name, alias } of names) all.add(name).add(alias ?? name);
  const [methods, globals, external, owned]: [number[], number[], number[], number[]] = [[], [], [], []];
  const isOpen = !symbols.some(({ exported }) => exported);
  for (const symbol of symbols) {
    const { name, kind, qualifiedName, parent, signature } = symbol;
    if (isExternalMember(facts, symbol)) {
      external.push(hashOfName(name));
      owned.push(hashOfName(ownedName(name, qualifiedName.split(".").at(-2) ?? "")));
    }
    if (kind === "method" || (kind === "function" && qualifiedName !== name)) methods.push(hashOfName(name));
    if ((isOpen && parent === null) || signature.startsWith("macro_rules!")) globals.push(hashOfName(name));
  }
  return Uint32Array.from([
    methods.length,
    globals.length,
    external.length,
    ...methods,
    ...globals,
    ...external,
    ...owned,
    ...[...all].map(hashOfName),
  ]);
}

/** Views into the list of `packNames`. */
export function unpackNames(packed: Uint32Array): DefinedNames {
  const [methods = 0, globals = 0, external = 0] = packed;
  const part = (from: number, count: number): Uint32Array => packed.subarray(HEADER + from, HEADER + from + count);
  return {
    methods: part(0, methods),
    globals: part(methods, globals),
    external: part(methods + globals, external),
    owned: part(methods + globals + external, external),
    all: packed.subarray(HEADER + methods + globals + 2 * external),
  };
}

/** Names with the same hash share their files, which whoever asks reads anyway. */
export const hashOfName = (name: string): number => Bun.hash.crc32(name);

/** A member after the last name of its owner. */
export const ownedName = (name: string, owner: string): string => `${owner}.${name}`;
