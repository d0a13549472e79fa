/** The engine's options follow the command and the size of the repository, wherever both are named. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineFor } from "../src/main-engine.ts";
import { tempFolder } from "./support/folder.ts";

/** A work tree with a subfolder, an index, and a further work tree beside it whose list is large. */
function workTrees(folder: string): { readonly small: string; readonly large: string } {
  const [small, large] = [join(folder, "small"), join(folder, "large")];
  const kept = join(small, ".git", "worktrees", "large");
  for (const path of [kept, join(small, "src", "deep"), join(small, ".cra"), large])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(small, ".git", "index"), "a few files");
  writeFileSync(join(small, ".cra", "curated.sqlite"), "an index");
  writeFileSync(join(kept, "index"), new Uint8Array(2 * 1024 * 1024));
  writeFileSync(join(large, ".git"), `gitdir: ${kept}\n`);
  return { small, large };
}

test("an index and an answer are set up for the work tree that they are about", () => {
  using folder = tempFolder();
  const { small, large } = workTrees(folder.path);
  const optionsOf = (words: readonly string[], dataFolder?: string) => engineFor(words, dataFolder);
  const [smallIndex, largeIndex] = [optionsOf(["index", small]), optionsOf(["index", large])];
  expect(smallIndex).toHaveProperty("MIMALLOC_PURGE_HOLES", "0");
  expect(largeIndex).toHaveProperty("BUN_JSC_smallHeapGrowthFactor", "1.5");
  expect(optionsOf(["--repo", join(small, "src", "deep"), "index"])).toEqual(smallIndex);
  expect(optionsOf([`--repo=${large}`, "-q", "index"])).toEqual(largeIndex);
  expect(optionsOf(["index", "-q", "--repo", large])).toEqual(largeIndex);

  const question = optionsOf(["retrieve", "fix the login", "--repo", join(small, "src")]);
  expect(question).toHaveProperty("BUN_JSC_largeHeapSize", String(144 * 1024 * 1024));
  expect(optionsOf(["retrieve", "fix the login", "--repo", large])).toHaveProperty("BUN_JSC_useFTLJIT", "1");
  const first = optionsOf(["retrieve", "fix the login", "--repo", small, "--data-dir", large]);
  expect(first).toHaveProperty("BUN_JSC_largeHeapSize", String(96 * 1024 * 1024));
  expect(optionsOf(["refine", "--repo", small], large)).toEqual(first);
});

test("what is no link to a work tree is not read", () => {
  using folder = tempFolder();
  const { large } = workTrees(folder.path);
  const [piped, long] = [join(folder.path, "piped"), join(folder.path, "long")];
  for (const path of [piped, long]) mkdirSync(path);
  Bun.spawnSync(["mkfifo", join(piped, ".git")]);
  writeFileSync(join(long, ".git"), `${readFileSync(join(large, ".git"), "utf8")}${" ".repeat(10_000)}`);
  const question = ["retrieve", "fix the login"];
  const tooLong = join(folder.path, "a".repeat(5_000));
  for (const path of [piped, long, tooLong, "\0"])
    expect(engineFor([...question, "--repo", path], undefined)).toHaveProperty("BUN_JSC_useFTLJIT", "0");
});

test.each([[[]], [["status"]], [["--repo", "index", "status"]], [["search", "index"]], [["--version"]], [["-q"]]])(
  "%j runs with the engine as it is",
  (words) => expect(engineFor(words, undefined)).toBe(null),
);
