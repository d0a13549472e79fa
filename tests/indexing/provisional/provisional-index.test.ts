/** An index in memory: with every file parsed it is the index, with some it has their facts and links alone. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import type { KnowledgeBase } from "../../../src/db/curated/knowledge-base.ts";
import { openMemoryIndex } from "../../../src/db/curated/memory-index.ts";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { keptRows, statsByFile } from "../../../src/db/curated/term-blocks.ts";
import { openFactCache } from "../../../src/db/parse-cache/open-parse-cache.ts";
import type { ParseCache } from "../../../src/db/parse-cache/parse-cache.ts";
import type { IndexProgress } from "../../../src/indexing/model/index-run.ts";
import {
  type Chosen,
  openUnparsed,
  type ProvisionalDeps,
  parseChosen,
} from "../../../src/indexing/provisional/provisional-index.ts";
import type { TextParser } from "../../../src/indexing/update/index-deps.ts";
import { hashOf } from "../../../src/indexing/update/scan/file-content.ts";
import { replaceInBlock, statsInBlock } from "../../../src/text/terms/encode-stats-block.ts";
import { tempRepo } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";
import { SHOP_FILES } from "../../support/shop.ts";
import { OPTIONS, runIndex, sharedWorlds, type World, withParser } from "../update/index-repo-world.ts";
import { counted } from "./counted-tree.ts";

const worldOf = sharedWorlds();
const FILES = { ...SHOP_FILES, "notes.txt": "nothing to parse\n" };
const PATHS = Object.keys(FILES).sort();
const NEVER = new AbortController().signal;

async function depsOf(here: World, cache: ParseCache): Promise<ProvisionalDeps> {
  const { corpus } = await counted(here, cache);
  const head = await here.deps.git.readHead(NEVER);
  return {
    ...here.deps,
    index: openMemoryIndex(here.root),
    cache,
    options: OPTIONS,
    corpus,
    head,
    texts: new Map(),
    isBehind: false,
  };
}

const idsOf = (...paths: readonly string[]): readonly number[] => paths.map((path) => PATHS.indexOf(path) + 1);

async function opened(here: World, chosen: Partial<Chosen>, cache = here.deps.store.openCache()) {
  const deps = await depsOf(here, cache);
  openUnparsed(deps).close();
  const whole: Chosen = { first: [], importers: [], ifParsed: [], ...chosen };
  const kb = await parseChosen(deps, whole, () => undefined, NEVER);
  return { kb, cache };
}

/** What an index knows, by paths and names. */
function contentOf(kb: KnowledgeBase) {
  const files = kb.storedFiles();
  const ids = files.map(({ id }) => id);
  const pathOf = new Map(files.map(({ id, path }) => [id, path]));
  const symbols = kb.symbolsIn(ids);
  const nameOf = new Map(
    symbols.map(({ id, fileId, qualifiedName }) => [id, `${pathOf.get(fileId)}:${qualifiedName}`]),
  );
  return {
    // A first answer writes full-text rows when the first question needs them.
    defined: kb.findDefinitions("total", 10).map(({ path, name, rank }) => [path, name, rank]),
    files: files.map(({ id: _, ...file }) => file),
    texts: [...kb.texts(ids)].map(([id, text]) => [pathOf.get(id), text]),
    symbols: symbols.map(({ id, fileId, parentId, ...symbol }) => [nameOf.get(id), nameOf.get(parentId ?? 0), symbol]),
    docs: kb
      .docstringsIn(ids)
      .map(({ fileId, symbolId, content }) => [pathOf.get(fileId), nameOf.get(symbolId ?? 0), content]),
    comments: kb
      .commentsIn(ids)
      .map(({ fileId, symbolId, content }) => [pathOf.get(fileId), nameOf.get(symbolId ?? 0), content]),
    imports: kb
      .dependenciesBetween(ids)
      .map(({ source, target, kind }) => [pathOf.get(source), pathOf.get(target), kind]),
    uses: kb
      .referencesFrom(symbols.map(({ id }) => id))
      .map(({ caller, callee, kind, confidence }) => [nameOf.get(caller), nameOf.get(callee), kind, confidence]),
    tests: kb.testedBy(ids).map(({ test, source, score, by }) => [pathOf.get(test), pathOf.get(source), score, by]),
    found: kb.search("total", 10).map(({ path, name, line }) => [path, name, line]),
    stats: new Map(
      keptRows(kb.termStats())
        .flatMap(statsByFile)
        .map(([fileId, stats]) => [pathOf.get(fileId), Buffer.from(inOrder(stats)).toString("hex")]),
    ),
  };
}

/** Statistics with their terms in the order of a block. */
function inOrder(stats: Uint8Array): Uint8Array {
  const block = replaceInBlock(null, new Map([[0, stats]]));
  return (block === null ? undefined : statsInBlock(block).get(0)) ?? stats;
}

const repo = shared(tempRepo(FILES));

test("with every file parsed it answers as the index does", async () => {
  const { kb } = await opened(worldOf(repo), { first: idsOf(...PATHS) });
  const here = worldOf(repo);
  await runIndex(here);
  const index = openKnowledgeBase(here.paths.curated, repo.path);
  expect(contentOf(kb)).toEqual(contentOf(index));
  expect(contentOf(kb).uses.length).toBeGreaterThan(0);
  expect(contentOf(kb).defined.length).toBeGreaterThan(0);
  expect(kb.meta()).toMatchObject({
    ...index.meta(),
    contentHash: expect.any(String),
    sourceHash: expect.any(String),
    indexedAt: expect.any(String),
    provisional: { parsed: 6, index: "none" },
  });
  expect(kb.meta().contentHash).not.toBe(index.meta().contentHash);
  index.close();
  kb.close();
});

test("a file that is not parsed has its text, its words and its place, and no definitions", async () => {
  const { kb } = await opened(worldOf(repo), { first: idsOf("shop/price.py") });
  const { symbols, texts, imports, files, found } = contentOf(kb);
  expect(symbols.map(([name]) => name)).toEqual(["shop/price.py:total", "shop/price.py:discount"]);
  expect(imports).toEqual([]);
  expect(texts).toEqual(PATHS.map((path) => [path, FILES[path as keyof typeof FILES]]));
  expect(files.map(({ path, lineCount }) => [path, lineCount])).toEqual(
    PATHS.map((path) => [path, FILES[path as keyof typeof FILES].split("\n").length - 1]),
  );
  expect(found.map(([path]) => path)).toEqual(["shop/price.py", "shop/price.py"]);
  expect(kb.meta().counts).toMatchObject({ files: 6, symbols: 2 });
  kb.close();
});

test("direct imports of the importers are parsed too, and what was parsed before is taken where it is wanted", async () => {
  const here = worldOf(repo);
  const first = await opened(here, { first: idsOf("tests/test_cart.py"), importers: idsOf("tests/test_cart.py") });
  const defined = (kb: KnowledgeBase) => [
    ...new Set(contentOf(kb).symbols.map(([name]) => String(name).split(":")[0])),
  ];
  expect(defined(first.kb)).toEqual(["shop/cart.py", "tests/test_cart.py"]);
  expect(contentOf(first.kb).imports).toEqual([
    ["shop/cart.py", "shop/price.py", "import"],
    ["tests/test_cart.py", "shop/cart.py", "import"],
  ]);
  first.kb.close();
  const wanted = { first: idsOf("shop/mail.py"), ifParsed: idsOf("shop/cart.py", "shop/price.py") };
  const second = await opened(here, wanted);
  expect(defined(second.kb)).toEqual(["shop/cart.py", "shop/mail.py"]);
  // The state of the cache is part of what the content hash covers.
  const fresh = await opened(worldOf(repo), wanted);
  expect(defined(fresh.kb)).toEqual(["shop/mail.py"]);
  expect(fresh.kb.meta().contentHash).not.toBe(second.kb.meta().contentHash);
  const same = await opened(worldOf(repo), { first: wanted.first });
  expect(same.kb.meta().contentHash).toBe(fresh.kb.meta().contentHash);
});

test("a copy of what is parsed has its facts too, however fast the threads are", async () => {
  const texts = { "a.py": "import os\n\ndef first():\n    pass\n", "b.py": "def second():\n    pass\n" };
  using copies = tempRepo({ ...texts, "c.py": texts["b.py"] });
  const defined: unknown[] = [];
  for (const [late, early] of [
    ["a.py", "b.py"],
    ["b.py", "a.py"],
  ] as const) {
    const whole = worldOf(copies);
    const cache = whole.deps.store.openCache();
    const hash = hashOf(Buffer.from(texts[early]));
    const parse: TextParser["parse"] = async (input, signal) => {
      while (input.path === late && !cache.has({ hash, language: "python" })) await Bun.sleep(1);
      return await whole.deps.parser.parse(input, signal);
    };
    const { kb } = await opened(withParser(whole, parse), { first: [1, 2], importers: [1], ifParsed: [3] }, cache);
    defined.push(contentOf(kb).symbols.map(([name]) => name));
    kb.close();
  }
  const all = ["a.py:first", "b.py:second", "c.py:second"];
  expect(defined).toEqual([all, all]);
});

test("a file that changes after it was counted keeps its place, without text and facts", async () => {
  using own = tempRepo(FILES);
  const here = worldOf(own);
  const cache = here.deps.store.openCache();
  const deps = await depsOf(here, cache);
  openUnparsed(deps).close();
  own.write({ "shop/price.py": "def other():\n    pass\n" });
  const chosen = { first: idsOf("shop/price.py", "shop/mail.py"), importers: [], ifParsed: [] };
  const kb = await parseChosen(deps, chosen, () => undefined, NEVER);
  const { symbols, texts } = contentOf(kb);
  expect(symbols.map(([name]) => name)).toEqual(["shop/mail.py:send"]);
  expect(texts.map(([path]) => path)).toEqual(PATHS.filter((path) => path !== "shop/price.py"));
});

test("a configuration that changes after it was counted says nothing", async () => {
  const files = {
    "src/lib.ts": "export function lib() {}\n",
    "src/use.ts": 'import { lib } from "@/lib";\nlib();\n',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }\n',
  };
  using own = tempRepo(files);
  const here = worldOf(own);
  const first = Object.keys(files).map((_, at) => at + 1);
  expect(contentOf((await opened(here, { first })).kb).imports).toHaveLength(1);
  const deps = await depsOf(here, here.deps.store.openCache());
  openUnparsed(deps).close();
  own.write({ "tsconfig.json": "{}\n" });
  const kb = await parseChosen(deps, { first: [1, 2], importers: [1, 2], ifParsed: [] }, () => undefined, NEVER);
  expect(contentOf(kb).symbols.map(([name]) => name)).toEqual(["src/lib.ts:lib"]);
  expect(contentOf(kb).imports).toEqual([]);
});

test("progress counts everything that is parsed at the same time together, and links of parsed files alone", async () => {
  const here = worldOf(repo);
  const deps = await depsOf(here, here.deps.store.openCache());
  openUnparsed(deps).close();
  const first = idsOf("shop/cart.py", "shop/mail.py", "tests/test_cart.py");
  const told: IndexProgress[] = [];
  const chosen = { first, importers: idsOf("tests/test_cart.py"), ifParsed: [] };
  await parseChosen(deps, chosen, (step) => told.push(step), NEVER);
  const parse = told.filter(({ phase }) => phase === "parse");
  const bytes = first.reduce((sum, id) => sum + (deps.corpus.files[id - 1]?.sizeBytes ?? 0), 0);
  expect(parse.map(({ total }) => total)).toEqual(parse.map(() => bytes));
  expect(parse.map(({ done }) => done)).toEqual(parse.map(({ done }) => done).sort((a, b) => a - b));
  expect(parse.at(-1)?.done).toBe(bytes);
  expect(new Set(told.flatMap(({ phase, total }) => (phase === "resolve" ? [total] : [])))).toEqual(new Set([3]));
});

test("facts that another process deletes are left out if their file has changed", async () => {
  using own = tempRepo(FILES);
  const here = worldOf(own);
  const first = idsOf("shop/price.py", "shop/mail.py");
  (await opened(here, { first })).cache.close();
  const deps = await depsOf(here, here.deps.store.openCache());
  openUnparsed(deps).close();
  let isGone = false;
  const late = (): void => {
    if (isGone) return;
    isGone = true;
    own.write({ "shop/price.py": "def other():\n    pass\n" });
    const db = new Database(here.paths.parseCache);
    db.run("delete from entries");
    db.close();
  };
  const chosen = { first, importers: [], ifParsed: [] };
  const kb = await parseChosen(deps, chosen, ({ phase }) => phase === "resolve" && late(), NEVER);
  expect(isGone).toBe(true);
  expect(contentOf(kb).symbols.map(([name]) => name)).toEqual(["shop/mail.py:send"]);
});

test("facts that prove unreadable are parsed again", async () => {
  const here = worldOf(repo);
  const first = await opened(here, { first: idsOf(...PATHS) });
  const before = contentOf(first.kb);
  first.cache.close();
  const db = new Database(here.paths.parseCache);
  db.run("update entries set facts = zeroblob(10)");
  db.close();
  const again = await opened(here, { first: idsOf(...PATHS) });
  expect(contentOf(again.kb)).toEqual(before);
});

test("what was parsed is not parsed again by the index, which is the same as without it", async () => {
  const here = worldOf(repo);
  const { cache } = await opened(here, { first: idsOf(...PATHS.slice(0, 4)) });
  cache.close();
  const summary = await runIndex(here);
  expect([summary.fromCache, summary.parsed]).toEqual([4, 2]);
  const alone = worldOf(repo);
  await runIndex(alone);
  const [index, other] = [here, alone].map(({ paths }) => openKnowledgeBase(paths.curated, repo.path));
  if (index === undefined || other === undefined) throw new Error("not opened");
  expect(contentOf(index)).toEqual(contentOf(other));
  expect(index.meta().contentHash).toBe(other.meta().contentHash);
});

test("a file that a parser failed on does not count as parsed, is another state, and is parsed again next time", async () => {
  const whole = worldOf(repo);
  let fails = true;
  const parse: TextParser["parse"] = async (input, signal) => {
    const parsed = await whole.deps.parser.parse(input, signal);
    return fails ? { ...parsed, facts: { ...parsed.facts, problem: "the parser crashed" } } : parsed;
  };
  const here = withParser(whole, parse);
  const first = await opened(here, { first: idsOf("shop/price.py") });
  first.cache.close();
  fails = false;
  const again = await opened(here, { first: idsOf("shop/price.py") });
  expect([first, again].map(({ kb }) => kb.meta().provisional?.parsed)).toEqual([0, 1]);
  expect(again.kb.meta().contentHash).not.toBe(first.kb.meta().contentHash);
  const healthy = await opened(worldOf(repo), { first: idsOf("shop/price.py") });
  expect(again.kb.meta().contentHash).toBe(healthy.kb.meta().contentHash);
});

test("links at most 4 MiB of parsed files: what no longer fits stays unparsed, smaller files do not", async () => {
  const line = "def total(items):\n    return sum(items)\n";
  const large = line + `${" ".repeat(90)}\n`.repeat(10_000);
  const here = worldOf(
    shared(
      tempRepo({ ...Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`${name}.py`, large])), "f.py": line }),
    ),
  );
  const ids = [1, 2, 3, 4, 5, 6];
  const { kb } = await opened(here, { first: ids });
  expect([...new Set(kb.symbolsIn(ids).map(({ fileId }) => fileId))].sort()).toEqual([1, 2, 3, 4, 6]);
});

test("what earlier answers parsed goes when the parse cache is too large, and what this one needs stays", async () => {
  using repo = tempRepo(FILES);
  const here = worldOf(repo);
  const before = openFactCache(here.paths, EXTRACTOR, 1);
  const old = { hash: "0".repeat(64), language: "python" };
  const size = 64 * 1024;
  before.put([{ ...old, facts: new Uint8Array(size), uses: new Uint8Array(0), prose: new Uint8Array(0) }]);
  before.close();
  for (const [bytesMax, isKept] of [
    [OPTIONS.cacheBytesMax, true],
    [size, false],
  ] as const) {
    const cache = here.deps.store.openCache();
    const deps = { ...(await depsOf(here, cache)), options: { ...OPTIONS, cacheBytesMax: bytesMax } };
    await parseChosen(deps, { first: idsOf("shop/cart.py"), importers: [], ifParsed: [] }, () => undefined, NEVER);
    const used = deps.corpus.files.find(({ path }) => path === "shop/cart.py");
    const isHere = used !== undefined && cache.has({ hash: used.contentHash, language: used.language });
    expect([cache.has(old), isHere]).toEqual([isKept, true]);
    cache.close();
  }
});
