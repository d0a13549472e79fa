/**
 * Provides Bun's executables for other platforms from the npm packages that package-lock.json pins.
 *
 * Bun's own download does not verify them. Here npm downloads each package once into `dist/runtimes`, and its integrity
 * is checked against package-lock.json at every use.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { untar } from "../bench/untar.ts";
import { lockedPackages } from "./lock.ts";
import type { Target } from "./targets.ts";

/** Writes the executable for a target into `folder` and returns its path. Throws a one-line error on failure. */
export function writeRuntime(root: string, target: Target, folder: string): string {
  const locked = lockedPackages(root).find(({ name }) => name === target.runtime);
  if (locked === undefined || locked.integrity === null) throw new Error(`package-lock.json has no ${target.runtime}`);
  const { version, integrity } = locked;
  const store = join(root, "dist", "runtimes");
  const archive = join(store, `${target.runtime.slice(1).replace("/", "-")}-${version}.tgz`);
  mkdirSync(store, { recursive: true });
  if (!existsSync(archive)) fetchPackage(`${target.runtime}@${version}`, store);
  const bytes = readFileSync(archive);
  if (`sha512-${createHash("sha512").update(bytes).digest("base64")}` !== integrity) {
    rmSync(archive);
    throw new Error(
      `${target.runtime}@${version} does not match package-lock.json; the download was removed, try again`,
    );
  }
  for (const { path, content } of untar(Bun.gunzipSync(bytes))) {
    if (path !== "package/bin/bun" && path !== "package/bin/bun.exe") continue;
    const executable = join(folder, path.slice("package/bin/".length));
    writeFileSync(executable, content);
    chmodSync(executable, 0o755);
    return executable;
  }
  throw new Error(`${target.runtime}@${version} contains no executable`);
}

function fetchPackage(name: string, folder: string): void {
  const npm = Bun.which("npm");
  if (npm === null) throw new Error(`npm is not on the PATH, and ${name} is not in ${folder}`);
  const options = ["--ignore-scripts", "--silent", "--pack-destination", folder];
  const { success, stderr } = Bun.spawnSync([npm, "pack", name, ...options], { stdout: "ignore", stderr: "pipe" });
  if (!success) throw new Error(`npm cannot download ${name}: ${stderr.toString().trim() || "check the network"}`);
}
