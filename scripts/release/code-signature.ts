/**
 * Checks the code signature of a macOS executable page by page, and signs again without an identity ("ad hoc").
 *
 * macOS on ARM kills a program whose pages differ from the hashes in its signature. An invalid signature is replaced by
 * the kind a linker writes: one CodeDirectory of SHA-256 page hashes, no certificate. It proves that the file is
 * intact, not who made it. No I/O.
 */
import { createHash } from "node:crypto";
import { type MachO, readMachO } from "./mach-o.ts";

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const SLOT_CODE_DIRECTORY = 0;
const SUPER_BLOB_BYTES = 12;
const INDEX_BYTES = 8;
const DIRECTORY_BYTES = 88;
/** The first version that records the location of the main segment. */
const VERSION = 0x20400;
/** Flags: ad hoc and linker-signed, so that a later `codesign` may replace the signature. */
const FLAGS = 0x2_0002;
const SHA256 = 2;
const SHA256_BYTES = 32;
const PAGE_BITS = 12;
const MAIN_BINARY = 1n;
/** The largest page size of any Mac; the memory size of a segment is a multiple of it. */
const MEMORY_PAGE = 0x4000;

/** `faults` describes every problem; the signature is valid if it is empty. */
export type SignatureCheck = { readonly pages: number; readonly differing: number; readonly faults: readonly string[] };

/** Checks every page against its hash, and the signature against the layout of the file. */
export function checkSignature(bytes: Uint8Array): SignatureCheck {
  const layout = readMachO(bytes);
  const { signature } = layout;
  if (signature === null) return { pages: 0, differing: 0, faults: ["it is not signed"] };
  const { linkedit, tables } = layout;
  const end = signature.offset + signature.size;
  const faults = [
    ...(end === bytes.length ? [] : [`${bytes.length - end} bytes follow the signature`]),
    ...(end === linkedit.offset + linkedit.size ? [] : ["the signature does not end its segment"]),
    ...tables
      .filter(({ offset, size }) => size > 0 && (offset < linkedit.offset || offset + size > signature.offset))
      .map(({ what }) => `the ${what} lie outside of what they belong to`),
  ];
  const directory = directoryOf(bytes.subarray(signature.offset, end));
  if (typeof directory === "string") return { pages: 0, differing: 0, faults: [...faults, directory] };
  return withPages(bytes, layout, directory, faults);
}

type Directory = { readonly view: DataView; readonly codeLimit: number; readonly slots: number; readonly bits: number };

/** The CodeDirectory that macOS uses, or the reason why there is none to check. */
function directoryOf(blob: Uint8Array): Directory | string {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  if (blob.length < SUPER_BLOB_BYTES || view.getUint32(0) !== SUPER_BLOB) return "the signature cannot be read";
  const count = view.getUint32(8);
  for (let place = 0; place < count; place += 1) {
    const entry = SUPER_BLOB_BYTES + place * INDEX_BYTES;
    if (entry + INDEX_BYTES > blob.length) return "the signature's index is cut";
    if (view.getUint32(entry) !== SLOT_CODE_DIRECTORY) continue;
    const at = view.getUint32(entry + 4);
    if (at + DIRECTORY_BYTES > blob.length || view.getUint32(at) !== CODE_DIRECTORY) return "its directory is cut";
    const length = view.getUint32(at + 4);
    if (length < DIRECTORY_BYTES || at + length > blob.length) return "its directory reaches beyond the signature";
    return directoryIn(new DataView(blob.buffer, blob.byteOffset + at, length));
  }
  return "the signature has no directory of pages";
}

function directoryIn(view: DataView): Directory | string {
  const [slots, bits] = [view.getUint32(28), view.getUint8(39)];
  if (view.getUint8(37) !== SHA256 || view.getUint8(36) !== SHA256_BYTES) return "its hashes are not SHA-256";
  if (bits < PAGE_BITS || bits > 16) return "its pages have an unknown size";
  if (view.getUint32(16) + slots * SHA256_BYTES > view.byteLength) return "its hashes reach beyond the directory";
  const wide = view.getUint32(8) >= 0x20300 ? Number(view.getBigUint64(56)) : 0;
  return { view, codeLimit: wide > 0 ? wide : view.getUint32(32), slots, bits };
}

function withPages(
  bytes: Uint8Array,
  { text, signature }: MachO,
  { view, codeLimit, slots, bits }: Directory,
  faults: readonly string[],
): SignatureCheck {
  const limit = signature?.offset ?? 0;
  const pages = Math.ceil(limit / 2 ** bits);
  const hashes = pageHashes(bytes.subarray(0, limit), 2 ** bits);
  const signed = new Uint8Array(view.buffer, view.byteOffset + view.getUint32(16), slots * SHA256_BYTES);
  const differing = hashes.filter(
    (hash, page) => !hash.equals(signed.subarray(page * SHA256_BYTES, (page + 1) * SHA256_BYTES)),
  ).length;
  const tellsMain = view.getUint32(8) >= VERSION;
  const isMain =
    !tellsMain || (view.getBigUint64(64) === BigInt(text.offset) && view.getBigUint64(72) === BigInt(text.size));
  return {
    pages,
    differing,
    faults: [
      ...faults,
      ...(codeLimit === limit ? [] : [`${limit - codeLimit} bytes before the signature are not signed`]),
      ...(slots === pages ? [] : [`it has ${slots} hashes for ${pages} pages`]),
      ...(differing === 0 ? [] : [`${differing} of ${pages} pages differ from their hashes`]),
      ...(isMain ? [] : ["it names another main segment"]),
    ],
  };
}

function pageHashes(bytes: Uint8Array, pageBytes: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) =>
    createHash("sha256")
      .update(bytes.subarray(page * pageBytes, (page + 1) * pageBytes))
      .digest(),
  );
}

/**
 * Returns the program with a new ad hoc signature in place of the old one; macOS shows `identifier` as its name. Throws
 * if the file has no space for a signature.
 */
export function signedAdHoc(bytes: Uint8Array, identifier: string): Uint8Array {
  const { text, linkedit, signature } = readMachO(bytes);
  if (signature === null) throw new Error("the file has no space for a signature");
  const limit = signature.offset;
  const name = Buffer.from(`${identifier}\0`, "utf8");
  const slots = Math.ceil(limit / 2 ** PAGE_BITS);
  const directoryBytes = DIRECTORY_BYTES + name.length + slots * SHA256_BYTES;
  const blobBytes = SUPER_BLOB_BYTES + INDEX_BYTES + directoryBytes;
  const size = Math.ceil(blobBytes / 16) * 16;
  const signed = new Uint8Array(limit + size);
  signed.set(bytes.subarray(0, limit));

  // The first page contains the load commands, so they must be final before it is hashed.
  const header = new DataView(signed.buffer);
  header.setUint32(signature.at + 12, size, true);
  const linkeditBytes = limit + size - linkedit.offset;
  header.setBigUint64(linkedit.at + 48, BigInt(linkeditBytes), true);
  header.setBigUint64(linkedit.at + 32, BigInt(Math.ceil(linkeditBytes / MEMORY_PAGE) * MEMORY_PAGE), true);

  const blob = new DataView(signed.buffer, limit, size);
  const putWords = (at: number, words: readonly number[]): void => {
    for (const [place, word] of words.entries()) blob.setUint32(at + place * 4, word);
  };
  const at = SUPER_BLOB_BYTES + INDEX_BYTES;
  const hashesAt = DIRECTORY_BYTES + name.length;
  putWords(0, [SUPER_BLOB, blobBytes, 1, SLOT_CODE_DIRECTORY, at]);
  putWords(at, [CODE_DIRECTORY, directoryBytes, VERSION, FLAGS, hashesAt, DIRECTORY_BYTES, 0, slots, limit]);
  signed.set([SHA256_BYTES, SHA256, 0, PAGE_BITS], limit + at + 36);
  blob.setBigUint64(at + 64, BigInt(text.offset));
  blob.setBigUint64(at + 72, BigInt(text.size));
  blob.setBigUint64(at + 80, MAIN_BINARY);
  signed.set(name, limit + at + DIRECTORY_BYTES);
  for (const [page, hash] of pageHashes(signed.subarray(0, limit), 2 ** PAGE_BITS).entries())
    signed.set(hash, limit + at + hashesAt + page * SHA256_BYTES);
  return signed;
}
