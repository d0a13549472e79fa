/** The version of the rules: what a text was found to be free of, another version may find in it. Run by the bundler. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A hash of the source of the rules and of all that decides what they find. */
export function rulesVersion(): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(import.meta.dir).sort()) hash.update(readFileSync(join(import.meta.dir, file)));
  return hash.digest("hex").slice(0, VERSION_CHARS);
}

const VERSION_CHARS = 16;
