/** Every format of a release installs and runs with its own tools; what has no tool here is skipped by name. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LAUNCHER } from "../../scripts/release/trials/npm.ts";
import { SBOM } from "../../scripts/release/trials/sbom.ts";
import { TRIALS, tryOne } from "../../scripts/release/trials/trials.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { FIRST_TARGET, makeRelease } from "./tiny-release.ts";

let release: TempFolder;
beforeAll(async () => {
  release = tempFolder();
  await makeRelease(release.path);
});
afterAll(() => release[Symbol.dispose]());

// One of these measures time, the other needs a registry: only the release tries them.
for (const trial of TRIALS.filter((one) => one !== LAUNCHER && one !== SBOM))
  test.skipIf(trial.needs.some((name) => Bun.which(name) === null))(
    `${trial.name} installs and runs (needs ${trial.needs.join(", ")})`,
    async () => {
      expect(await tryOne(trial, release.path)).toMatchObject({ tried: true });
    },
  );

/** A release of one target, in a folder with files of an earlier one and others. Tests must not change it. */
let renewed: TempFolder | undefined;
async function renewedRelease(): Promise<string> {
  if (renewed !== undefined) return renewed.path;
  renewed = tempFolder();
  const { path } = renewed;
  await Bun.write(join(path, "notes.txt"), "mine");
  await Bun.write(join(path, "cra-0.1.0.tgz"), "old");
  await Bun.write(join(path, "SHA256SUMS"), `${"0".repeat(64)}  cra-0.1.0.tgz\n${"0".repeat(64)}  ../kept\n`);
  await makeRelease(path, { targets: FIRST_TARGET });
  return path;
}
afterAll(() => renewed?.[Symbol.dispose]());

test("a trial fails when its file was changed", async () => {
  using other = tempFolder();
  cpSync(await renewedRelease(), other.path, { recursive: true });
  const archive = readdirSync(other.path).find((name) => name.endsWith("x64.tar.gz")) ?? "";
  await Bun.write(join(other.path, archive), "other bytes");
  const [script] = TRIALS;
  if (script === undefined) throw new Error("there are no trials");
  await expect(tryOne(script, other.path)).rejects.toThrow("did NOT match");
});

test("the same program gives the same bytes in every file", async () => {
  using second = tempFolder();
  await makeRelease(second.path, { targets: FIRST_TARGET });
  const checksums = (folder: string): string => readFileSync(join(folder, "SHA256SUMS"), "utf8");
  expect(checksums(second.path)).toBe(checksums(await renewedRelease()));
});

test("a release replaces the files of the one before it, and leaves others alone", async () => {
  const names = readdirSync(await renewedRelease());
  expect(names).toContain("notes.txt");
  expect(names).not.toContain("cra-0.1.0.tgz");
  expect(names.filter((name) => name.startsWith("."))).toEqual([]);
});
