/** Dependencies come back as they were added. */
import { expect, test } from "bun:test";
import type { DependencyRow } from "../../../src/db/curated/knowledge-base.ts";
import { dependencyList } from "../../../src/indexing/links/dependency-list.ts";

test("rows in order", () => {
  const rows: readonly DependencyRow[] = [
    { source: 1, target: 2, kind: "import" },
    { source: 1, target: 70_000, kind: "type_ref" },
    { source: 3, target: 1, kind: "import" },
  ];
  const list = dependencyList();
  expect([...list.rows()]).toEqual([]);
  rows.forEach(list.add);
  expect([...list.rows()]).toEqual([...rows]);
});
