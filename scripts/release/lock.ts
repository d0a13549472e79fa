/** Reads the packages that package-lock.json pins. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

/** `folder` is relative to the project's root. `ships` is true if cra needs the package at run time. */
export type LockedPackage = {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
  readonly licence: string;
  readonly integrity: string | null;
  readonly ships: boolean;
};

/** Every package except the project itself, in the order of the file. */
export function lockedPackages(root: string): readonly LockedPackage[] {
  const { packages } = LockFile.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  return Object.entries(packages)
    .filter(([folder]) => folder !== "")
    .map(([folder, { version = "", license = "not named", integrity = null, dev, devOptional }]) => ({
      name: folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length),
      folder,
      version,
      licence: license,
      integrity,
      ships: dev !== true && devOptional !== true,
    }));
}
