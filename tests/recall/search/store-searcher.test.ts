/** Searching the memory store and the index: by words, by filters, bounded, in a total order. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DOMAINS, OUTCOMES, STRATEGIES } from "../../../src/memory/vocabulary.ts";
import { queryWordsOf } from "../../../src/recall/search/query-words.ts";
import {
  combinedRelevance,
  FILTER_RELEVANCE,
  relevanceByMeaning,
  relevanceByWords,
} from "../../../src/recall/search/relevance.ts";
import { storeSearcher } from "../../../src/recall/search/store-searcher.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { anyEntries } from "../../support/any-entry.ts";
import { experience, idOf, memory, value } from "../../support/entries.ts";
import { indexed } from "../../support/indexed.ts";
import { byWords, never, noIndex, storeOf } from "../searched-store.ts";

describe("the share of a query in a text", () => {
  const holds = (query: string, text: string): number => queryWordsOf(query).coverage(text);
  test("counts words in any form", () => {
    expect(holds("validating session cookies", "the sessionCookie is validated")).toBe(1);
    expect(holds("parseUrl", "to parse the url")).toBe(1);
    expect(holds("parseUrl", "the url alone")).toBe(0.5);
    expect(holds("alpha beta gamma delta", "gamma")).toBe(0.25);
    expect(holds("error 404 in proxy", "proxy gave 404")).toBe(1);
    expect(holds("検索語", "検索語の索引")).toBe(1);
    expect(holds("how does the login work", "login")).toBe(1);
    expect(holds("what is this", "what is this")).toBe(1);
    expect(holds("", "x")).toBe(0);
    expect(holds("!?", "x")).toBe(0);
  });

  test("is always from 0 to 1, and 1 for the text itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (query, text) => {
        expect(holds(query, text)).toBeWithin(0, 1.000001);
        if (queryWordsOf(query).text !== "" && holds(query, query) > 0) expect(holds(query, query)).toBe(1);
      }),
    );
    expect(queryWordsOf("word ".repeat(100_000)).text).toBe("word");
    expect(queryWordsOf(Array.from({ length: 100 }, (_, at) => `w${at}`).join(" ")).text.split(" ")).toHaveLength(24);
  });
});

test("relevance follows the formulas", () => {
  expect(relevanceByWords(1, 3, 3)).toBe(1);
  expect(relevanceByWords(0.5, 1, 2)).toBe(0.5);
  expect(relevanceByWords(0.5, 0, 0)).toBe(0.375);
  expect(relevanceByMeaning(0.8, 0.6)).toBe(0.5);
  expect(relevanceByMeaning(0.1, 0.05)).toBeCloseTo(0.0526, 3);
  expect(relevanceByMeaning(-0.5, -0.2)).toBe(0);
  expect(combinedRelevance(1, 0)).toBe(0.6);
  expect(combinedRelevance(0.2, 0.7)).toBeCloseTo(0.5, 6);
});

test("memories are found by any word, the most relevant first, even if there are few", async () => {
  using world = storeOf([
    memory(1, { content: "CI runs on Node 20 only" }),
    memory(2, { content: "the CI cache is cleared on Sundays" }),
    memory(3, { content: "releases are tagged by hand" }),
  ]);
  const found = await byWords(world.store).memories("which node does CI run on", 10, never());
  expect(found.map(({ found: { id } }) => id)).toEqual([idOf("mem", 1), idOf("mem", 2)]);
  expect(found[0]?.relevance).toBe(1);
  expect(found[1]?.relevance).toBeLessThan(0.6);
  expect(await byWords(world.store).memories("kubernetes", 10, never())).toEqual([]);
  expect(await byWords(world.store).memories("CI", 1, never())).toHaveLength(1);
  expect(await byWords(world.store).memories(' "" OR * NEAR(', 10, never())).toEqual([]);
});

test("of equally relevant memories the newest are found", async () => {
  const day = (at: number): string => `2026-03-${String(at).padStart(2, "0")}T10:00:00.000Z`;
  using world = storeOf(
    [1, 2, 5, 4, 3].map((at, id) => memory(id, { content: "CI runs on Node only", created_at: day(at) })),
  );
  const found = await byWords(world.store).memories("CI node", 2, never());
  expect(found.map(({ found: { created_at } }) => created_at)).toEqual([day(5), day(4)]);
});

test("a query without a word that is searched for finds nothing, not everything", async () => {
  using world = storeOf([memory(1), memory(2), experience(3)]);
  for (const query of ["C", "x y", "é", "a".repeat(100), "?"]) {
    expect(await byWords(world.store).memories(query, 10, never())).toEqual([]);
    expect(await byWords(world.store).experiences(query, { axis: "full" }, 10, never())).toEqual([]);
    expect(await byWords(world.store).values(query, {}, 10, never())).toEqual([]);
  }
});

test("the first entry of all is found", async () => {
  using world = storeOf([memory(1, { content: "sessions live in redis" })]);
  const [only] = await byWords(world.store).memories("redis sessions", 5, never());
  expect(only?.relevance).toBe(1);
});

describe("experiences", () => {
  const entries = [
    experience(1, { domain: "testing", surprise: "the fixture was shared" }),
    experience(2, { domain: "testing", surprise: null, outcome: { status: "confirmed", result: "it passed" } }),
    experience(3, { domain: "security", strategy: "ask-user", surprise: "tokens were logged" }),
  ];

  test("are searched on an axis, within the filter", async () => {
    using world = storeOf(entries);
    const searcher = byWords(world.store);
    const ids = async (query: string, filter: Parameters<typeof searcher.experiences>[1]) =>
      (await searcher.experiences(query, filter, 10, never())).map(({ found }) => found.id);
    expect(await ids("shared fixture", { axis: "surprise" })).toEqual([idOf("exp", 1)]);
    expect(await ids("shared fixture", { axis: "root_cause" })).toEqual([]);
    expect(await ids("tokens", { axis: "surprise", domain: "testing" })).toEqual([idOf("exp", 1)]);
    expect(await ids("passed", { axis: "full", outcome: "confirmed" })).toEqual([idOf("exp", 2)]);
    expect(await ids("anything", { axis: "full", strategy: "ask-user" })).toEqual([idOf("exp", 3)]);
  });

  test("that match only the filter come after those with a word of the query", async () => {
    using world = storeOf(entries);
    const found = await byWords(world.store).experiences(
      "shared fixture",
      { axis: "full", domain: "testing" },
      10,
      never(),
    );
    expect(found.map(({ found: { id } }) => id)).toEqual([idOf("exp", 1), idOf("exp", 2)]);
    expect(found[0]?.relevance).toBeGreaterThan(0.7);
    expect(found[1]?.relevance).toBe(FILTER_RELEVANCE);
  });
});

test("values are searched by words, and within domain and strategy", async () => {
  using world = storeOf([experience(1)]);
  world.store.replaceValues([
    value(1, { text: "look at the lock file first" }),
    value(2, { text: "ask who owns it", domains: ["security", "testing"], strategies: ["ask-user"] }),
  ]);
  const searcher = byWords(world.store);
  const ids = async (query: string, filter: Parameters<typeof searcher.values>[1]) =>
    (await searcher.values(query, filter, 10, never())).map(({ found }) => found.id);
  expect(await ids("lock", {})).toEqual([idOf("val", 1)]);
  expect(await ids("principles for testing", { domain: "testing" })).toEqual([idOf("val", 2)]);
  expect(await ids("x", { domain: "testing", strategy: "read-the-error" })).toEqual([]);
});

test("without an index, code and commits say so and the other sources answer", async () => {
  using world = storeOf([memory(1)]);
  const searcher = byWords(world.store);
  await expect(searcher.code("x", 5, never())).rejects.toThrow("/r is not indexed; run: cra index");
  await expect(searcher.commits("x", 5, never())).rejects.toThrow("run: cra index");
  expect(await searcher.memories("known", 5, never())).toHaveLength(1);
});

test("an aborted signal ends every search with its reason", async () => {
  using world = storeOf([memory(1)]);
  const searcher = byWords(world.store);
  const stopped = AbortSignal.abort(new Error("enough"));
  for (const ask of [
    () => searcher.memories("x", 1, stopped),
    () => searcher.code("x", 1, stopped),
    () => searcher.experiences("x", { axis: "full" }, 1, stopped),
    () => searcher.values("x", {}, 1, stopped),
    () => searcher.commits("x", 1, stopped),
  ])
    await expect(ask()).rejects.toThrow("enough");
});

test("code has place, signature and docstring, commits their files; both are found by any word", async () => {
  using repo = await indexed(
    {
      "src/session.py":
        'def open_session(user):\n    """Open a session that expires after an hour."""\n    return user\n\ndef close(session):\n    return None\n',
      "tests/test_session.py": "def test_open_session():\n    assert open_session(1)\n",
      "README.md": "# Session\n",
    },
    {
      git: true,
      grow: (made) => {
        made.write({ "src/session.py": "def open_session(user, ttl):\n    return user\n", "src/new.py": "x = 1\n" });
        made.commit("Let sessions expire early\n\nThe cookie outlived its session.");
      },
    },
  );
  using world = storeOf([]);
  const searcher = storeSearcher({
    store: world.store,
    knowledge: () => repo.kb,
    entryVectors: null,
    indexVectors: null,
  });
  const code = await searcher.code("where does a user session get opened", 10, never());
  expect(code[0]).toMatchObject({
    found: {
      path: "src/session.py",
      name: "open_session",
      qualifiedName: "open_session",
      kind: "function",
      language: "python",
      startLine: 1,
      endLine: 2,
      signature: expect.stringContaining("open_session(user, ttl)"),
      docstring: null,
    },
  });
  expect(code.map(({ found: { path } }) => path)).not.toContain("README.md");
  expect(code[0]?.relevance ?? 0).toBeGreaterThan(
    code.find(({ found: { path } }) => path.startsWith("tests/"))?.relevance ?? 1,
  );
  const commits = await searcher.commits("session cookie expiry", 10, never());
  expect(commits).toHaveLength(1);
  expect(commits[0]?.found).toMatchObject({
    message: expect.stringContaining("The cookie outlived its session."),
    filesChanged: ["src/new.py", "src/session.py"],
    insertions: null,
  });
  expect(commits[0]?.found.sha).toMatch(/^[0-9a-f]{40}$/);
  expect(commits[0]?.found.timestamp).toMatch(/^2024-01-01T0\d:00:00\.000Z$/);
  expect(await searcher.code("zzz", 10, never())).toEqual([]);
  expect(await searcher.code("", 10, never())).toEqual([]);
  expect(await searcher.commits(" ", 10, never())).toEqual([]);
});

test("definitions are found by any form of a word; names count most, and functions before constants and tests", async () => {
  using repo = await indexed({
    "src/blueprints.py": `"""Groups of views."""
class Blueprint:
    def register(self, app):
        """Called by the app to add all views of the nested blueprints."""

    def register_blueprint(self, blueprint):
        """Nest one in another."""

    def add_rule(self): ...
`,
    "src/wrappers.py": `class Request:
    def blueprints(self):
        """The names of the registered blueprints."""
`,
    "src/sessions.py": `class CookieSession:
    salt = "cookie-session"

    def open_session(self):
        """Reads the cookie."""
`,
    "src/migrations.py": "def apply_migration(state): ...\n\ndef other(): ...\n",
    "tests/test_nested.py": Array.from(
      { length: 12 },
      (_, at) => `def test_nested_blueprints_registered_${at}(): ...\n`,
    ).join("\n"),
  });
  using world = storeOf([]);
  const searcher = storeSearcher({
    store: world.store,
    knowledge: () => repo.kb,
    entryVectors: null,
    indexVectors: null,
  });
  const names = async (query: string) =>
    (await searcher.code(query, 12, never())).map(({ found: { qualifiedName } }) => qualifiedName);
  expect((await names("how are nested blueprints registered")).slice(0, 2).toSorted()).toEqual([
    "Blueprint.register",
    "Blueprint.register_blueprint",
  ]);
  expect((await names("test of registered blueprints"))[0]).toStartWith("test_nested_blueprints");
  const cookies = await names("session cookie");
  expect(cookies.indexOf("CookieSession.open_session")).toBeLessThan(cookies.indexOf("CookieSession.salt"));
  expect((await names("how are migrations applied"))[0]).toBe("apply_migration");
});

test("for any store and query, results are bounded, ordered, within the filter and repeatable", async () => {
  const filter = fc.record(
    {
      axis: fc.constantFrom("full", "strategy", "surprise", "root_cause"),
      domain: fc.constantFrom(...DOMAINS.slice(0, 2)),
      strategy: fc.constantFrom(...STRATEGIES.slice(0, 2)),
      outcome: fc.constantFrom(...OUTCOMES),
    },
    { requiredKeys: ["axis"] },
  );
  await fc.assert(
    fc.asyncProperty(
      anyEntries,
      fc.string({ unit: anyCharacter }),
      filter,
      fc.integer({ min: 0, max: 5 }),
      async (entries, typed, where, limit) => {
        using world = storeOf(entries);
        const searcher = storeSearcher({
          store: world.store,
          knowledge: noIndex,
          entryVectors: null,
          indexVectors: null,
        });
        const query = typed.length % 2 === 0 ? typed : `café 検索語 ${typed}`;
        const memories = await searcher.memories(query, limit, never());
        const experiences = await searcher.experiences(query, where, limit, never());
        for (const found of [memories, experiences]) {
          expect(found.length).toBeLessThanOrEqual(limit);
          for (const [at, { relevance }] of found.entries()) {
            expect(relevance).toBeWithin(0, 1.000001);
            expect(relevance).toBeLessThanOrEqual(found[at - 1]?.relevance ?? 1);
          }
        }
        for (const { found } of experiences) {
          expect(found.domain).toBe(where.domain ?? found.domain);
          expect(found.strategy).toBe(where.strategy ?? found.strategy);
          if (where.outcome !== undefined) expect(found.outcome?.status).toBe(where.outcome);
        }
        expect(await searcher.experiences(query, where, limit, never())).toEqual(experiences);
      },
    ),
    { numRuns: 30 },
  );
});
