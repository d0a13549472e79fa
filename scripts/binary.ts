/**
 * Returns the path of an up-to-date `dist/cra` and rebuilds it when any of its inputs has changed.
 *
 * Inputs are compared by modification time. Folders count too, so that a removed file triggers a build.
 */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "cra");

/** Files and folders that the binary is built from. */
const INPUTS = [
  "src",
  "package.json",
  "package-lock.json",
  "scripts/build.ts",
  "scripts/grammars.ts",
  "scripts/metered-runtime.ts",
  "scripts/queries.ts",
  "scripts/vocabularies.ts",
];

/** Returns the path of a binary that is newer than its inputs. Throws the output of the build when it fails. */
export async function freshBinary(): Promise<string> {
  const newest = Math.max(...INPUTS.map((input) => newestMs(join(ROOT, input))));
  if (modifiedMs(BINARY) > newest) return BINARY;
  const builder = Bun.spawn([process.execPath, "scripts/build.ts"], { cwd: ROOT, stdout: "ignore", stderr: "pipe" });
  const errors = await new Response(builder.stderr).text();
  if ((await builder.exited) !== 0) throw new Error(errors.trim());
  return BINARY;
}

function newestMs(path: string): number {
  const own = modifiedMs(path);
  if (own === 0 || !statSync(path).isDirectory()) return own;
  return Math.max(own, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** Modification time of a path in milliseconds, 0 if the path does not exist. */
function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
