/** Installs and runs a release from its folder, in every format whose tools are on this machine; the others are named. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChecksums } from "../evidence/checksums.ts";
import { ARCH } from "./arch.ts";
import { BUNDLE } from "./bundle.ts";
import { HOMEBREW } from "./homebrew.ts";
import { IMAGE } from "./image.ts";
import { INSTALL_SCRIPT } from "./install-script.ts";
import { LAUNCHER, NPM } from "./npm.ts";
import { SBOM } from "./sbom.ts";
import { DEB, RPM } from "./system-packages.ts";
import type { Trial, TrialPlace } from "./trial.ts";

export const TRIALS: readonly Trial[] = [INSTALL_SCRIPT, NPM, LAUNCHER, DEB, RPM, IMAGE, ARCH, HOMEBREW, BUNDLE, SBOM];

/** How the formats name this machine's processor; names without a processor fit as well. */
const OWN = { x64: /x64|x86_64|amd64/, arm64: /arm64|aarch64/ };
const OTHER = { x64: OWN.arm64, arm64: OWN.x64 };

/** What came of a trial: what was done, or why it was not tried here. */
export type Outcome = { readonly tried: true; readonly done: string } | { readonly tried: false; readonly why: string };

/** Throws if the trial fails. */
export async function tryOne(trial: Trial, release: string): Promise<Outcome> {
  const missing = trial.needs.filter((name) => Bun.which(name) === null);
  if (missing.length > 0) return { tried: false, why: `it needs ${missing.join(", ")}` };
  const names = [...readChecksums(readFileSync(join(release, "SHA256SUMS"), "utf8")).keys()];
  const find = (ending: string): string | undefined => names.find((name) => name.endsWith(ending) && isOwn(name));
  if (find(trial.ending) === undefined) return { tried: false, why: "the release has no file for this machine" };
  const scratch = mkdtempSync(join(tmpdir(), "cra-trial-"));
  const place: TrialPlace = {
    release,
    scratch,
    file: (ending) => {
      const name = find(ending);
      if (name === undefined) throw new Error(`the release has no file ${ending} for this machine`);
      return join(release, name);
    },
  };
  try {
    return { tried: true, done: await trial.run(place) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isOwn(name: string): boolean {
  const processor = process.arch === "arm64" ? "arm64" : "x64";
  return !OTHER[processor].test(name) && !/musl|darwin|windows/.test(name);
}

/** Tries every format. Throws after the last one if any failed. */
export async function tryRelease(release: string, say: (line: string) => void): Promise<void> {
  const failed: string[] = [];
  for (const trial of TRIALS) {
    try {
      const outcome = await tryOne(trial, release);
      say(`${trial.name}: ${outcome.tried ? outcome.done : `not tried here: ${outcome.why}`}`);
    } catch (error) {
      say(`${trial.name}: FAILED: ${error instanceof Error ? error.message : String(error)}`);
      failed.push(trial.name);
    }
  }
  if (failed.length > 0) throw new Error(`not installable: ${failed.join(", ")}; the files stay in ${release}`);
}
