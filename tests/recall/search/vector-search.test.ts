/** Vector search of entries with a real embedding server: combined with words, kept up to date, optional. */
import { beforeEach, describe, expect, test } from "bun:test";
import { openMemory } from "../../../src/db/memory/open-store.ts";
import type { ExperienceFilter } from "../../../src/db/memory/store.ts";
import { embedMissing } from "../../../src/recall/search/embed.ts";
import { singleFlight } from "../../../src/recall/search/query-vectors.ts";
import { experience, idOf, memory, value } from "../../support/entries.ts";
import { shared } from "../../support/shared.ts";
import { textsAsked, vectorOf } from "../../support/stand-in-embed.ts";
import { closedPort, STAND_IN_MODEL, startOllama } from "../../support/stand-in-ollama.ts";
import { byMeaning, byWords, embedderAt, never, storeOf } from "../searched-store.ts";

const server = shared(await startOllama({ reply: () => "{}" }));
beforeEach(() => server.embedWith((_, texts) => texts.map((text) => vectorOf(text))));

const ENTRIES = [
  memory(1, { content: "credentials are kept in vault" }),
  memory(2, { content: "the login page is cached" }),
  memory(3, { content: "releases are tagged by hand" }),
  experience(1, { surprise: "latency doubled after the upgrade" }),
  experience(2, { surprise: "the importer skipped a row", outcome: null, domain: "feature" }),
];

/** What a model is woken with. */
const PROBE = "The weather was nice and we had a picnic by the lake.";

/** What was sent since `from`. */
const sent = (from = 0): readonly string[] => server.embeddings().slice(from).flatMap(textsAsked);

test("finds related text without common words, below text with both", async () => {
  using world = storeOf(ENTRIES);
  const { searcher, failures } = await byMeaning(world.store, embedderAt(server.url));
  const found = await searcher.memories("login", 10, never());
  expect(found.map(({ found: { id } }) => id)).toEqual([idOf("mem", 2), idOf("mem", 1)]);
  expect(await byWords(world.store).memories("login", 10, never())).toHaveLength(1);
  const slow = await searcher.experiences("sluggish", { axis: "surprise" }, 10, never());
  expect(slow.map(({ found: { id } }) => id)).toEqual([idOf("exp", 1)]);
  const filtered = { axis: "surprise", domain: "feature" } as const;
  const fitting = await searcher.experiences("sluggish", filtered, 10, never());
  expect(fitting.map(({ found: { id } }) => id)).toEqual([idOf("exp", 2)]);
  expect(failures).toEqual([]);
});

test("only vectors that pass the filter are read", async () => {
  const entries = Array.from({ length: 250 }, (_, at) =>
    experience(at, {
      domain: at % 2 === 0 ? "testing" : "feature",
      surprise: at % 3 === 0 ? null : `latency ${at}`,
      outcome: at % 5 === 0 ? null : { status: "confirmed", result: "it was so" },
    }),
  );
  using world = storeOf(entries);
  await byMeaning(world.store, embedderAt(server.url));
  const idsOf = (where: ExperienceFilter) =>
    [...world.store.eachVector(STAND_IN_MODEL, { type: "experience", ...where })].map(({ id }) => id);
  const fitting = (fits: (at: number) => boolean) =>
    Array.from({ length: 250 }, (_, at) => at).flatMap((at) => (fits(at) ? [idOf("exp", at)] : []));
  expect(idsOf({ axis: "full", domain: "testing" })).toEqual(fitting((at) => at % 2 === 0));
  expect(idsOf({ axis: "full", domain: "security" })).toEqual([]);
  const both = { axis: "surprise", domain: "feature", outcome: "confirmed" } as const;
  expect(idsOf(both)).toEqual(fitting((at) => at % 2 === 1 && at % 3 !== 0 && at % 5 !== 0));
  expect(idsOf({ axis: "surprise" })).toEqual(fitting((at) => at % 3 !== 0));
  const all = [...world.store.eachVector(STAND_IN_MODEL, { type: "experience", axis: "full" })];
  const some = [...world.store.eachVector(STAND_IN_MODEL, { type: "experience", axis: "full", domain: "testing" })];
  expect(some).toEqual(all.filter((_, at) => at % 2 === 0));
});

test("values are also found by meaning", async () => {
  using world = storeOf([experience(1)]);
  world.store.replaceValues([value(1, { text: "distrust credentials" }), value(2, { text: "pin what you build on" })]);
  const { searcher } = await byMeaning(world.store, embedderAt(server.url));
  const found = await searcher.values("signin", {}, 10, never());
  expect(found.map(({ found: { id } }) => id)).toEqual([idOf("val", 1)]);
  expect(await searcher.values("signin", { domain: "security" }, 10, never())).toEqual([]);
});

describe("vectors", () => {
  test("are created once, and again only for changed texts", async () => {
    using world = storeOf(ENTRIES);
    const embedder = embedderAt(server.url);
    await byMeaning(world.store, embedder);
    expect(world.store.unembedded(STAND_IN_MODEL, 100)).toEqual([]);
    const before = server.embeddings().length;
    await byMeaning(world.store, embedder);
    expect(sent(before)).toEqual([PROBE]);
    world.store.put([memory(3, { content: "releases are signed" }), memory(4, { content: "new" })]);
    const then = server.embeddings().length;
    await byMeaning(world.store, embedder);
    expect([...sent(then)].sort()).toEqual([PROBE, "new", "releases are signed"]);
  });

  test("of one query are requested once for all sources", async () => {
    using world = storeOf(ENTRIES);
    const { searcher } = await byMeaning(world.store, embedderAt(server.url));
    const before = server.embeddings().length;
    await Promise.all([
      searcher.memories("login", 5, never()),
      searcher.values("login", {}, 5, never()),
      searcher.experiences("login", { axis: "full" }, 5, never()),
    ]);
    expect(sent(before)).toEqual(["login"]);
  });

  test("of another length replace all of them, or are not used with read access", async () => {
    using world = storeOf(ENTRIES);
    await byMeaning(world.store, embedderAt(server.url));
    const before = world.store.dimensions(STAND_IN_MODEL);
    server.embedWith((_, texts) => texts.map((text) => vectorOf(text, 32)));
    const reading = await byMeaning(world.store, embedderAt(server.url), false);
    expect(reading.failures).toEqual([{ kind: "invalid", why: "its vectors have 32 numbers, the stored ones 96" }]);
    expect(await reading.searcher.memories("login", 5, never())).toHaveLength(1);
    expect(world.store.dimensions(STAND_IN_MODEL)).toBe(before);
    const { searcher, failures } = await byMeaning(world.store, embedderAt(server.url));
    expect(failures).toEqual([]);
    expect(world.store.dimensions(STAND_IN_MODEL)).toBe(32);
    expect(world.store.unembedded(STAND_IN_MODEL, 100)).toEqual([]);
    expect((await searcher.memories("login", 5, never())).length).toBeGreaterThan(1);
  });

  test("of a changed text are ignored", async () => {
    using world = storeOf(ENTRIES);
    const { searcher } = await byMeaning(world.store, embedderAt(server.url));
    const [vector] = [...world.store.eachVector(STAND_IN_MODEL, { type: "memory", axis: null })];
    if (vector === undefined) throw new Error("no vector");
    world.store.put([memory(1, { content: "something else" })]);
    world.store.putVectors(STAND_IN_MODEL, [vector]);
    const found = await searcher.memories("login", 10, never());
    expect(found.map(({ found: { id } }) => id)).toEqual([idOf("mem", 2)]);
  });

  test("are kept for the first texts if a later call fails, and the rest follows later", async () => {
    using world = storeOf(Array.from({ length: 300 }, (_, at) => memory(at, { content: `memory ${at}` })));
    let calls = 0;
    server.embedWith((_, texts) =>
      ++calls > 8 ? { kind: "error", status: 500, error: "out of memory" } : texts.map((text) => vectorOf(text)),
    );
    const embedder = embedderAt(server.url);
    expect(await embedMissing(world.store, embedder, 1_000, never())).toMatchObject({
      ok: false,
      failure: { kind: "refused", why: "out of memory" },
    });
    expect(world.store.unembedded(STAND_IN_MODEL, 1_000)).toHaveLength(44);
    server.embedWith((_, texts) => texts.map((text) => vectorOf(text)));
    expect(await embedMissing(world.store, embedder, 4, never())).toEqual({ ok: true });
    expect(world.store.unembedded(STAND_IN_MODEL, 1_000)).toHaveLength(40);
  });

  test("are read but not written with read access", async () => {
    using world = storeOf(ENTRIES.slice(0, 3));
    await byMeaning(world.store, embedderAt(server.url));
    world.store.put([memory(9, { content: "authentication by key" })]);
    const reading = openMemory(world.path, "read");
    try {
      const { searcher } = await byMeaning(reading, embedderAt(server.url), false);
      const ids = (await searcher.memories("signin", 10, never())).map(({ found: { id } }) => id);
      expect(ids.sort()).toEqual([idOf("mem", 1), idOf("mem", 2)]);
    } finally {
      reading.close();
    }
    expect(world.store.unembedded(STAND_IN_MODEL, 100)).toHaveLength(1);
  });
});

describe("a model that fails", () => {
  test("is reported once and not asked again", async () => {
    using world = storeOf(ENTRIES);
    const { searcher, failures } = await byMeaning(world.store, embedderAt(`http://127.0.0.1:${await closedPort()}`));
    const plain = byWords(world.store);
    expect(await searcher.memories("login", 5, never())).toEqual(await plain.memories("login", 5, never()));
    const full = { axis: "full" } as const;
    expect(await searcher.experiences("login", full, 5, never())).toEqual(
      await plain.experiences("login", full, 5, never()),
    );
    expect(failures).toEqual([{ kind: "unreachable", why: "connection refused" }]);
  });

  test("is reported when it fails at the query", async () => {
    using world = storeOf(ENTRIES);
    const { searcher, failures } = await byMeaning(world.store, embedderAt(server.url));
    server.embedWith(() => ({ kind: "body", body: "no" }));
    expect(await searcher.memories("login", 5, never())).toHaveLength(1);
    const before = server.embeddings().length;
    await searcher.memories("other", 5, never());
    expect(failures.map(({ kind }) => kind)).toEqual(["invalid"]);
    expect(server.embeddings().length).toBe(before);
  });

  test("that is too slow ends the search with the signal's reason", async () => {
    using world = storeOf(ENTRIES);
    const { searcher } = await byMeaning(world.store, embedderAt(server.url));
    server.embedWith(() => ({ kind: "hang-before-headers" }));
    await expect(searcher.memories("login", 5, AbortSignal.timeout(50))).rejects.toThrow();
    expect(await server.allClosed()).toBe(true);
  });
});

describe("a shared question", () => {
  test("continues while anyone waits, and is stopped if nobody does", async () => {
    const asked: AbortSignal[] = [];
    const answer = Promise.withResolvers<string>();
    const question = singleFlight((signal) => {
      asked.push(signal);
      return answer.promise;
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const early = question(first.signal);
    const late = question(second.signal);
    first.abort(new Error("gone"));
    await expect(early).rejects.toThrow("gone");
    expect(asked.map(({ aborted }) => aborted)).toEqual([false]);
    second.abort(new Error("gone too"));
    await expect(late).rejects.toThrow("gone too");
    expect(asked.map(({ aborted }) => aborted)).toEqual([true]);
    const again = question(never());
    answer.resolve("yes");
    expect(await again).toBe("yes");
    expect(asked).toHaveLength(2);
  });

  test("that failed is repeated", async () => {
    let times = 0;
    const question = singleFlight(async () => {
      times += 1;
      if (times === 1) throw new Error("no");
      return times;
    });
    await expect(question(never())).rejects.toThrow("no");
    expect(await question(never())).toBe(2);
    expect(await question(never())).toBe(2);
    await expect(question(AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  });
});

test("if the model changes during embedding, all vectors are created again", async () => {
  using world = storeOf(ENTRIES);
  await byMeaning(world.store, embedderAt(server.url));
  world.store.put([memory(9, { content: "new" })]);
  server.embedWith((_, texts) => texts.map((text) => vectorOf(text, 16)));
  const done: number[] = [];
  const embedded = await embedMissing(world.store, embedderAt(server.url), 1_000, never(), (texts) => done.push(texts));
  expect(embedded).toEqual({ ok: true });
  expect(world.store.dimensions(STAND_IN_MODEL)).toBe(16);
  expect(world.store.unembedded(STAND_IN_MODEL, 100)).toEqual([]);
  expect(done[0]).toBe(1);
  expect(done.at(-1)).toBeGreaterThan(1);
});
