/** File metadata: promoted atomically, deleted with its content, and never hiding damage. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { checkCurated } from "../../../../src/db/check/curated.ts";
import { openKnowledgeBase } from "../../../../src/db/curated/open-knowledge-base.ts";
import { type Metadata, type PromotedTo, promoteInto } from "../../../../src/db/curated/write/file-metadata.ts";
import { checksumState } from "../../../../src/db/sqlite/checksum.ts";
import { hashOfIndex } from "../../../../src/indexing/update/scan/compare.ts";
import { onOneThread, runIndex, sharedWorlds, type World } from "../../../indexing/update/index-repo-world.ts";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { failureOf } from "../../../support/failure.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";

const worldOf = sharedWorlds();
let repo: TempRepo;
let here: World;
const index = (): string => here.paths.curated;
beforeEach(async () => {
  repo = tempRepo({ "a.py": "def a():\n    pass\n", "b.py": "def b():\n    pass\n", "c.py": "def c():\n    pass\n" });
  here = onOneThread(worldOf(repo));
  await runIndex(here);
});
afterEach(() => repo[Symbol.dispose]());

const about = ({ path }: PromotedTo): Metadata => ({
  purpose: `What ${path} is for.`,
  module: path.slice(0, 1),
  domain: null,
  concepts: ["one", path],
  publicApiSurface: ["a()"],
  complexityNotes: null,
});

/** The paths that have metadata, and what it says they are for. */
function stored(): Readonly<Record<string, string | null>> {
  const kb = openKnowledgeBase(index(), repo.path);
  const paths = new Map(kb.files().map(({ id, path }) => [id, path]));
  const rows = kb.fileMetadata().map(({ fileId, purpose }) => [paths.get(fileId), purpose] as const);
  kb.close();
  return Object.fromEntries(rows);
}

const findings = () => checkCurated(index(), hashOfIndex, () => {});

test("promoting writes the given rows, keeps the rest, and keeps the index valid", () => {
  expect(promoteInto(index(), about)).toEqual({ files: 3, changed: 3 });
  expect(Object.keys(stored())).toEqual(["a.py", "b.py", "c.py"]);
  expect([checksumState(index()), findings()]).toEqual(["whole", []]);
  const only = (file: PromotedTo) => (file.path === "b.py" ? { ...about(file), purpose: "Another." } : null);
  expect(promoteInto(index(), only)).toEqual({ files: 3, changed: 1 });
  expect(stored()).toEqual({ "a.py": "What a.py is for.", "b.py": "Another.", "c.py": "What c.py is for." });
  expect([checksumState(index()), findings()]).toEqual(["whole", []]);
});

test("promoting the same again changes no byte", () => {
  promoteInto(index(), about);
  const before = readFileSync(index());
  expect(promoteInto(index(), about)).toEqual({ files: 3, changed: 0 });
  expect(readFileSync(index()).equals(before)).toBe(true);
  expect(checksumState(index())).toBe("whole");
});

test("metadata stays as long as the file's content", async () => {
  promoteInto(index(), about);
  repo.write({ "a.py": "def a():\n    return 1\n", "d.py": "import a\n" });
  repo.remove("b.py");
  await runIndex(here);
  expect(stored()).toEqual({ "c.py": "What c.py is for." });
  // The rest of the index is as one made from nothing.
  const grown = dumpCuratedFile(index());
  const fresh = onOneThread(worldOf(repo));
  await runIndex(fresh);
  promoteInto(fresh.paths.curated, (file) => (file.path === "c.py" ? about(file) : null));
  expect(grown).toBe(dumpCuratedFile(fresh.paths.curated));
  expect(findings()).toEqual([]);
});

test("an updated index keeps metadata; a new one has none", async () => {
  promoteInto(index(), about);
  await runIndex(here, { rebuild: true });
  expect(Object.keys(stored())).toEqual(["a.py", "b.py", "c.py"]);
  rmSync(index());
  await runIndex(here);
  expect(stored()).toEqual({});
});

test("a damaged index is refused, and one without a checksum gets none", () => {
  rmSync(`${index()}.seal`);
  expect(promoteInto(index(), about).changed).toBe(3);
  expect(existsSync(`${index()}.seal`)).toBe(false);
  writeFileSync(`${index()}.seal`, JSON.stringify({ bytes: 1, hashes: ["0"] }));
  expect(failureOf(() => promoteInto(index(), () => null)).code).toBe("index-damaged");
  expect(Object.keys(stored())).toHaveLength(3);
});

test("a failed promotion changes nothing", () => {
  promoteInto(index(), about);
  const before = stored();
  const failing = (file: PromotedTo): Metadata | null => {
    if (file.path === "c.py") throw new Error("no");
    return { ...about(file), purpose: "Another." };
  };
  expect(() => promoteInto(index(), failing)).toThrow("no");
  expect(stored()).toEqual(before);
  expect(checksumState(index())).toBe("whole");
});
