/**
 * Reads the regular files of a tar archive: ustar headers of 512 bytes, each followed by content. Long paths are those of
 * GNU tar and of pax; links and other kinds are left out.
 */

const BLOCK = 512;

export type ArchivedFile = { readonly path: string; readonly content: Uint8Array };

/** The regular files of an archive, in its order. Throws if it is truncated. A path may be anything: check it before use. */
export function* untar(archive: Uint8Array): Generator<ArchivedFile> {
  let long: string | null = null;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const text = (from: number, length: number): string =>
      Buffer.from(archive.subarray(at + from, at + from + length))
        .toString("utf8")
        .replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const [name, kind, folder] = [text(0, 100), text(156, 1), text(257, 5) === "ustar" ? text(345, 155) : ""];
    if (at + BLOCK + size > archive.length) throw new Error(`the archive ends within ${name}`);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size);
    if (kind === "L") long = text(BLOCK, size);
    else if (kind === "x") long = paxPath(content) ?? long;
    else {
      if (kind === "0" || kind === "") yield { path: long ?? (folder === "" ? name : `${folder}/${name}`), content };
      long = null;
    }
    at += BLOCK + BLOCK * Math.ceil(size / BLOCK);
  }
}

/** The path in the records of a pax header: "25 path=folder/file.ts\n". */
function paxPath(records: Uint8Array): string | null {
  return /(?:^|\n)\d+ path=([^\n]+)\n/.exec(Buffer.from(records).toString("utf8"))?.[1] ?? null;
}
