/** Random edits of files with known texts: after any of them, the index is what a fresh one would be. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { dumpCuratedFile } from "../../support/dump.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";
import { runIndex, type World } from "./index-repo-world.ts";

/** The texts that each file may have. */
export type Variants = Readonly<Record<string, readonly string[]>>;

type WorldOf = (repo: { readonly path: string }) => World;

/** Every file with its first text. */
export const firstTexts = (variants: Variants): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variants).map(([path, [first = ""]]) => [path, first]));

export async function expectFresh(worldOf: WorldOf, repo: TempRepo, here: World): Promise<void> {
  const fresh = worldOf(repo);
  await runIndex(fresh);
  expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
}

/** Tries `runs` histories of up to `roundsMax` rounds of edits. More of them find more. */
export async function tryAnyEdits(
  worldOf: WorldOf,
  variants: Variants,
  runs: number,
  roundsMax: number,
): Promise<void> {
  const edit = fc.record({ path: fc.constantFrom(...Object.keys(variants)), variant: fc.nat(3) });
  const rounds = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: roundsMax });
  const property = fc.asyncProperty(rounds, async (all) => {
    using repo = tempRepo(firstTexts(variants)); // Nothing is committed here, and asking git takes longest.
    const here = worldOf(repo);
    await runIndex(here);
    for (const edits of all) {
      for (const { path, variant } of edits) {
        const text = variants[path]?.[variant];
        if (text === undefined && variant === 3) {
          if (existsSync(join(repo.path, path))) repo.remove(path);
        } else repo.write({ [path]: text ?? "" });
      }
      await runIndex(here);
    }
    await expectFresh(worldOf, repo, here);
  });
  await fc.assert(property, { numRuns: runs });
}
