/**
 * Builds a release for all platforms on this machine: `npm run release`.
 *
 * For each target, or those of `--only linux-x64,darwin-arm64`: builds the binary twice and compares the results,
 * checks every page of a macOS signature and signs again if it is invalid, tries the binary where this machine can run
 * it, and packs the archives. Results go to `dist/release` (or `--out <folder>`), together with `install.sh` and
 * `SHA256SUMS`. Uncommitted changes are refused unless `--draft` makes a development build, which identifies itself as
 * one. `--dry-run` skips the archives, which take most of the time.
 */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version as packageVersion } from "../package.json";
import { commit, compile } from "./build.ts";
import { archivesOf, papers } from "./release/archives.ts";
import { checksumsOf, isPublished } from "./release/checksums.ts";
import { checkSignature, signedAdHoc } from "./release/code-signature.ts";
import { bundledPackages, licensedNames } from "./release/licences.ts";
import { writeRuntime } from "./release/runtimes.ts";
import { programOf, TARGETS, type Target } from "./release/targets.ts";
import { HERE, runnerOf } from "./release/try-out.ts";
import { smoke } from "./smoke.ts";

const ROOT = join(import.meta.dir, "..");
/** Size limits in bytes: the program, and its smallest archive. */
const PROGRAM_MAX = 140e6;
const ARCHIVE_MAX = 60e6;

/** The name that macOS shows for the signed program. */
const IDENTIFIER = "cra";

type ReleaseOptions = {
  readonly targets: readonly Target[];
  readonly out: string;
  readonly commit: string | null;
  readonly released: boolean;
  readonly pack: boolean;
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function optionsFrom(words: readonly string[]): ReleaseOptions {
  const options = {
    only: { type: "string" },
    out: { type: "string" },
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
  const targets = TARGETS.filter(({ name }) => names.includes(name));
  const out = resolve(values.out ?? join(ROOT, "dist", "release"));
  return { targets, out, commit: from, released, pack: values["dry-run"] !== true };
}

async function release({ targets, out, commit, released, pack }: ReleaseOptions): Promise<void> {
  const version = released ? packageVersion : `${packageVersion}-dev`;
  const others = papers(ROOT, version);
  mkdirSync(out, { recursive: true });
  // Existing files may come from another commit.
  if (pack) for (const name of readdirSync(out)) if (isPublished(name)) rmSync(join(out, name));
  const workshop = join(ROOT, "dist", `.release-${process.pid}`);
  const over: string[] = [];
  try {
    for (const target of targets) {
      const folder = join(workshop, target.name);
      const program = await programFor(target, folder, commit, released);
      say(`${target.name}: ${await tryOut(target, program)}`);
      const bytes = readFileSync(program);
      const archives = pack ? await archivesOf(target, version, bytes, others) : [];
      for (const archive of archives) put(out, archive.name, archive.bytes);
      const smallest = Math.min(...archives.map((archive) => archive.bytes.length));
      if (bytes.length > PROGRAM_MAX || (pack && smallest > ARCHIVE_MAX)) over.push(target.name);
      const sizes = archives.map((archive) => `${archive.name} ${megabytes(archive.bytes.length)}`);
      say(`${target.name}: ${[`program ${megabytes(bytes.length)}`, ...sizes].join(", ")}`);
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
  if (pack) publish(out);
  say(
    `${version} of ${commit ?? "no commit"}${pack ? ` in ${out}, with SHA256SUMS and install.sh` : ", nothing packed"}`,
  );
  if (over.length > 0)
    throw new Error(`larger than ${megabytes(PROGRAM_MAX)}, or ${megabytes(ARCHIVE_MAX)} packed: ${over.join(", ")}`);
}

/** Writes the files that all targets share: the install script and the checksums. */
function publish(out: string): void {
  put(out, "install.sh", readFileSync(join(ROOT, "scripts", "install.sh")));
  chmodSync(join(out, "install.sh"), 0o755);
  put(out, "SHA256SUMS", Buffer.from(checksumsOf(out)));
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

/** Writes a file atomically. */
function put(folder: string, name: string, bytes: Uint8Array): void {
  const partial = join(folder, `.${name}.${process.pid}`);
  writeFileSync(partial, bytes);
  renameSync(partial, join(folder, name));
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
