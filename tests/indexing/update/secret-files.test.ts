/** A file that may hold secrets leaves nothing in an index, also where an earlier rule let it in. */
import { expect, test } from "bun:test";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { openFactCache } from "../../../src/db/parse-cache/open-parse-cache.ts";
import { skipByPath } from "../../../src/source/walk/skip.ts";
import { tempRepo } from "../../support/repo.ts";
import { onOneThread, runIndex, sharedWorlds, withDeps } from "./index-repo-world.ts";

const worldOf = sharedWorlds();

test("a file indexed before is removed at the next run: row, text, search and parsed facts", async () => {
  using repo = tempRepo({ "keys/vars.tfvars": 'zanzibar_password = "x"\n', "a.py": "def zanzibar(): pass\n" });
  const here = onOneThread(worldOf(repo));
  await runIndex(withDeps(here, "workTree", { skipByPath: () => null }));
  const before = openKnowledgeBase(here.paths.curated, repo.path);
  const file = before.storedFiles().find(({ path }) => path === "keys/vars.tfvars");
  expect(before.search("zanzibar_password", 5).map(({ path }) => path)).toContain("keys/vars.tfvars");
  before.close();
  const key = { hash: file?.contentHash ?? "", language: file?.language ?? "" };
  const isCached = (): boolean => {
    const cache = openFactCache(here.paths, here.deps.build.extractorVersion, 0);
    const found = cache.has(key);
    cache.close();
    return found;
  };
  expect(isCached()).toBe(true);

  const { skips } = await runIndex(withDeps(here, "workTree", { skipByPath }));
  expect(skips).toEqual([{ path: "keys/vars.tfvars", reason: "secret" }]);
  const after = openKnowledgeBase(here.paths.curated, repo.path);
  expect(after.files().map(({ path }) => path)).toEqual(["a.py"]);
  expect(after.search("zanzibar_password", 5).map(({ path }) => path)).not.toContain("keys/vars.tfvars");
  expect(after.meta().skipped).toEqual([{ reason: "secret", count: 1 }]);
  after.close();
  expect(isCached()).toBe(false);
});
