/** Checksums of published files, in the format of `sha256sum`: one line per file with its SHA-256 and path. */
import { createHash } from "node:crypto";

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What `SHA256SUMS` holds, sorted by name. */
export function checksumsOf(files: readonly { readonly name: string; readonly sha256: string }[]): string {
  return [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join("");
}

/** The checksums of a `SHA256SUMS` by name. Throws on a line of another form. */
export function readChecksums(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [, sha256, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      if (sha256 === undefined || name === undefined) throw new Error(`not a line of checksums: ${line}`);
      return [name, sha256];
    }),
  );
}
