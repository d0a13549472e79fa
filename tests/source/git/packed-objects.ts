/** Packs with their index, made by hand: entries may claim any size and any base. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

const KINDS = { commit: 1, tree: 2, blob: 3, tag: 4, offset: 6, hash: 7 } as const;

/** `size` is what the entry claims, by default the truth. `base` is the number of the entry that a delta needs. */
export type PackedEntry = {
  readonly oid: string;
  readonly kind: keyof typeof KINDS;
  readonly content: Uint8Array;
  readonly size?: number;
  readonly base?: number;
};

/** The hash of the `n`-th made-up object. */
export const oidOf = (n: number): string => createHash("sha1").update(String(n)).digest("hex");

function headerOf(kind: number, size: number): Buffer {
  const bytes = [(kind << 4) | (size & 15)];
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(left & 0x7f);
  }
  return Buffer.from(bytes);
}

/** How far a base lies back, in groups of seven bits. */
function backOf(distance: number): Buffer {
  const bytes = [distance & 0x7f];
  for (let left = Math.floor(distance / 128); left > 0; left = Math.floor((left - 1) / 128))
    bytes.unshift(0x80 | ((left - 1) & 0x7f));
  return Buffer.from(bytes);
}

/** A number in groups of seven bits, the lowest first. */
export function deltaSize(size: number): Buffer {
  const bytes: number[] = [];
  for (let left = size; ; left = Math.floor(left / 128)) {
    bytes.push((left & 0x7f) | (left >= 128 ? 0x80 : 0));
    if (left < 128) return Buffer.from(bytes);
  }
}

/** A delta that copies the first `length` bytes of its base so many times. */
export function copies(baseBytes: number, length: number, times: number): Buffer {
  const copy = Buffer.from([0x80 | 0x70, length & 255, (length >> 8) & 255, (length >> 16) & 255]);
  return Buffer.concat([deltaSize(baseBytes), deltaSize(length * times), ...Array.from({ length: times }, () => copy)]);
}

/** Writes `pack-1.pack` and its index below a git folder. */
export function writePack(gitFolder: string, entries: readonly PackedEntry[]): void {
  const parts = [Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1")];
  let length = 12;
  const offsets = new Map<number, number>();
  for (const [at, { kind, content, size = content.length, base = 0 }] of entries.entries()) {
    const distance = length - (offsets.get(base) ?? 0);
    const link =
      kind === "offset" ? backOf(distance) : kind === "hash" ? Buffer.from(entries[base]?.oid ?? "", "hex") : [];
    const entry = Buffer.concat([headerOf(KINDS[kind], size), Buffer.from(link), deflateSync(content)]);
    offsets.set(at, length);
    parts.push(entry);
    length += entry.length;
  }
  const folder = join(gitFolder, "objects/pack");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pack-1.pack"), Buffer.concat([...parts, Buffer.alloc(20)]));
  writeFileSync(
    join(folder, "pack-1.idx"),
    indexOf(entries.map(({ oid }, at) => ({ oid, offset: offsets.get(at) ?? 0 }))),
  );
}

function indexOf(objects: readonly { readonly oid: string; readonly offset: number }[]): Buffer {
  const sorted = objects.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const head = Buffer.alloc(8 + 256 * 4);
  head.writeUInt32BE(0xff744f63, 0);
  head.writeUInt32BE(2, 4);
  for (let byte = 0; byte < 256; byte++)
    head.writeUInt32BE(sorted.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) <= byte).length, 8 + byte * 4);
  const offsets = Buffer.alloc(sorted.length * 4);
  for (const [at, { offset }] of sorted.entries()) offsets.writeUInt32BE(offset, at * 4);
  const hashes = sorted.map(({ oid }) => Buffer.from(oid, "hex"));
  return Buffer.concat([head, ...hashes, Buffer.alloc(sorted.length * 4), offsets, Buffer.alloc(40)]);
}
