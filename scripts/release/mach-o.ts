/**
 * Reads the layout of a 64-bit Mach-O executable: its segments and the location of its code signature.
 *
 * Every offset is checked against the size of the file, so that a truncated or foreign file fails with a message. No
 * I/O.
 */

const MAGIC = 0xfeedfacf;
const EXECUTABLE = 2;
const HEADER_BYTES = 32;
const SEGMENT_BYTES = 72;
const LC_SYMTAB = 0x2;
const LC_DYSYMTAB = 0xb;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
/** Load commands with one range of the __LINKEDIT segment; its offset and size follow the size of the command. */
const LINKEDIT_DATA = new Map([
  [0x1e, "segment split information"],
  [0x26, "function starts"],
  [0x29, "data in code"],
  [0x8000_0033, "exports"],
  [0x8000_0034, "fixups"],
]);
const LC_DYLD_INFO = [0x22, 0x8000_0022];
/** Rebase, bind, weak bind, lazy bind, export: each has an offset and a size. */
const DYLD_INFO_RANGES = 5;
const SYMBOL_BYTES = 16;

/** `at` is the offset of its load command; offsets and sizes are bytes in the file. */
export type Segment = {
  readonly name: string;
  readonly at: number;
  readonly offset: number;
  readonly size: number;
};

/** A range of the file; `at` is the offset of the load command that declares it. */
export type FileRange = { readonly what: string; readonly at: number; readonly offset: number; readonly size: number };

export type MachO = {
  readonly text: Segment;
  readonly linkedit: Segment;
  /** Null if the file was never signed. */
  readonly signature: FileRange | null;
  /** All other ranges of the __LINKEDIT segment. */
  readonly tables: readonly FileRange[];
};

/** Throws a one-line error if the file is not a Mach-O executable or is damaged. */
export function readMachO(bytes: Uint8Array): MachO {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw new Error("not a 64-bit Mach-O file");
  if (view.getUint32(12, true) !== EXECUTABLE) throw new Error("a Mach-O file, but not an executable");
  const segments: Segment[] = [];
  const tables: FileRange[] = [];
  let signature: FileRange | null = null;
  for (const { command, at, size } of commandsOf(view)) {
    if (command === LC_SEGMENT_64) segments.push(segmentAt(view, bytes, at, size));
    else if (command === LC_CODE_SIGNATURE) {
      if (signature !== null) throw new Error("more than one code signature");
      signature = rangeAt(view, "code signature", at, at + 8);
    } else tables.push(...tablesOf(view, command, at));
  }
  const text = segments.find(({ name }) => name === "__TEXT");
  const linkedit = segments.find(({ name }) => name === "__LINKEDIT");
  if (text === undefined || linkedit === undefined) throw new Error("a Mach-O file without __TEXT or __LINKEDIT");
  return { text, linkedit, signature, tables };
}

type LoadCommand = { readonly command: number; readonly at: number; readonly size: number };

function* commandsOf(view: DataView): Generator<LoadCommand> {
  const end = HEADER_BYTES + view.getUint32(20, true);
  if (end > view.byteLength) throw new Error("the load commands exceed the file");
  let at = HEADER_BYTES;
  for (let left = view.getUint32(16, true); left > 0; left -= 1) {
    if (at + 8 > end) throw new Error("the load commands reach beyond their end");
    const size = view.getUint32(at + 4, true);
    if (size < 8 || at + size > end) throw new Error("a load command reaches beyond its end");
    yield { command: view.getUint32(at, true), at, size };
    at += size;
  }
}

function segmentAt(view: DataView, bytes: Uint8Array, at: number, size: number): Segment {
  if (size < SEGMENT_BYTES) throw new Error("a segment's load command is too short");
  const name = Buffer.from(bytes.subarray(at + 8, at + 24))
    .toString("latin1")
    .replace(/\0.*$/s, "");
  const [offset, length] = [Number(view.getBigUint64(at + 40, true)), Number(view.getBigUint64(at + 48, true))];
  if (!(offset + length <= view.byteLength)) throw new Error(`the segment ${name} reaches beyond the file`);
  return { name, at, offset, size: length };
}

function rangeAt(view: DataView, what: string, at: number, numbers: number, width = 1): FileRange {
  if (numbers + 8 > view.byteLength) throw new Error(`the load command of the ${what} is cut`);
  const offset = view.getUint32(numbers, true);
  const size = view.getUint32(numbers + 4, true) * width;
  if (offset + size > view.byteLength) throw new Error(`the ${what} reaches beyond the file`);
  return { what, at, offset, size };
}

function tablesOf(view: DataView, command: number, at: number): readonly FileRange[] {
  const linked = LINKEDIT_DATA.get(command);
  if (linked !== undefined) return [rangeAt(view, linked, at, at + 8)];
  if (command === LC_SYMTAB)
    return [rangeAt(view, "symbols", at, at + 8, SYMBOL_BYTES), rangeAt(view, "names of symbols", at, at + 16)];
  if (command === LC_DYSYMTAB) return [rangeAt(view, "indirect symbols", at, at + 56, 4)];
  if (LC_DYLD_INFO.includes(command))
    return Array.from({ length: DYLD_INFO_RANGES }, (_, place) =>
      rangeAt(view, "linker's information", at, at + 8 + 8 * place),
    );
  return [];
}
