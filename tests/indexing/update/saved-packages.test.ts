/** A saved package is not indexed, also where an earlier version let it in. */
import { expect, test } from "bun:test";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { skipByText } from "../../../src/source/walk/skip.ts";
import { tempRepo } from "../../support/repo.ts";
import { runIndex, sharedWorlds, withDeps } from "./index-repo-world.ts";

const worldOf = sharedWorlds();
const PACKAGE =
  '{\n  "schema_version": 1,\n  "task_id": "3f2a90b1c4de",\n  "task_query": {\n    "raw_description": "x"\n  }\n}\n';

test("a package that an earlier version indexed is removed, and named", async () => {
  using repo = tempRepo({
    "context.json": PACKAGE,
    "a.py": "def f(): pass\n",
    "about.json": `{"example": ${PACKAGE}}`,
  });
  const here = worldOf(repo);
  await runIndex(
    withDeps(withDeps(here, "workTree", { skipByText: () => null, holdsPackage: () => false }), "build", {
      craVersion: "0.0.9",
    }),
  );
  const { skips } = await runIndex(withDeps(here, "workTree", { skipByText }));
  expect(skips).toEqual([{ path: "context.json", reason: "package" }]);
  const kb = openKnowledgeBase(here.paths.curated, repo.path);
  expect(kb.files().map(({ path }) => path)).toEqual(["a.py", "about.json"]);
  kb.close();
});
