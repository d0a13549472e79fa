/** The version of the rules: a text that is free of secrets by one version may hold one by another. Run by the bundler. */
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
