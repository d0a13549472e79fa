/**
 * Makes the tree-sitter runtime count its work: every call of a function and every turn of a loop, in a global of 32 bits that it exports.
 *
 * Parsers are limited by this count, because time differs from run to run. Functions that manage memory do not count: how
 * long they search depends on what was parsed before. The format is that of the WebAssembly core specification 2.0, section 5.
 */

import { WORK_COUNTER } from "../src/syntax/parse/work-counter.ts";

const MEMORY_FUNCTIONS: readonly string[] = ["malloc", "calloc", "realloc", "free"];

/** Ids of the sections that change. */
const SECTION = { import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
const FUNCTION_KIND = 0;
const GLOBAL_KIND = 3;
/** `(global (mut i32) (i32.const 0))` */
const ZERO_GLOBAL: readonly number[] = [0x7f, 1, 0x41, 0, 0x0b];

/** Returns the module with the counter. Throws for instructions that it does not know. */
export function meteredRuntime(module: Uint8Array): Uint8Array {
  const sections = sectionsOf(module);
  const contentOf = (id: number): Uint8Array =>
    sections.find((section) => section.id === id)?.content ?? new Uint8Array([0]);
  const imported = countImports(contentOf(SECTION.import));
  const counter = imported.globals + reader(contentOf(SECTION.global)).number();
  const free = freeFunctions(contentOf(SECTION.export));
  const made: Readonly<Record<number, () => readonly number[] | Uint8Array>> = {
    [SECTION.global]: () => appended(contentOf(SECTION.global), ZERO_GLOBAL),
    [SECTION.export]: () => appended(contentOf(SECTION.export), [...text(WORK_COUNTER), GLOBAL_KIND, ...leb(counter)]),
    [SECTION.code]: () => metered(contentOf(SECTION.code), counter, (at) => free.has(at + imported.functions)),
  };
  const parts = sections.map(({ id, content }) => {
    const bytes = made[id]?.() ?? content;
    return Buffer.concat([Buffer.from([id, ...leb(bytes.length)]), Buffer.from(bytes)]);
  });
  return Buffer.concat([module.subarray(0, HEADER_BYTES), ...parts]);
}

/** The magic number and the version. */
const HEADER_BYTES = 8;

function sectionsOf(module: Uint8Array): readonly { readonly id: number; readonly content: Uint8Array }[] {
  const from = reader(module, HEADER_BYTES);
  const sections: { id: number; content: Uint8Array }[] = [];
  while (from.at < module.length) {
    const id = from.byte();
    sections.push({ id, content: from.bytes(from.number()) });
  }
  return sections;
}

/** How many functions and globals are imported: their indices come first. */
function countImports(content: Uint8Array): { readonly functions: number; readonly globals: number } {
  const from = reader(content);
  const counts = { functions: 0, globals: 0 };
  for (let left = from.number(); left > 0; left -= 1) {
    from.bytes(from.number());
    from.bytes(from.number());
    const kind = from.byte();
    if (kind === FUNCTION_KIND) {
      counts.functions += 1;
      from.number();
    } else if (kind === GLOBAL_KIND) {
      counts.globals += 1;
      from.bytes(2);
    } else {
      // A table has a type, and like a memory its limits.
      if (kind === 1) from.byte();
      const hasMaximum = (from.byte() & 1) === 1;
      from.number();
      if (hasMaximum) from.number();
    }
  }
  return counts;
}

/** The indices of the exported functions that manage memory. */
function freeFunctions(content: Uint8Array): ReadonlySet<number> {
  const from = reader(content);
  const found = new Set<number>();
  for (let left = from.number(); left > 0; left -= 1) {
    const name = Buffer.from(from.bytes(from.number())).toString();
    const kind = from.byte();
    const index = from.number();
    if (kind === FUNCTION_KIND && MEMORY_FUNCTIONS.includes(name)) found.add(index);
  }
  if (found.size !== MEMORY_FUNCTIONS.length) throw new Error("the runtime does not export how it manages memory");
  return found;
}

/** A vector with one more entry. */
function appended(content: Uint8Array, entry: readonly number[]): Uint8Array {
  const from = reader(content);
  const count = from.number();
  return Buffer.concat([Buffer.from(leb(count + 1)), content.subarray(from.at), Buffer.from(entry)]);
}

function metered(content: Uint8Array, counter: number, isFree: (at: number) => boolean): Uint8Array {
  const from = reader(content);
  const count = from.number();
  const parts: Uint8Array[] = [Buffer.from(leb(count))];
  // global.get, i32.const 1, i32.add, global.set
  const increment = Buffer.from([0x23, ...leb(counter), 0x41, 1, 0x6a, 0x24, ...leb(counter)]);
  for (let at = 0; at < count; at += 1) {
    const body = from.bytes(from.number());
    const bytes = isFree(at) ? body : meteredBody(body, increment);
    parts.push(Buffer.from(leb(bytes.length)), bytes);
  }
  return Buffer.concat(parts);
}

/** A function's body with the increment at its beginning and at that of each loop. */
function meteredBody(body: Uint8Array, increment: Uint8Array): Uint8Array {
  const from = reader(body);
  for (let left = from.number(); left > 0; left -= 1) {
    from.number();
    from.byte();
  }
  const parts: Uint8Array[] = [];
  let copied = 0;
  const insert = (): void => {
    parts.push(body.subarray(copied, from.at), increment);
    copied = from.at;
  };
  insert();
  while (from.at < body.length) {
    const code = from.byte();
    skipImmediates(code, from);
    if (code === LOOP) insert();
  }
  return Buffer.concat([...parts, body.subarray(copied)]);
}

const LOOP = 0x03;

/** Moves past what follows an instruction's code. */
function skipImmediates(code: number, from: Reader): void {
  if (code === 0xfc) {
    const kind = from.number();
    // memory.copy has two memories, memory.fill one; truncations have nothing.
    if (kind === 10) from.bytes(2);
    else if (kind === 11) from.byte();
    else if (kind > 7) throw new Error(`unknown instruction fc ${kind}`);
  } else if (code === 0x0e) for (let left = from.number() + 1; left > 0; left -= 1) from.number();
  else if (code === 0x11) from.numbers(2);
  else if (code === 0x43) from.bytes(4);
  else if (code === 0x44) from.bytes(8);
  else if (code >= 0x28 && code <= 0x3e) from.numbers(2);
  else if (ONE_NUMBER.has(code)) from.number();
  else if (!(code <= 0x01 || code === 0x05 || (code >= 0x0b && code <= 0x1b) || (code >= 0x45 && code <= 0xc4)))
    throw new Error(`unknown instruction ${code.toString(16)}`);
}

/** Blocks, branches, calls, variables, memory.size, memory.grow and integer constants. */
const ONE_NUMBER: ReadonlySet<number> = new Set([
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10],
  ...[0x20, 0x21, 0x22, 0x23, 0x24, 0x3f, 0x40, 0x41, 0x42],
]);

type Reader = ReturnType<typeof reader>;

function reader(bytes: Uint8Array, start = 0) {
  let at = start;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new Error("the module ends too early");
    at += 1;
    return value;
  };
  /** LEB128. The sign of a number does not matter here, only its length. */
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const part = byte();
      value += (part & 0x7f) * scale;
      if (part < 128) return value;
    }
  };
  return {
    get at() {
      return at;
    },
    byte,
    number,
    numbers(count: number): void {
      for (let left = count; left > 0; left -= 1) number();
    },
    bytes(length: number): Uint8Array {
      if (at + length > bytes.length) throw new Error("the module ends too early");
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}

function leb(value: number): readonly number[] {
  const rest = Math.floor(value / 128);
  return rest === 0 ? [value] : [(value % 128) + 128, ...leb(rest)];
}

const text = (value: string): readonly number[] => [...leb(value.length), ...Buffer.from(value)];
