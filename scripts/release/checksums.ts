/**
 * The list of what was made, by which a download is checked: SHA-256 and name, a file a line, as `sha256sum` reads it.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Whether a name is that of an archive or of the install script. */
export const isPublished = (name: string): boolean =>
  /^cra-.*\.(?:tar\.gz|tar\.zst|zip)$/.test(name) || name === "install.sh";

/** Of what is published in a folder, in the order of its names. */
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
