/**
 * Parses git's index file.
 *
 * Supports versions 2 to 4 of gitformat-index(5). A split index and a sparse one, with whole folders as entries, are not readable.
 */

/** Before the hash of an entry; after it there are two bytes of flags. */
const ENTRY_STAT_BYTES = 40;
const FOLDER_KIND = 0o040000;

/** Version 4 compresses shared prefixes, so a small file can expand to very many bytes. */
const PATHS_BYTES_MAX = 128 * 1024 * 1024;

/**
 * A tracked path with its content hash. `isInConflict`: the path has several entries. `isLeftOut`: a sparse checkout omits the file, or git is told
 * not to look at it (`--skip-worktree`). `isAssumed`: git is told to take it for unchanged (`--assume-unchanged`).
 */
export type IndexEntry = {
  readonly path: string;
  readonly hash: string;
  /** In octal digits, as in trees. */
  readonly mode: string;
  readonly isInConflict: boolean;
  readonly isLeftOut: boolean;
  readonly isAssumed: boolean;
  /** The file's stat when git last verified it; null where git listed the entry, which does not show it. */
  readonly stat: EntryStat | null;
};

type EntryStat = {
  /** The lower 32 bits of the size in bytes. */
  readonly size: number;
  /** Modification time: whole seconds, and the remaining nanoseconds (0 if git does not store them). */
  readonly seconds: number;
  readonly nanoseconds: number;
};

/**
 * Every path in file order, conflicting ones several times; null when the index is not readable here. `hashBytes` is the length of the
 * repository's hashes.
 */
export function pathsInGitIndex(bytes: Uint8Array, hashBytes: number): readonly string[] | null {
  const paths: string[] = [];
  return eachEntry(bufferOf(bytes), hashBytes, (path) => paths.push(path)) ? paths : null;
}

/** Every entry in file order; null when the index is not readable here. */
export function parseGitIndex(bytes: Uint8Array, hashBytes: number): readonly IndexEntry[] | null {
  const index = bufferOf(bytes);
  const entries: IndexEntry[] = [];
  const isReadable = eachEntry(index, hashBytes, (path, at, flags) =>
    entries.push({
      path,
      hash: index.toString("hex", at + ENTRY_STAT_BYTES, at + ENTRY_STAT_BYTES + hashBytes),
      mode: index.readUInt32BE(at + 24).toString(8),
      isInConflict: (flags & 0x3000) !== 0,
      isLeftOut: (flags & 0x4000_0000) !== 0,
      isAssumed: (flags & 0x8000) !== 0,
      stat: {
        size: index.readUInt32BE(at + 36),
        seconds: index.readUInt32BE(at + 8),
        nanoseconds: index.readUInt32BE(at + 12),
      },
    }),
  );
  return isReadable ? entries : null;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Visits the entries with their offsets and flags, the extended ones in the upper 16 bits. False means that the index is not readable here and all visits are void. */
function eachEntry(
  index: Buffer,
  hashBytes: number,
  visit: (path: string, at: number, flags: number) => void,
): boolean {
  if (index.length < 12 + hashBytes || index.toString("latin1", 0, 4) !== "DIRC") return false;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return false;
  const entriesEnd = index.length - hashBytes;
  const fixedBytes = ENTRY_STAT_BYTES + hashBytes + 2;
  let name: Buffer = Buffer.alloc(0);
  let total = 0;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + fixedBytes + 2 > entriesEnd) return false;
    if ((index.readUInt32BE(at + 24) & 0o170000) === FOLDER_KIND) return false;
    const own = index.readUInt16BE(at + fixedBytes - 2);
    const isExtended = (own & 0x4000) !== 0;
    const flags = isExtended ? own | (index.readUInt16BE(at + fixedBytes) << 16) : own;
    const nameAt = at + fixedBytes + (isExtended ? 2 : 0);
    const shared = version < 4 ? null : readOffset(index, nameAt);
    const from = shared?.end ?? nameAt;
    const end = index.indexOf(0, from);
    if (end < 0 || end > entriesEnd) return false;
    if (shared !== null) {
      // Version 4 states how many bytes of the previous name to drop.
      const kept = name.length - shared.value;
      if (kept < 0) return false;
      name = Buffer.concat([name.subarray(0, kept), index.subarray(from, end)]);
    }
    total += shared === null ? end - from : name.length;
    if (total > PATHS_BYTES_MAX) return false;
    visit(shared === null ? index.toString("utf8", from, end) : name.toString("utf8"), at, flags);
    at = shared === null ? at + ((end - at + 8) & ~7) : end + 1;
  }
  return isWhole(index.subarray(at, entriesEnd));
}

/** False if there is an extension that changes the meaning of entries: its name starts with a lower-case letter. */
function isWhole(extensions: Buffer): boolean {
  for (let at = 0; at + 8 <= extensions.length; at += 8 + extensions.readUInt32BE(at + 4))
    if (/^[a-z]/.test(extensions.toString("latin1", at, at + 1))) return false;
  return true;
}

/** A variable-length number as in pack offsets: seven bits per byte, the high bit set on all but the last. */
function readOffset(index: Buffer, start: number): { readonly value: number; readonly end: number } {
  let at = start;
  let byte = index[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < index.length && value < 2 ** 32) {
    byte = index[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}
