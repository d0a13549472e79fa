/** Threads that count: they answer in order, and end with a reason. */
import { expect, test } from "bun:test";
import { filesIn } from "../../../src/indexing/provisional/count-batch.ts";
import { countFile } from "../../../src/indexing/provisional/count-file.ts";
import { openCountPool } from "../../../src/indexing/provisional/count-pool.ts";
import { termStatsCache } from "../../../src/indexing/provisional/term-stats-cache.ts";
import { readFile } from "../../../src/source/files/read-file.ts";
import { holdsPackage } from "../../../src/source/walk/saved-package.ts";
import { skipByAscii, skipByText } from "../../../src/source/walk/skip.ts";
import { openParsePool } from "../../../src/syntax/parse/parse-pool.ts";
import { tempRepo } from "../../support/repo.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [`f${at}.py`, `def f${at}():\n    return ${at}\n`]),
);

test("a batch is answered in its order, as on this thread", async () => {
  using repo = tempRepo({ ...FILES, "large.txt": "x".repeat(2_000), "b.bin": new Uint8Array([0]) });
  const tree = {
    readFile: (path: string, max: number) => readFile(repo.path, path, max),
    holdsPackage,
    skipByText,
    skipByAscii,
  };
  const pool = openCountPool({ root: repo.path, bytesMax: 1_000, workersMax: 2 });
  const paths = [...Object.keys(FILES), "large.txt", "b.bin", "gone.py", "../outside.py"];
  const batches = paths.map((_, at) => [...paths.slice(at), ...paths.slice(0, at)]);
  const found = await Promise.all(batches.map(async (batch) => filesIn(await pool.count(batch), batch)));
  pool.close(null);
  expect(found).toEqual(batches.map((batch) => batch.map((path) => countFile(tree, path, 1_000, termStatsCache()))));
  expect(found[0]?.slice(-4).map(({ kind }) => kind)).toEqual(["problem", "skipped", "problem", "problem"]);
});

test("a thread that has nothing to count parses", async () => {
  using repo = tempRepo(FILES);
  const counting = openCountPool({ root: repo.path, bytesMax: 1_000, workersMax: 1 });
  expect(counting.takeParser()).toBeNull();
  counting.warm();
  const counted = counting.count(["f0.py"]);
  expect(counting.takeParser()).toBeNull();
  await counted;
  const taken: (Worker | null)[] = [];
  const spawn = (): Worker | null => {
    taken.push(counting.takeParser());
    return taken[0] ?? null;
  };
  const parsing = openParsePool({ workersMax: 1, spawn });
  const { facts } = await parsing.parse({ text: FILES["f0.py"] ?? "", language: "python" });
  expect(facts.symbols.map(({ name }) => name)).toEqual(["f0"]);
  expect(taken).toEqual([expect.any(Worker)]);
  parsing.close();
  counting.close(null);
});

test("closing ends what waits with the reason, and what comes later", async () => {
  using repo = tempRepo(FILES);
  const pool = openCountPool({ root: repo.path, bytesMax: 1_000, workersMax: 1 });
  const waiting = Array.from({ length: 3 }, () => pool.count(Object.keys(FILES)));
  pool.close(new Error("stopped"));
  const ended = await Promise.allSettled([...waiting, pool.count(["f0.py"])]);
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
  for (const one of ended) expect(one).toMatchObject({ reason: { message: "stopped" } });
});
