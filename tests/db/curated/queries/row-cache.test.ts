/** The row cache always equals the index, whatever was written meanwhile. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { KnowledgeBase } from "../../../../src/db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../../../src/db/curated/open-knowledge-base.ts";
import { keptRows } from "../../../../src/db/curated/term-blocks.ts";
import { indexIn } from "../../../support/index-in.ts";
import { type TempRepo, tempRepo } from "../../../support/repo.ts";

const FILES = {
  "a.ts": 'import { two } from "./b.ts";\nexport const one = (): number => two();\n',
  "b.ts": "export function two(): number {\n  return 2;\n}\n",
};

const indexOf = (repo: TempRepo): string => join(repo.path, ".cra", "curated.sqlite");

/** All that is kept, and more. */
function answers(kb: KnowledgeBase) {
  const files = kb.files();
  const ids = files.map(({ id }) => id);
  return {
    files,
    stats: keptRows(kb.termStats()).map(({ stats }) => Buffer.from(stats).toString("hex")),
    texts: [...kb.texts(ids)],
    bytes: [...kb.bytesToMatch(ids)].map(([id, text]) => [id, Buffer.from(text).toString()]),
    symbols: kb.symbolsIn(ids),
    definitions: kb.definitionsIn(ids),
    definitionIds: kb.definitionIdsIn(ids).map(({ fileId, ids: own }) => [fileId, own.at(0), own.at(1)]),
    definitionRows: kb.definitionRows(kb.definitionsIn(ids).map(({ id }) => id)),
    named: kb.definitionsNamed(["two", "three", "one", "four"]),
    importers: [...kb.importerCounts()],
    references: kb.referencesFrom(kb.symbolsIn(ids).map(({ id }) => id)),
  };
}

const asked = <T>(path: string, ask: (kb: KnowledgeBase) => T): T => {
  const kb = openKnowledgeBase(path, "/r");
  try {
    return ask(kb);
  } finally {
    kb.close();
  }
};

/** Of a copy, of which nothing can be known. */
function answersAnew(repo: TempRepo) {
  const copy = join(repo.path, ".cra", "copy.sqlite");
  copyFileSync(indexOf(repo), copy);
  return asked(copy, answers);
}

test("the same index is read once", async () => {
  using repo = tempRepo(FILES);
  await indexIn(repo);
  const first = asked(indexOf(repo), (kb) => [kb.files(), kb.termStats(), kb.importerCounts()] as const);
  const second = asked(indexOf(repo), (kb) => [kb.files(), kb.termStats(), kb.importerCounts()] as const);
  for (const at of [0, 1, 2] as const) expect(second[at]).toBe(first[at]);
});

test("the next task sees changed, added and removed files", async () => {
  using repo = tempRepo(FILES);
  await indexIn(repo);
  const seen = [asked(indexOf(repo), answers)];
  for (const change of [
    () => repo.write({ "b.ts": "export function two(): number {\n  return 3;\n}\n" }),
    () => repo.write({ "c.ts": 'import { two } from "./b.ts";\nexport const three = two;\n' }),
    () => repo.remove("a.ts"),
  ]) {
    change();
    await indexIn(repo);
    const after = asked(indexOf(repo), answers);
    expect(after).toEqual(answersAnew(repo));
    expect(seen).not.toContainEqual(after);
    expect(asked(indexOf(repo), answers)).toEqual(after);
    seen.push(after);
  }
});

test("sees outside writes that leave the description unchanged", async () => {
  using repo = tempRepo(FILES);
  await indexIn(repo);
  asked(indexOf(repo), answers);
  const db = new Database(indexOf(repo));
  db.run("update term_blocks set stats = x'00'");
  db.close();
  const stats = asked(indexOf(repo), (kb) => keptRows(kb.termStats()).map((row) => row.stats));
  expect(stats).toEqual([new Uint8Array([0])]);
});

test("an open index keeps its generation while others see the new one", async () => {
  using repo = tempRepo(FILES);
  await indexIn(repo);
  const before = answersAnew(repo);
  const early = openKnowledgeBase(indexOf(repo), "/r");
  try {
    repo.write({ "b.ts": "export function four(): number {\n  return 4;\n}\n" });
    await indexIn(repo);
    const after = asked(indexOf(repo), answers);
    expect(after.definitions.map(({ name }) => name)).toContain("four");
    expect(answers(early)).toEqual(before);
    expect(asked(indexOf(repo), answers)).toEqual(after);
  } finally {
    early.close();
  }
});

test("cached and new references come in SQLite's order of paths", async () => {
  const user = 'import { two } from "./b.ts";\nexport const user = (): number => two();\n';
  using repo = tempRepo({ ...FILES, "\u{1f600}.ts": user, "\ufb01.ts": user });
  await indexIn(repo);
  asked(indexOf(repo), (kb) => {
    const pathOf = new Map(kb.files().map(({ id, path }) => [id, path]));
    const users = kb.symbolsNamed(["user", "one"]);
    const callersOf = (ids: readonly number[]) =>
      kb.referencesFrom(ids).map(({ caller }) => pathOf.get(users.find(({ id }) => id === caller)?.fileId ?? 0));
    const ids = users.map(({ id }) => id).reverse();
    expect(callersOf(ids.slice(0, 1))).toEqual(["\u{1f600}.ts"]);
    expect(callersOf([...ids, ...ids])).toEqual(["a.ts", "\ufb01.ts", "\u{1f600}.ts"]);
  });
});

test("large statistics pass by, a block at a time", async () => {
  using repo = tempRepo(FILES);
  await indexIn(repo);
  const db = new Database(indexOf(repo));
  const large = 25 * 1024 * 1024;
  db.run("insert into term_blocks(id, stats) values (8, zeroblob(?1)), (9, x'0102')", [large]);
  db.close();
  asked(indexOf(repo), (kb) => {
    const stats = kb.termStats();
    if ("rows" in stats) throw new Error("they are cached");
    const seen: number[] = [];
    let before: Uint8Array | null = null;
    for (const row of stats.passing) {
      expect(before?.byteLength ?? 0).toBe(0);
      seen.push(row.stats.byteLength);
      before = row.stats;
    }
    expect(seen.slice(1)).toEqual([large, 2]);
    // Whoever finds damage looks at no more of them.
    const again = kb.termStats();
    if ("rows" in again) throw new Error("they are cached");
    for (const _ of again.passing) break;
    expect(keptRows(kb.termStats()).map((row) => row.stats.byteLength)).toEqual(seen);
  });
});
