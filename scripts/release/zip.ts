/**
 * Writes a reproducible zip archive of regular files.
 *
 * Uses only what Windows opens: deflate, UTF-8 names, no extensions, less than four gigabytes. Unix permissions are
 * stored for tools that read them.
 */
import { crc32 } from "node:zlib";
import { MADE_AT, type Packed } from "./tar.ts";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0, for deflate. */
const NEEDED = 20;
/** Made on Unix: the upper half of the attributes holds the file mode. */
const MADE_BY = (3 << 8) | NEEDED;
const UTF8_NAMES = 1 << 11;
const DEFLATE = 8;
const REGULAR = 0o100000;

/** Keeps the order of the files. `level` is that of libdeflate. */
export function zip(files: readonly Packed[], level: 9 | 12 = 12): Uint8Array {
  const parts: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let at = 0;
  for (const { path, content, runs } of files) {
    const name = Buffer.from(path, "utf8");
    const packed = Bun.deflateSync(Buffer.from(content), { library: "libdeflate", level });
    const facts = factsOf(name, content, packed.length);
    const local = Buffer.concat([words([LOCAL, 4], [NEEDED, 2]), facts, name]);
    parts.push(local, packed);
    const attributes = ((REGULAR | (runs ? 0o755 : 0o644)) << 16) >>> 0;
    const place = words([0, 2], [0, 2], [0, 2], [attributes, 4], [at, 4]);
    entries.push(Buffer.concat([words([CENTRAL, 4], [MADE_BY, 2], [NEEDED, 2]), facts, place, name]));
    at += local.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = words(
    [END, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [directory.length, 4],
    [at, 4],
    [0, 2],
  );
  return Buffer.concat([...parts, directory, end]);
}

/** The fields that a local header and its central directory entry share. */
function factsOf(name: Uint8Array, content: Uint8Array, packedBytes: number): Uint8Array {
  const time = (MADE_AT.getUTCHours() << 11) | (MADE_AT.getUTCMinutes() << 5);
  const day = ((MADE_AT.getUTCFullYear() - 1980) << 9) | ((MADE_AT.getUTCMonth() + 1) << 5) | MADE_AT.getUTCDate();
  return words(
    [UTF8_NAMES, 2],
    [DEFLATE, 2],
    [time, 2],
    [day, 2],
    [crc32(content), 4],
    [packedBytes, 4],
    [content.length, 4],
    [name.length, 2],
    [0, 2],
  );
}

/** Concatenates little-endian numbers of the given widths. */
function words(...numbers: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    numbers.map(([value, bytes]) => {
      const word = Buffer.alloc(bytes);
      word.writeUIntLE(value, 0, bytes);
      return word;
    }),
  );
}
