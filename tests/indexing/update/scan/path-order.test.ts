/** Files are hashed in the same order on every way to an index, though SQLite orders letters outside of Unicode's first plane otherwise. */
import { expect, test } from "bun:test";
import { sourceHashOf } from "../../../../src/indexing/update/scan/compare.ts";
import { hashOf } from "../../../../src/indexing/update/scan/file-content.ts";
import { byPath } from "../../../../src/text/order.ts";
import { tempRepo } from "../../../support/repo.ts";
import { runIndex, sharedWorlds } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

test("a first index of such names", async () => {
  const texts = { "\u{1f600}.py": "x = 1\n", "\uff21.py": "y = 1\n", "b.py": "z = 1\n" };
  using repo = tempRepo(texts);
  const { meta } = await runIndex(worldOf(repo));
  const files = Object.entries(texts).map(([path, text]) => ({ path, contentHash: hashOf(Buffer.from(text)) }));
  expect(meta.sourceHash).toBe(sourceHashOf(files.toSorted(byPath), meta, meta));
});
