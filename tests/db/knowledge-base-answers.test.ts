import { expect, test } from "bun:test";
import { statsByFile } from "../../src/db/curated/term-blocks.ts";
import { indexed } from "../support/indexed.ts";

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

test("every file has statistics exactly once", async () => {
  using repo = await indexed(FILES);
  const { kb } = repo;
  expect(
    kb
      .termStats()
      .flatMap((row) => statsByFile(row).map(([id]) => id))
      .sort((a, b) => a - b),
  ).toEqual(
    kb
      .files()
      .map(({ id }) => id)
      .sort((a, b) => a - b),
  );
});
