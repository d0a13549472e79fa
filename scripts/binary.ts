/**
 * Gives `dist/cra`, built anew only when something that goes into it has changed since.
 *
 * Change is told by modification times, those of folders too, so that a removed file counts. Not here: building
 * (`build.ts`, run as a process of its own so that a caller's modules and the bundler's stay apart).
 */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "cra");

/** What the binary is made of, as files and folders. */
const INPUTS = [
  "src",
  "package.json",
  "package-lock.json",
  "scripts/build.ts",
  "scripts/grammars.ts",
  "scripts/queries.ts",
  "scripts/vocabularies.ts",
];

/** The path of a binary that is as new as its sources. Throws with the build's output when it cannot be built. */
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

/** When a path was last changed, in milliseconds; 0 when it is not there. */
function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
