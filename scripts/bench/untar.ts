/**
 * Reads the regular files of an npm tar archive: ustar headers of 512 bytes, each followed by content. Long-name
 * extensions are not supported; pinned archives have none.
 */

const BLOCK = 512;

export type ArchivedFile = { readonly path: string; readonly content: Uint8Array };

/** The regular files of an archive, in its order. Throws if it is truncated. */
export function* untar(archive: Uint8Array): Generator<ArchivedFile> {
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const text = (from: number, length: number): string =>
      Buffer.from(archive.subarray(at + from, at + from + length))
        .toString("utf8")
        .replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const [name, kind, folder] = [text(0, 100), text(156, 1), text(345, 155)];
    const from = at + BLOCK;
    if (from + size > archive.length) throw new Error(`the archive ends within ${name}`);
    if (kind === "0" || kind === "")
      yield { path: folder === "" ? name : `${folder}/${name}`, content: archive.subarray(from, from + size) };
    at = from + BLOCK * Math.ceil(size / BLOCK);
  }
}
