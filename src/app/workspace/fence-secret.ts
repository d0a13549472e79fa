/**
 * The tokens of fences: an HMAC of what is asked about, under a secret of this user.
 *
 * Nobody who writes a repository or a task knows the secret, so text cannot close a fence. The token of a task is the same in
 * all its runs and rounds, so their prompts begin alike, and a server that keeps what it has read reads it once.
 */
import { createHmac, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Variables } from "../../config/variables.ts";
import { fenceSecretPath } from "../../db/data-folder/paths.ts";
import { readGivenFile } from "../../source/files/read-file.ts";

const SECRET_BYTES = 32;
const TOKEN_CHARS = 32;

/** Returns the token of a text. Where no secret can be kept, it holds for this process. */
export function fenceTokens(env: Variables): (about: string) => string {
  const secret = keptSecret(fenceSecretPath(env)) ?? randomBytes(SECRET_BYTES);
  return (about) => createHmac("sha256", secret).update(about).digest("hex").slice(0, TOKEN_CHARS);
}

/** The stored secret, stored now if there is none; null where that is impossible. */
function keptSecret(path: string | null): Uint8Array | null {
  if (path === null) return null;
  try {
    writeFileSync(path, randomBytes(SECRET_BYTES), { flag: "wx", mode: 0o600 });
  } catch {
    // It is there already, or cannot be written; reading tells.
  }
  // A run without a stored secret draws one.
  const read = readGivenFile(path, SECRET_BYTES);
  return read.kind === "bytes" && read.bytes.length === SECRET_BYTES ? read.bytes : null;
}
