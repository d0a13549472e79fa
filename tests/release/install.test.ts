/** The install script installs a verified program, and changes nothing when anything is wrong. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checksumsOf, sha256Of } from "../../scripts/release/evidence/checksums.ts";
import { publicKeyOf, sign } from "../../scripts/release/evidence/signature.ts";
import { tar } from "../../scripts/release/tar.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";

const SCRIPT = join(import.meta.dir, "../../scripts/install.sh");

let release: TempFolder;
let home: TempFolder;
beforeEach(() => {
  release = tempFolder();
  home = tempFolder();
  publish("1.0.0", "#!/bin/sh\necho cra 1.0.0\n");
});
afterEach(() => {
  release[Symbol.dispose]();
  home[Symbol.dispose]();
});

/** A release whose program is a shell script, for every target so that one fits the test machine. */
function publish(version: string, program: string): void {
  for (const { name } of TARGETS.filter(({ system }) => system !== "win32")) {
    const folder = `cra-${version}-${name}`;
    const tarred = tar([{ path: `${folder}/cra`, content: Buffer.from(program), runs: true }]);
    writeFileSync(join(release.path, `${folder}.tar.gz`), Bun.gzipSync(Buffer.from(tarred)));
  }
  const names = readdirSync(release.path).filter((name) => name.endsWith(".gz"));
  const files = names.map((name) => ({ name, sha256: sha256Of(readFileSync(join(release.path, name))) }));
  writeFileSync(join(release.path, "SHA256SUMS"), checksumsOf(files));
}

const bin = (): string => join(home.path, ".local/bin");
const installed = (): string => readFileSync(join(bin(), "cra"), "utf8");

function install(...args: readonly string[]) {
  return installWith({}, ...args);
}

function installWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const env = { HOME: home.path, PATH: process.env.PATH ?? "", ...variables };
  const run = Bun.spawnSync(["sh", SCRIPT, ...args], { env, stdin: "ignore" });
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() };
}

test("installs from a folder, prints the path and PATH hint, and leaves no other files", () => {
  const { code, out, err } = install(release.path);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`cra 1.0.0 is installed: ${bin()}/cra`);
  expect(out).toContain(`export PATH="${bin()}:$PATH"`);
  expect(readdirSync(bin())).toEqual(["cra"]);
});

test("a tampered archive is refused and the installed program stays", () => {
  install(release.path);
  for (const name of readdirSync(release.path).filter((one) => one.endsWith(".gz"))) {
    const path = join(release.path, name);
    const bytes = readFileSync(path);
    bytes[bytes.length - 12] = (bytes[bytes.length - 12] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }
  const { code, err } = install(release.path);
  expect(code).toBe(1);
  expect(err).toMatch(/^install: cra-1\.0\.0-\S+ does not match SHA256SUMS \(.*nothing was installed\n$/);
  expect(installed()).toContain("cra 1.0.0");
  expect(readdirSync(bin())).toEqual(["cra"]);
});

test("a program that does not start replaces nothing", () => {
  install(release.path);
  for (const name of readdirSync(release.path)) rmSync(join(release.path, name));
  publish("1.1.0", "#!/bin/sh\necho broken >&2\nexit 1\n");
  const { code, err } = install(release.path);
  expect(code).toBe(1);
  expect(err).toContain("install: broken\ninstall: the program does not start");
  expect(installed()).toContain("cra 1.0.0");
});

test("a newer version replaces the older one", () => {
  install(release.path);
  for (const name of readdirSync(release.path)) rmSync(join(release.path, name));
  publish("1.1.0", "#!/bin/sh\necho cra 1.1.0\n");
  expect(install(release.path)).toMatchObject({ code: 0 });
  expect(installed()).toContain("cra 1.1.0");
});

test("invalid input gives a one-line error and creates nothing", () => {
  const refused = (words: string, ...args: readonly string[]): void => {
    const { code, out, err } = install(...args);
    expect({ code, out, lines: err.trim().split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
    expect(err).toContain(words);
    expect(existsSync(join(bin(), "cra"))).toBe(false);
    if (existsSync(bin())) expect(readdirSync(bin())).toEqual([]);
  };
  refused("no source");
  refused("SHA256SUMS does not exist", join(release.path, "nowhere"));
  refused("only https addresses and folders", "http://example.invalid/cra");
  refused("only https addresses and folders", "ftp://example.invalid/cra");
  publish("1.1.0", "#!/bin/sh\necho cra 1.1.0\n");
  refused("several versions", release.path);
  writeFileSync(join(release.path, "SHA256SUMS"), "");
  refused("has no archive for", release.path);
});

const SSH = Bun.which("ssh-keygen");

test.skipIf(SSH === null)("with a key, only what that key signed is installed (needs ssh-keygen)", () => {
  const keyAt = (name: string): string => {
    const path = join(home.path, name);
    Bun.spawnSync([SSH ?? "", "-q", "-t", "ed25519", "-N", "", "-C", "a comment", "-f", path]);
    return path;
  };
  const [own, other] = [keyAt("own"), keyAt("other")];
  const key = { CRA_PUBLIC_KEY: publicKeyOf(own) };
  expect(key.CRA_PUBLIC_KEY).toMatch(/^ssh-ed25519 \S+$/);
  const sums = join(release.path, "SHA256SUMS");
  const refused = (words: string): void => {
    const { code, err } = installWith(key, release.path);
    expect({ code, lines: err.trim().split("\n").length }).toEqual({ code: 1, lines: 1 });
    expect(err).toContain(words);
    expect(readdirSync(bin())).toEqual([]);
  };

  refused("SHA256SUMS.sig does not exist");
  writeFileSync(`${sums}.sig`, sign(readFileSync(sums, "utf8"), other));
  refused("not signed by the publisher's key");
  writeFileSync(`${sums}.sig`, sign(`${readFileSync(sums, "utf8")}\n`, own));
  refused("not signed by the publisher's key");
  writeFileSync(`${sums}.sig`, sign(readFileSync(sums, "utf8"), own));
  expect(installWith(key, release.path)).toMatchObject({ code: 0, err: "" });
});
