/**
 * Makes a release for all platforms on this machine, and publishes nothing: `npm run release`.
 *
 * For each target, or those of `--only linux-x64,darwin-arm64`: builds the binary twice and compares the results,
 * checks every page of a macOS signature and signs again if it is invalid, tries the binary where this machine can run
 * it, and packs it in every format. Results go to `dist/release` (or `--out <folder>`), are listed in `SHA256SUMS`, signed
 * with the SSH key that `CRA_SIGNING_KEY` names, and installed and run from there as far as this machine can.
 * `--url <address>` says where the files are going to be, `--scope @you` whose npm packages they are; `--compare <folder>`
 * fails unless every file equals that of another release of the same commit. Uncommitted changes are refused unless `--draft`
 * makes a development build, which identifies itself as one. `--dry-run` packs nothing.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version as packageVersion } from "../package.json";
import { commit, committedAt, compile } from "./build.ts";
import { papers } from "./release/archives.ts";
import { checkSignature, signedAdHoc } from "./release/code-signature.ts";
import { readChecksums } from "./release/evidence/checksums.ts";
import { type Identity, LOCAL_URL } from "./release/identity.ts";
import { bundledPackages, licensedNames } from "./release/licences.ts";
import { Release } from "./release/make.ts";
import { writeRuntime } from "./release/runtimes.ts";
import { programOf, TARGETS, type Target } from "./release/targets.ts";
import { tryRelease } from "./release/trials/trials.ts";
import { HERE, runnerOf } from "./release/try-out.ts";
import { smoke } from "./smoke.ts";

const ROOT = join(import.meta.dir, "..");
/** Size limits in bytes: the program, and its smallest archive. */
const PROGRAM_MAX = 145e6;
const ARCHIVE_MAX = 60e6;

/** The name that macOS shows for the signed program. */
const IDENTIFIER = "cra";

type ReleaseOptions = {
  readonly targets: readonly Target[];
  readonly out: string;
  readonly identity: Identity;
  readonly released: boolean;
  readonly pack: boolean;
  /** The folder of a release that this one must equal, null for none. */
  readonly compared: string | null;
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function optionsFrom(words: readonly string[]): ReleaseOptions {
  const options = {
    only: { type: "string" },
    out: { type: "string" },
    url: { type: "string" },
    scope: { type: "string" },
    compare: { type: "string" },
    draft: { type: "boolean" },
    "dry-run": { type: "boolean" },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  const names = values.only?.split(",") ?? TARGETS.map(({ name }) => name);
  const unknown = names.filter((name) => !TARGETS.some((target) => target.name === name));
  if (unknown.length > 0)
    throw new Error(`no target ${unknown.join(", ")}; there are ${TARGETS.map(({ name }) => name).join(", ")}`);
  const from = commit();
  const released = values.draft !== true;
  if (released && (from === null || from.endsWith("-dirty")))
    throw new Error("a release needs a commit without local changes; commit them, or add --draft");
  return {
    targets: TARGETS.filter(({ name }) => names.includes(name)),
    out: resolve(values.out ?? join(ROOT, "dist", "release")),
    identity: {
      version: released ? packageVersion : `${packageVersion}-dev`,
      commit: from,
      madeAt: committedAt(),
      url: addressFrom(values.url ?? LOCAL_URL),
      scope: scopeFrom(values.scope),
    },
    released,
    pack: values["dry-run"] !== true,
    compared: values.compare === undefined ? null : resolve(values.compare),
  };
}

function addressFrom(text: string): string {
  const url = URL.parse(text);
  // A quote, a backslash or a dollar sign would end the strings of some manifests.
  if (url === null || !/^https?:$/.test(url.protocol) || /[^\w.:/%@+~=-]/.test(url.href))
    throw new Error(`--url: ${text} is not an address of plain characters such as https://example.com/cra`);
  return url.href.replace(/\/+$/, "");
}

function scopeFrom(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^@[a-z0-9][a-z0-9-]*$/.test(text)) throw new Error(`--scope: ${text} is not a scope of npm such as @you`);
  return text;
}

async function release({ targets, out, identity, released, pack, compared }: ReleaseOptions): Promise<void> {
  const { version, commit, url } = identity;
  const files = pack
    ? new Release({ root: ROOT, out, signingKey: process.env.CRA_SIGNING_KEY ?? null }, identity, papers(ROOT, version))
    : null;
  const workshop = join(ROOT, "dist", `.release-${process.pid}`);
  const over: string[] = [];
  try {
    for (const target of targets) {
      const folder = join(workshop, target.name);
      const program = await programFor(target, folder, commit, released);
      say(`${target.name}: ${await tryOut(target, program)}`);
      const bytes = readFileSync(program);
      const packed = (await files?.add(target, bytes)) ?? { files: [], left: [] };
      const archives = packed.files.filter(({ name }) => /\.(?:tar\.gz|tar\.zst|zip)$/.test(name));
      const smallest = Math.min(...archives.map((archive) => archive.bytes.length));
      if (bytes.length > PROGRAM_MAX || (pack && smallest > ARCHIVE_MAX)) over.push(target.name);
      const sizes = packed.files.map((file) => `${file.name} ${megabytes(file.bytes.length)}`);
      say(`${target.name}: ${[`program ${megabytes(bytes.length)}`, ...sizes, ...packed.left].join(", ")}`);
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
  files?.finish();
  const what = `${version} of ${commit ?? "no commit"}`;
  say(pack ? `${what} in ${out}; its manifests point to ${url}` : `${what}, nothing packed`);
  if (over.length > 0)
    throw new Error(`larger than ${megabytes(PROGRAM_MAX)}, or ${megabytes(ARCHIVE_MAX)} packed: ${over.join(", ")}`);
  if (!pack) return;
  if (compared !== null) compare(out, compared);
  await tryRelease(out, say);
}

/**
 * Throws if a file of the release has other bytes in another release, or is missing there. Whoever checks a release has
 * no key to sign with, so the key in `install.sh` does not count.
 */
function compare(out: string, other: string): void {
  const [own, theirs] = [out, other].map((folder) => readChecksums(readFileSync(join(folder, "SHA256SUMS"), "utf8")));
  const names = new Set([...(own?.keys() ?? []), ...(theirs?.keys() ?? [])]);
  const [script, theirScript] = [out, other].map((folder) =>
    readFileSync(join(folder, "install.sh"), "utf8").replace(/^public_key=".*"$/m, ""),
  );
  const differing = [...names].filter((name) =>
    name === "install.sh" ? script !== theirScript : own?.get(name) !== theirs?.get(name),
  );
  if (differing.length > 0) throw new Error(`differs from ${other}: ${differing.join(", ")}`);
  say(`all ${names.size} files equal those of ${other}`);
}

/** Builds the program. Throws if two builds differ, or if it contains code without a licence. */
async function programFor(target: Target, folder: string, commit: string | null, released: boolean): Promise<string> {
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const place of [first, second]) mkdirSync(place, { recursive: true });
  const executablePath = writeRuntime(ROOT, target, folder);
  const forMachine = { target: target.bun, executablePath };
  for (const place of [first, second]) await compile(join(place, "cra"), { commit, released, forMachine });
  const program = join(first, programOf(target));
  const bytes = readFileSync(program);
  if (!bytes.equals(readFileSync(join(second, programOf(target)))))
    throw new Error(`${target.name}: two builds of the same commit differ`);
  const maps = readdirSync(first).filter((name) => name.endsWith(".map"));
  const licensed = licensedNames(ROOT);
  const unlicensed = bundledPackages(maps.map((name) => readFileSync(join(first, name), "utf8"))).filter(
    (name) => !licensed.has(name),
  );
  if (unlicensed.length > 0) throw new Error(`code without a licence in the archive: ${unlicensed.join(", ")}`);
  if (target.system === "darwin") sign(target, program, bytes);
  return program;
}

/** Makes sure that a macOS program has a signature that is valid for every page. */
function sign(target: Target, program: string, bytes: Uint8Array): void {
  const before = checkSignature(bytes);
  if (before.faults.length === 0) {
    say(`${target.name}: the signature is valid for all ${before.pages} pages`);
    return;
  }
  const signed = signedAdHoc(bytes, IDENTIFIER);
  const after = checkSignature(signed);
  if (after.faults.length > 0) throw new Error(`${target.name}: its signature is invalid: ${after.faults.join("; ")}`);
  writeFileSync(program, signed);
  say(`${target.name}: signed again, ${after.pages} pages (it was invalid: ${before.faults.join("; ")})`);
}

async function tryOut(target: Target, program: string): Promise<string> {
  const runner = runnerOf(target, HERE);
  if (typeof runner === "string") return `not tried here: ${runner}`;
  await smoke(program, runner);
  return runner.length === 0 ? "tried here" : `tried here with ${runner.join(" ")}`;
}

if (import.meta.main) {
  try {
    if (!existsSync(join(ROOT, "node_modules"))) throw new Error("dependencies are not installed; run: npm ci");
    await release(optionsFrom(process.argv.slice(2)));
  } catch (error) {
    process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
