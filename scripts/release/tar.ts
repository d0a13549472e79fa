/**
 * Writes a reproducible tar archive of regular files: owners, times and order are fixed. Packages of systems also need
 * an entry for each folder.
 *
 * Paths have at most 100 bytes, the size of the ustar name field.
 */

const BLOCK = 512;
const PATH_BYTES = 100;

/** The modification time of every archived file. npm uses the same: zip cannot store times before 1980. */
export const MADE_AT = new Date("1985-10-26T08:15:00Z");

/** A file of an archive; `runs` makes it executable. */
export type Packed = { readonly path: string; readonly content: Uint8Array; readonly runs: boolean };

/** Keeps the order of the files. Throws if a path is too long. */
export function tar(files: readonly Packed[], { folders = false }: { folders?: boolean } = {}): Uint8Array {
  const above = folders ? foldersOf(files.map(({ path }) => path)).map((path) => header(`${path}/`, 0, "folder")) : [];
  const parts = files.flatMap(({ path, content, runs }) => [
    header(path, content.length, runs ? "program" : "file"),
    content,
    new Uint8Array(-content.length & (BLOCK - 1)),
  ]);
  return Buffer.concat([...above, ...parts, new Uint8Array(2 * BLOCK)]);
}

/** All folders above the paths, sorted, so that each comes after its parent. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) found.add(path.slice(0, at));
  return [...found].sort();
}

function header(path: string, size: number, kind: "file" | "program" | "folder"): Uint8Array {
  if (Buffer.byteLength(path) > PATH_BYTES) throw new Error(`the path is too long for the archive: ${path}`);
  const block = Buffer.alloc(BLOCK);
  const put = (text: string, at: number): void => void block.write(text, at, "utf8");
  const octal = (number: number, digits: number): string => `${number.toString(8).padStart(digits, "0")}\0`;
  put(path, 0);
  put(octal(kind === "file" ? 0o644 : 0o755, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(MADE_AT.getTime() / 1000, 11), 136);
  put("        ", 148);
  put(kind === "folder" ? "5" : "0", 156);
  put("ustar\u000000", 257);
  put("root", 265);
  put("root", 297);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
