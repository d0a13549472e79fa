/** A small run starts no threads, and gives the same index as one with threads. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { DueFile } from "../../../src/indexing/model/index-run.ts";
import { isSmall } from "../../../src/indexing/update/small-run.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { tempFolder } from "../../support/folder.ts";
import { HANG_MS } from "../../support/hang.ts";
import { type Files, type TempRepo, tempRepo } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";
import { onOneThread, runIndex, sharedPool, type World, withDeps, world } from "./index-repo-world.ts";

setDefaultTimeout(HANG_MS);

const scratch = shared(tempFolder()).path;
let folders = 0;
const inThreads = (repo: TempRepo): World => world(repo.path, join(scratch, String(++folders)), sharedPool());

/** What was given to threads: the paths of texts, and `writer`. */
function watched(here: World): { readonly here: World; readonly threads: string[] } {
  const threads: string[] = [];
  const { parser, store } = here.deps;
  const parse: typeof parser.parse = (input, signal) => {
    threads.push(input.path);
    return parser.parse(input, signal);
  };
  const startWriter: typeof store.startWriter = (...all) => {
    threads.push("writer");
    return store.startWriter(...all);
  };
  return { here: withDeps(withDeps(here, "parser", { parse }), "store", { startWriter }), threads };
}

/** `count` files of `chars` characters at least. */
const sources = (count: number, chars: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `src/f${at}.ts`,
      `import { f${at + 1} } from "./f${at + 1}";\nexport function f${at}(a: number) {\n  return f${at + 1}(a);\n}\n`.padEnd(
        chars,
        "\n",
      ),
    ]),
  );
const MIXED: Files = {
  ...sources(3, 0),
  "pkg/util.py": 'def helper(task):\n    """Helps."""\n    return task\n',
  "app/View.vue": "<script lang='ts'>\nexport default { name: 'View' };\n</script>\n",
  "README.md": "# Read me\n\nhelper helps\n",
  "notes.txt": "plain words\n",
};

test("few contents are parsed and written on the calling thread, then and later", async () => {
  using repo = tempRepo(MIXED, { git: true });
  const { here, threads } = watched(onOneThread(inThreads(repo)));
  const first = await runIndex(here);
  expect([first.parsed, first.problems]).toEqual([Object.keys(MIXED).length, []]);
  repo.write({ "src/f1.ts": "export const f1 = 1;\n", "src/new.go": "package main\n\nfunc New() {}\n" });
  repo.remove("pkg/util.py");
  const second = await runIndex(here);
  expect([second.parsed, second.files]).toEqual([2, { added: 1, changed: 1, removed: 1, unchanged: 5 }]);
  expect(threads).toEqual([]);
  const fresh = inThreads(repo);
  await runIndex(fresh);
  expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
});

test.each([
  ["many contents", sources(33, 0)],
  ["long contents", sources(3, 22_000)],
])("%s go to threads, all of them", async (_, files) => {
  using repo = tempRepo(files);
  const { here, threads } = watched(onOneThread(inThreads(repo)));
  await runIndex(here);
  expect(threads.sort()).toEqual([...Object.keys(files), "writer"].sort());
});

test("a text that is much work goes to a thread, with those after it, and has the same facts", async () => {
  using repo = tempRepo({
    "a.ts": "export const a = 1;\n",
    "b.ts": `${"->".repeat(20)}\n`.repeat(30),
    "c.ts": "export const c = 1;\n",
  });
  const { here, threads } = watched(onOneThread(inThreads(repo)));
  await runIndex(here);
  expect(threads).toEqual(["writer", "b.ts", "c.ts"]);
  const fresh = inThreads(repo);
  await runIndex(fresh);
  expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
});

test("an aborted run stops before the next text, and writes nothing", async () => {
  using repo = tempRepo(sources(5, 0));
  const { here } = watched(onOneThread(inThreads(repo)));
  const stop = new AbortController();
  const progress: string[] = [];
  const run = runIndex(here, {}, stop.signal, ({ phase, done }) => {
    progress.push(phase);
    if (phase === "parse" && done > 0) stop.abort(new Error("enough"));
  });
  expect(run).rejects.toThrow("enough");
  await run.catch(() => undefined);
  expect(progress).not.toContain("write");
  expect((await runIndex(here)).files.added).toBe(5);
});

test("what a small generation may hold", () => {
  const due = (count: number, sizeBytes = 10): readonly DueFile[] =>
    Array.from({ length: count }, (_, at) => ({
      path: `f${at}`,
      language: "text",
      contentHash: String(at),
      sizeBytes,
      isTest: false,
      id: null,
    }));
  const commit = (touched: number) => ({
    hash: "a",
    author: "a",
    message: "m",
    timestamp: 1,
    files: due(touched).map(({ path }) => path),
  });
  const history = (...touched: readonly number[]) => ({ commits: touched.map(commit), filesMax: 50 });
  const small = { due: due(32), removedIds: [], isRepeated: false, scip: "keep", history: history(900) } as const;
  expect(isSmall(small, 168)).toBe(true);
  expect(isSmall(small, 169)).toBe(false);
  expect(isSmall({ ...small, due: due(33) }, 0)).toBe(false);
  expect(isSmall({ ...small, due: due(1, 64 * 1024 + 1) }, 0)).toBe(false);
  expect(isSmall({ ...small, removedIds: Array.from({ length: 33 }, (_, id) => id) }, 100)).toBe(false);
  expect(isSmall({ ...small, history: history(900, 99) }, 0)).toBe(false);
  expect(isSmall({ ...small, scip: new Uint8Array(1) }, 0)).toBe(false);
  expect(isSmall({ ...small, isRepeated: true }, 0)).toBe(false);
});
