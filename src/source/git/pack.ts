/**
 * Reads objects of a git pack by their hash (gitformat-pack(5), version 2 of the index; SHA-1).
 *
 * The index is held in memory, the pack is not. Everything in both files may be hostile: each offset is checked, an object has at most
 * `OBJECT_BYTES_MAX` bytes, and what its chain of deltas unpacks to is limited too.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { applyDelta } from "./delta.ts";
import { damagedObject, inflated, OBJECT_BYTES_MAX, tooLarge } from "./inflate.ts";
import { HASH_BYTES } from "./objects.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";
export type GitObject = { readonly type: ObjectType; readonly content: Uint8Array };

export type Pack = {
  /** Null for an object of another pack. Throws for one that is damaged or too large. */
  read(oid: string): GitObject | null;
  /** At most two hashes with this prefix, of at least two digits. */
  withPrefix(prefix: string): readonly string[];
  close(): void;
};

const MAGIC = 0xff744f63;
const HASHES_AT = 8 + 256 * 4;
/** More deltas than git writes in a row. */
const CHAIN_MAX = 4_096;
const CHAIN_BYTES_MAX = 256 * 1024 * 1024;
/** Read with an entry's header: most objects fit. */
const WINDOW_BYTES = 4_096;
/** Recently used bases of deltas. */
const BASES_BYTES_MAX = 16 * 1024 * 1024;

const TYPES: ReadonlyMap<number, ObjectType> = new Map([
  [1, "commit"],
  [2, "tree"],
  [3, "blob"],
  [4, "tag"],
]);
const OFFSET_DELTA = 6;
const HASH_DELTA = 7;

/** An object, or a delta with the offset of its base. */
type Entry = { readonly base: number | null; readonly type: ObjectType | null; readonly content: Buffer };

/** `index` is the content of the index file of the pack at `packPath`. Throws for an index that cannot be read. */
export function openPack(index: Buffer, packPath: string): Pack {
  const find = indexReader(index);
  const bases = recentBases();
  let descriptor: number | null = null;
  let length = 0;

  /** Bytes from `offset` on, fewer at the end of the file. */
  function bytesAt(offset: number, count: number): Buffer {
    if (descriptor === null) {
      descriptor = openSync(packPath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) throw new Error("a pack is not a regular file");
      length = stat.size;
    }
    const wanted = Buffer.allocUnsafe(Math.max(0, Math.min(count, length - offset)));
    const read = wanted.length === 0 ? 0 : readSync(descriptor, wanted, 0, wanted.length, offset);
    return wanted.subarray(0, read);
  }

  function entryAt(offset: number): Entry {
    let window = bytesAt(offset, WINDOW_BYTES);
    const { kind, size, next } = headerOf(window);
    if (size > OBJECT_BYTES_MAX) throw tooLarge();
    const { base, dataAt } = baseOf(window, kind, next, offset, find.offset);
    // Incompressible data grows a little.
    const packedMax = dataAt + size + (size >> 3) + 1_024;
    if (packedMax > window.length && window.length === WINDOW_BYTES) window = bytesAt(offset, packedMax);
    const content = inflated(window.subarray(dataAt), size);
    if (content.length !== size) throw damagedObject();
    return { base, type: TYPES.get(kind) ?? null, content };
  }

  /** Follows deltas to an object, then applies them in return. */
  function objectAt(offset: number): GitObject {
    const deltas: { readonly at: number; readonly delta: Buffer }[] = [];
    let bytes = 0;
    const count = ({ length }: Uint8Array): void => {
      bytes += length;
      if (deltas.length > CHAIN_MAX || bytes > CHAIN_BYTES_MAX)
        throw new Error("an object of git unpacks from too many or too large deltas");
    };
    let at = offset;
    let object = bases.get(at);
    while (object === undefined) {
      const { base, type, content } = entryAt(at);
      count(content);
      if (base === null) {
        if (type === null) throw damagedObject();
        object = { type, content };
        if (deltas.length > 0) bases.add(at, object);
      } else {
        deltas.push({ at, delta: content });
        at = base;
        object = bases.get(at);
      }
    }
    for (const { at: place, delta } of deltas.toReversed()) {
      object = { type: object.type, content: applyDelta(object.content, delta, OBJECT_BYTES_MAX) };
      count(object.content);
      bases.add(place, object);
    }
    return object;
  }

  return {
    read(oid) {
      const offset = find.offset(oid);
      return offset === null ? null : objectAt(offset);
    },
    withPrefix: find.withPrefix,
    close() {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** The type and unpacked size before an entry. */
function headerOf(bytes: Buffer): { readonly kind: number; readonly size: number; readonly next: number } {
  const first = bytes[0] ?? 0;
  let [size, scale, at] = [first & 15, 16, 1];
  for (let byte = first; byte >= 0x80; scale *= 128) {
    byte = bytes[at++] ?? 0;
    size += (byte & 0x7f) * scale;
    if (scale > 2 ** 42 || at > bytes.length) throw damagedObject();
  }
  return { kind: (first >> 4) & 7, size, next: at };
}

/** The offset of a delta's base, null for an object, and where the compressed data begins. */
function baseOf(
  bytes: Buffer,
  kind: number,
  next: number,
  offset: number,
  offsetOf: (oid: string) => number | null,
): { readonly base: number | null; readonly dataAt: number } {
  if (TYPES.has(kind)) return { base: null, dataAt: next };
  if (kind === HASH_DELTA) {
    const base = offsetOf(bytes.toString("hex", next, next + HASH_BYTES));
    if (base === null) throw damagedObject();
    return { base, dataAt: next + HASH_BYTES };
  }
  if (kind !== OFFSET_DELTA) throw damagedObject();
  let at = next;
  let byte = bytes[at++] ?? 0;
  let back = byte & 0x7f;
  while (byte >= 0x80 && back < 2 ** 42) {
    byte = bytes[at++] ?? 0;
    back = (back + 1) * 128 + (byte & 0x7f);
  }
  // Bases come first, so that a chain ends.
  if (back <= 0 || back > offset) throw damagedObject();
  return { base: offset - back, dataAt: at };
}

/** Looks up hashes in the index of a pack. */
function indexReader(index: Buffer) {
  if (index.length < HASHES_AT || index.readUInt32BE(0) !== MAGIC || index.readUInt32BE(4) !== 2)
    throw new Error("the index of a pack cannot be read");
  const count = index.readUInt32BE(HASHES_AT - 4);
  const offsetsAt = HASHES_AT + count * (HASH_BYTES + 4);
  const longAt = offsetsAt + count * 4;
  if (longAt > index.length) throw new Error("the index of a pack cannot be read");
  const hashAt = (position: number): Buffer =>
    index.subarray(HASHES_AT + position * HASH_BYTES, HASHES_AT + (position + 1) * HASH_BYTES);
  /** The position of the first hash that is not before `wanted`. */
  const firstFrom = (wanted: Buffer): number => {
    let [from, to] = [0, count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (Buffer.compare(hashAt(middle), wanted) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return {
    offset(oid: string): number | null {
      const wanted = Buffer.from(oid, "hex");
      const position = firstFrom(wanted);
      if (position >= count || !hashAt(position).equals(wanted)) return null;
      const short = index.readUInt32BE(offsetsAt + position * 4);
      if (short < 2 ** 31) return short;
      const place = longAt + (short - 2 ** 31) * 8;
      return place + 8 > index.length ? null : Number(index.readBigUInt64BE(place));
    },
    withPrefix(prefix: string): readonly string[] {
      const start = firstFrom(Buffer.from(prefix.padEnd(2 * HASH_BYTES, "0"), "hex"));
      const found = [start, start + 1].filter((at) => at < count).map((at) => hashAt(at).toString("hex"));
      return found.filter((hash) => hash.startsWith(prefix));
    },
  };
}

/** The bases that were used last: neighbours in a pack share them. */
function recentBases() {
  const known = new Map<number, GitObject>();
  let bytes = 0;
  return {
    get: (offset: number): GitObject | undefined => known.get(offset),
    add(offset: number, object: GitObject): void {
      known.set(offset, object);
      bytes += object.content.length;
      for (const [oldest, { content }] of known) {
        if (bytes <= BASES_BYTES_MAX) break;
        known.delete(oldest);
        bytes -= content.length;
      }
    },
  };
}
