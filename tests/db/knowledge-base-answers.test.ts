import { expect, test } from "bun:test";
import { join } from "node:path";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { keptRows, statsByFile } from "../../src/db/curated/term-blocks.ts";
import { indexIn } from "../support/index-in.ts";
import { indexed } from "../support/indexed.ts";
import { tempRepo } from "../support/repo.ts";

const FILES = {
  "a.ts": "export function one(): number {\n  return 1;\n}\n",
  "b.ts": "export class Two {\n  three(): void {}\n}\n",
  "c.md": "# A heading\n\nText.\n",
  "größe.py": "def four():\n    return 'größe'\n",
};

test("texts come in request order, whatever was requested before", async () => {
  using repo = await indexed(FILES);
  const { kb } = repo;
  const ids = kb.files().map(({ id }) => id);
  const expected = new Map(kb.files().map(({ id, path }) => [id, new Map(Object.entries(FILES)).get(path) ?? ""]));
  for (const asked of [ids.slice(1, 2), ids, ids.toReversed(), [...ids.slice(2), -1], ids])
    expect([...kb.texts(asked)]).toEqual(
      asked.flatMap((id) => (id < 0 ? [] : [[id, expected.get(id) ?? ""] as const])),
    );
});

test("definitions are the symbols of the same files in the same order", async () => {
  using repo = await indexed(FILES);
  const { kb } = repo;
  const ids = kb.files().map(({ id }) => id);
  const definitions = kb.definitionsIn(ids);
  expect(definitions.map(({ name }) => name).sort()).toEqual(["Two", "four", "one", "three"]);
  expect(definitions).toEqual(
    kb.symbolsIn([...ids].sort((a, b) => a - b)).map(({ id, fileId, name, kind }) => ({ id, fileId, name, kind })),
  );
});

/** Checks that ids lead to the rows of `definitionsIn`; returns the ids by file. */
function idsByFile(path: string): readonly (readonly number[])[] {
  const kb = openKnowledgeBase(path, "/r");
  try {
    const all = kb.definitionsIn(kb.files().map(({ id }) => id));
    const found = kb.definitionIdsIn(kb.files().map(({ id }) => id));
    const ids = found.map(({ ids: own }) => all.flatMap((_, ordinal) => own.at(ordinal) ?? []));
    expect(kb.definitionRows(ids.flat())).toEqual(kb.definitionsIn(found.map(({ fileId }) => fileId)));
    expect(ids.flat()).toHaveLength(all.length);
    return ids;
  } finally {
    kb.close();
  }
}

test("the ids of definitions lead to their rows, also where a change left a gap between them", async () => {
  using repo = tempRepo(FILES);
  const path = join(repo.path, ".cra", "curated.sqlite");
  await indexIn(repo);
  const [before] = idsByFile(path);
  repo.write({ "a.ts": `${FILES["a.ts"]}export const five = 5;\n` });
  await indexIn(repo);
  const [after = []] = idsByFile(path);
  expect(before).toEqual(after.slice(0, 1));
  expect((after[1] ?? 0) - (after[0] ?? 0)).toBeGreaterThan(1);
});

test("every file has statistics exactly once", async () => {
  using repo = await indexed(FILES);
  const { kb } = repo;
  expect(
    keptRows(kb.termStats())
      .flatMap((row) => statsByFile(row).map(([id]) => id))
      .sort((a, b) => a - b),
  ).toEqual(
    kb
      .files()
      .map(({ id }) => id)
      .sort((a, b) => a - b),
  );
});
