/** Vector search of definitions and commits with a real embedding server; each text is embedded once. */
import { beforeEach, describe, expect, test } from "bun:test";
import { openVectorCache, type VectorCache } from "../../../src/db/vectors/vector-cache.ts";
import type { ModelFailure } from "../../../src/llm/model.ts";
import { embedIndexed, missingTexts, shrinkVectors } from "../../../src/recall/search/embed.ts";
import { openIndexVectorSearch } from "../../../src/recall/search/index-vector-search.ts";
import { openQueryVectors } from "../../../src/recall/search/query-vectors.ts";
import { storeSearcher } from "../../../src/recall/search/store-searcher.ts";
import { openVectorSearch } from "../../../src/recall/search/vector-search.ts";
import { folder } from "../../db/folder.ts";
import { memory } from "../../support/entries.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { textsAsked, vectorOf } from "../../support/stand-in-embed.ts";
import { closedPort, STAND_IN_MODEL, startOllama } from "../../support/stand-in-ollama.ts";
import { embedderAt, never, storeOf } from "../searched-store.ts";

const FILES = {
  "src/gate.py":
    'def admit(user):\n    """Credentials: authentication of a signin."""\n    return user\n\ndef refuse(user):\n    return admit(user)\n',
  "src/pages.py": 'def draw(page):\n    """Draw the login page."""\n    return page\n',
  "src/prices.py": 'def total(rows):\n    """Add up what a basket costs."""\n    return sum(rows)\n',
};

const server = shared(await startOllama({ reply: () => "{}" }));
const repo = shared(
  await indexed(FILES, {
    git: true,
    grow: (made) => {
      made.write({ "src/prices.py": "def total(rows):\n    return 0\n" });
      made.commit("Fix sluggish baskets");
      made.write({ "src/prices.py": FILES["src/prices.py"] });
      made.commit("Round prices");
    },
  }),
);
beforeEach(() => server.embedWith((_, texts) => texts.map((text) => vectorOf(text))));

/** What was sent since `from`, without what a model is woken with. */
const sent = (from: number): readonly string[] =>
  server
    .embeddings()
    .slice(from)
    .flatMap(textsAsked)
    .filter((text) => !text.includes("picnic"));

type Opened = Disposable & { readonly path: string; readonly cache: VectorCache };
function vectors(): Opened {
  const dir = folder();
  const path = dir.at("vectors.sqlite");
  const cache = openVectorCache(path, "write");
  return {
    path,
    cache,
    [Symbol.dispose]: () => {
      cache.close();
      dir[Symbol.dispose]();
    },
  };
}

/** A searcher that is ready for a query, what failed, and how many texts have no vector. */
async function ready(cache: VectorCache, query: string, url = server.url, keeps = true) {
  const failures: ModelFailure[] = [];
  const queries = openQueryVectors(embedderAt(url), (failure) => void failures.push(failure));
  const indexVectors = openIndexVectorSearch({ index: repo.kb, vectors: cache, queries, keeps });
  using world = storeOf([]);
  const { store } = world;
  await queries.wake(never());
  const left = await indexVectors.prepare(query, ["definitions", "commits"], never());
  const searcher = storeSearcher({ store, knowledge: () => repo.kb, entryVectors: null, indexVectors });
  return { searcher, failures, left };
}

const names = (found: readonly { readonly found: { readonly qualifiedName: string } }[]) =>
  found.map(({ found: { qualifiedName } }) => qualifiedName);

test("finds related text without common words, below text with both", async () => {
  using own = vectors();
  const { searcher, failures } = await ready(own.cache, "login");
  using world = storeOf([]);
  const words = storeSearcher({
    store: world.store,
    knowledge: () => repo.kb,
    entryVectors: null,
    indexVectors: null,
  });
  expect(names(await words.code("login", 10, never()))).toEqual(["draw"]);
  const found = await searcher.code("login", 10, never());
  expect(names(found)).toEqual(["draw", "admit"]);
  expect(found[1]).toMatchObject({ found: { path: "src/gate.py", startLine: 1, docstring: expect.any(String) } });
  expect(found.every(({ found }) => !("id" in found))).toBe(true);
  const slow = await searcher.commits("latency", 10, never());
  expect(slow.map(({ found: { message } }) => message.trim())).toEqual(["Fix sluggish baskets"]);
  expect(slow[0]?.found.filesChanged).toEqual(["src/prices.py"]);
  expect(await words.commits("latency", 10, never())).toEqual([]);
  expect(names(await searcher.code("login", 1, never()))).toEqual(["draw"]);
  expect(failures).toEqual([]);
});

describe("vectors", () => {
  test("are created once per text and outlive the index", async () => {
    using own = vectors();
    const before = server.embeddings().length;
    expect((await ready(own.cache, "login")).left).toBe(0);
    const texts = sent(before);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => text.includes("function"))).toHaveLength(4);
    const then = server.embeddings().length;
    await ready(own.cache, "login");
    expect(sent(then)).toEqual([]);
    using other = await indexed({ ...FILES, "src/new.py": "def fresh():\n    return 1\n" });
    const embedder = embedderAt(server.url);
    const missing = missingTexts({ index: other.kb, vectors: own.cache, embedder }, "definitions");
    expect(other.kb.definitionsById(missing.ids).map(({ name }) => name)).toEqual(["fresh"]);
  });

  test("are created for word matches first, then for the most used, a few at a time", async () => {
    using own = vectors();
    const edges = { index: repo.kb, vectors: own.cache, embedder: embedderAt(server.url) };
    const basket = repo.kb.findDefinitions("basket", 5).map(({ id }) => id);
    const { ids, left } = missingTexts(edges, "definitions", basket, 2);
    expect(
      repo.kb
        .symbolsById(ids)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["admit", "total"]);
    expect(repo.kb.symbolsById(ids.slice(0, 1)).map(({ name }) => name)).toEqual(["total"]);
    expect(left).toBe(2);
    await embedIndexed(edges, "definitions", ids, never());
    expect(missingTexts(edges, "definitions").ids).toHaveLength(2);
  });

  test("of another length are replaced", async () => {
    using own = vectors();
    await ready(own.cache, "login");
    server.embedWith((_, texts) => texts.map((text) => vectorOf(text, 64)));
    const { searcher } = await ready(own.cache, "login");
    expect(own.cache.dimensions(STAND_IN_MODEL)).toBe(64);
    expect(names(await searcher.code("login", 10, never()))).toContain("draw");
  });

  test("are not created without write access, and words still find the rest", async () => {
    using own = vectors();
    const { searcher } = await ready(own.cache, "login", server.url, false);
    expect(own.cache.keys(STAND_IN_MODEL).size).toBe(0);
    expect(names(await searcher.code("login", 10, never()))).toEqual(["draw"]);
  });
});

test("a failing model leaves words and is reported once", async () => {
  using own = vectors();
  const { searcher, failures } = await ready(own.cache, "login", `http://127.0.0.1:${await closedPort()}`);
  expect(names(await searcher.code("login", 10, never()))).toEqual(["draw"]);
  expect(await searcher.commits("latency", 10, never())).toEqual([]);
  expect(failures).toHaveLength(1);
});

test("a model that fails for texts leaves words and is reported once", async () => {
  using own = vectors();
  server.embedWith((_, texts) =>
    texts.some((text) => text.includes("def "))
      ? { kind: "error", status: 500, error: "out of memory" }
      : texts.map((text) => vectorOf(text)),
  );
  const { searcher, failures, left } = await ready(own.cache, "login");
  expect(names(await searcher.code("login", 10, never()))).toEqual(["draw"]);
  expect(failures).toMatchObject([{ kind: "refused", why: "out of memory" }]);
  expect(left).toBe(0);
});

test("vectors of removed texts are dropped once there are many", async () => {
  using own = vectors();
  await ready(own.cache, "login");
  const edges = { index: repo.kb, vectors: own.cache, embedder: embedderAt(server.url) };
  const known = own.cache.keys(STAND_IN_MODEL);
  const vector = Float32Array.from(vectorOf("old"));
  const old = (first: number, count: number) => Array.from({ length: count }, (_, at) => ({ key: first + at, vector }));
  own.cache.put(STAND_IN_MODEL, old(0, 100));
  shrinkVectors(edges);
  expect(own.cache.keys(STAND_IN_MODEL).size).toBe(known.size + 100);
  own.cache.put(STAND_IN_MODEL, old(1_000, 21_000));
  shrinkVectors(edges);
  expect(own.cache.keys(STAND_IN_MODEL)).toEqual(known);
});

test("one query vector is used for all five sources", async () => {
  using own = vectors();
  using world = storeOf([memory(1, { content: "credentials are kept in vault" })]);
  const { store } = world;
  const queries = openQueryVectors(embedderAt(server.url), () => {});
  const entryVectors = openVectorSearch({ store, queries, keeps: true, textsMax: 10 });
  const indexVectors = openIndexVectorSearch({ index: repo.kb, vectors: own.cache, queries, keeps: true });
  await entryVectors.prepare(never());
  await indexVectors.prepare("login", ["definitions", "commits"], never());
  const searcher = storeSearcher({ store, knowledge: () => repo.kb, entryVectors, indexVectors });
  const before = server.embeddings().length;
  const found = await Promise.all([
    searcher.memories("login", 5, never()),
    searcher.code("login", 5, never()),
    searcher.experiences("login", { axis: "full" }, 5, never()),
    searcher.values("login", {}, 5, never()),
    searcher.commits("login", 5, never()),
  ]);
  expect(sent(before)).toEqual(["login"]);
  expect(found.map(({ length }) => length)).toEqual([1, 2, 0, 0, 0]);
});
