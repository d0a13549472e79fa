/** Writes SHA256SUMS in the format of `sha256sum`: one line per file with its SHA-256 and name. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Whether a file is published: an archive or the install script. */
export const isPublished = (name: string): boolean =>
  /^cra-.*\.(?:tar\.gz|tar\.zst|zip)$/.test(name) || name === "install.sh";

/** The checksums of the published files of a folder, sorted by name. */
export function checksumsOf(folder: string): string {
  return readdirSync(folder)
    .filter(isPublished)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");
}
