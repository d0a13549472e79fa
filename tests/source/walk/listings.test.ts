/** A walk that knows folders from an earlier one gives the tree that any walk gives, whatever was changed in between. */
import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Listings, listings, tellsChanges } from "../../../src/source/walk/listings.ts";
import { walkTree } from "../../../src/source/walk/tree.ts";
import { temporaryFolder } from "../fixture.ts";

const readTracked = async (): Promise<null> => null;
/** When all that a test has done so far is long past. */
const LATER_MS = 60_000;
/** Longer than a tick of any clock that times of files are taken from. */
const TICK_MS = 25;
/** So many folders are worth storing. */
const MANY = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`many/${at}/x.ts`, ""]));
const FILES = {
  "a.ts": "1",
  "b/c.ts": "2",
  "b/d/e.ts": "3",
  "b/d/made.log": "4",
  "b/.gitignore": "*.log\n",
  "f/g": "5",
};

const walk = async (root: string, known?: Listings) => {
  const { files, leftOut, problems } = await walkTree(root, { readTracked, listings: known });
  return { files: [...files], leftOut, problems };
};
const recorded = async (root: string): Promise<Uint8Array> => {
  const known = listings(null);
  await walk(root, known);
  return known.packed(Date.now() + LATER_MS) ?? new Uint8Array(0);
};

const CHANGES: readonly ((at: (path: string) => string) => void)[] = [
  (at) => writeFileSync(at("b/new.ts"), "1"),
  (at) => writeFileSync(at("a.ts"), "longer"),
  (at) => rmSync(at("b/c.ts"), { force: true }),
  (at) => rmSync(at("b/d"), { recursive: true, force: true }),
  (at) => rmSync(at("b/.gitignore"), { force: true }),
  (at) => writeFileSync(at("b/.gitignore"), "*.ts\n"),
  (at) => writeFileSync(at(".craignore"), "b/\n"),
  (at) => mkdirSync(at("new/inner"), { recursive: true }),
  (at) => {
    rmSync(at("f"), { recursive: true, force: true });
    symlinkSync("b", at("f"));
  },
  (at) => {
    rmSync(at("f"), { recursive: true, force: true });
    writeFileSync(at("f"), "a file");
  },
  (at) => {
    rmSync(at("b2"), { recursive: true, force: true });
    renameSync(at("b"), at("b2"));
    mkdirSync(at("b"));
  },
];

test("what changes is seen", async () => {
  const change = fc.constantFrom(...CHANGES);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      using folder = temporaryFolder({ ...FILES, ...MANY });
      const stored = await recorded(folder.path);
      await Bun.sleep(TICK_MS);
      for (const make of changes) make((path) => join(folder.path, path));
      const known = listings(stored);
      expect(await walk(folder.path, known)).toEqual(await walk(folder.path));
      expect(known.packed(Date.now() + LATER_MS)).toBeNull();
    }),
    { numRuns: 10 },
  );
});

test("folders that stay as they are are known by their stat, and others are not", async () => {
  using folder = temporaryFolder({ ...FILES, ...MANY, "b/empty/x": "" });
  rmSync(join(folder.path, "b/empty/x"));
  expect(tellsChanges(folder.path)).toBeBoolean();
  expect(tellsChanges(join(folder.path, "nothing"))).toBe(false);
  const before = await walk(folder.path);
  const stored = await recorded(folder.path);
  const asked: (string | null)[] = [];
  const known = listings(stored);
  const spy: Listings = {
    ...known,
    listed: (path, stat, names) => {
      asked.push(path);
      known.listed(path, stat, names);
    },
  };
  expect(await walk(folder.path, spy)).toEqual(before);
  expect(asked).toEqual([]);
  await Bun.sleep(TICK_MS);
  writeFileSync(join(folder.path, "b/d/new.ts"), "");
  await walk(folder.path, spy);
  expect(asked).toEqual(["b/d"]);
});

test("what was changed a moment ago is not kept", async () => {
  using folder = temporaryFolder({ ...FILES, ...MANY });
  const known = listings(null);
  await walk(folder.path, known);
  expect(known.packed(Date.now())).toBeNull();
  expect(known.packed(Date.now() + LATER_MS)?.length).toBeGreaterThan(100);
});

test("nothing is known from damaged bytes", async () => {
  using folder = temporaryFolder({ ...FILES, ...MANY });
  const before = await walk(folder.path);
  const stored = await recorded(folder.path);
  for (const bytes of [new Uint8Array(0), new Uint8Array(64).fill(255), stored.subarray(0, 100), stored.subarray(3)])
    expect(await walk(folder.path, listings(bytes))).toEqual(before);
});
