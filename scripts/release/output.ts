/** The folder of a release: what is written into it is published, and listed in `SHA256SUMS`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import type { Archive } from "./archives.ts";
import { checksumsOf, readChecksums } from "./evidence/checksums.ts";
import { publicKeyOf, sign } from "./evidence/signature.ts";
import type { Identity } from "./identity.ts";
import { type Published, published } from "./manifests/published.ts";

const CHECKSUMS = "SHA256SUMS";
const SIGNATURE = "SHA256SUMS.sig";
/** The line of `install.sh` that holds the key. */
const KEY_LINE = /^public_key=""$/m;

export class Output {
  readonly #folder: string;
  readonly #identity: Identity;
  readonly #files: Published[] = [];

  /** Removes an earlier release from the folder: the files that its checksums name. */
  constructor(folder: string, identity: Identity) {
    this.#folder = folder;
    this.#identity = identity;
    mkdirSync(folder, { recursive: true });
    const checksums = join(folder, CHECKSUMS);
    if (!existsSync(checksums)) return;
    for (const name of readChecksums(readFileSync(checksums, "utf8")).keys())
      if (!isAbsolute(name) && !normalize(name).startsWith("..")) rmSync(join(folder, name), { force: true });
    for (const name of [CHECKSUMS, SIGNATURE]) rmSync(join(folder, name), { force: true });
  }

  get files(): readonly Published[] {
    return this.#files;
  }

  add(file: Archive): Published {
    this.#put(file.name, file.bytes);
    const described = published(file, this.#identity);
    this.#files.push(described);
    return described;
  }

  /**
   * Writes `install.sh` and the checksums, and signs them with the key at a path. The public half goes into
   * `install.sh`, so that whoever has the script needs nothing else.
   */
  finish(script: string, key: string | null): void {
    if (!KEY_LINE.test(script)) throw new Error("install.sh has no line for the public key");
    const own = script.replace(KEY_LINE, `public_key="${key === null ? "" : publicKeyOf(key)}"`);
    this.add({ name: "install.sh", bytes: Buffer.from(own) });
    chmodSync(join(this.#folder, "install.sh"), 0o755);
    const checksums = checksumsOf(this.#files);
    if (key !== null) this.#put(SIGNATURE, Buffer.from(sign(checksums, key)));
    this.#put(CHECKSUMS, Buffer.from(checksums));
  }

  /** Atomically. */
  #put(name: string, bytes: Uint8Array): void {
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const partial = join(dirname(path), `.${basename(path)}.${process.pid}`);
    writeFileSync(partial, bytes);
    renameSync(partial, path);
  }
}
