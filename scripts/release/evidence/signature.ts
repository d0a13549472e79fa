/**
 * Signs the checksums with an SSH key, whose path the environment gives in `CRA_SIGNING_KEY`.
 *
 * `ssh-keygen` signs and verifies. It is on nearly every machine, and reads keys of an agent or a hardware token as well.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Part of what is signed; `install.sh` has the same. */
const NAMESPACE = "cra-release";

/** Signs a text and returns the signature. Throws what `ssh-keygen` says. */
export function sign(text: string, key: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cra-sign-"));
  try {
    chmodSync(folder, 0o700);
    const file = join(folder, "text");
    writeFileSync(file, text);
    keygen("-Y", "sign", "-f", key, "-n", NAMESPACE, file);
    return readFileSync(`${file}.sig`, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The public half of a key, `ssh-ed25519 AAAA…`, without its comment. */
export function publicKeyOf(key: string): string {
  const text = readFileSync(key, "utf8");
  const line = text.includes("PRIVATE KEY") ? keygen("-y", "-f", key) : text;
  return line.trim().split(" ").slice(0, 2).join(" ");
}

function keygen(...args: readonly string[]): string {
  const program = Bun.which("ssh-keygen");
  if (program === null) throw new Error("signing needs ssh-keygen on the PATH, or no CRA_SIGNING_KEY");
  const { success, stdout, stderr } = Bun.spawnSync([program, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  if (!success) throw new Error(`cannot sign with CRA_SIGNING_KEY: ${stderr.toString().trim()}`);
  return stdout.toString();
}
