/** Similar past failures, and texts ranked by meaning, for escalation. */
import { expect, test } from "bun:test";
import { rankTexts, similarFailures } from "../../../src/recall/search/similar-failures.ts";
import { storeSearcher } from "../../../src/recall/search/store-searcher.ts";
import { experience, idOf } from "../../support/entries.ts";
import { startOllama } from "../../support/stand-in-ollama.ts";
import { byWords, embedderAt, never, noIndex, storeOf } from "../searched-store.ts";

const ENTRIES = [
  experience(1, {
    goal: "make the connection pool stop hanging",
    root_cause: { category: "oversight", description: "connections leaked on the error path" },
    lesson: { what_worked: "close connections in a finally block", takeaway: null },
  }),
  experience(2, { goal: "connection pool", root_cause: null, surprise: "the pool was empty", lesson: null }),
  experience(3, { goal: "pool", root_cause: null, surprise: null }),
  experience(4, {
    goal: "tune the pool",
    root_cause: null,
    surprise: "the pool closed its connections early",
    lesson: { what_worked: "raise the idle time", takeaway: "measure first" },
  }),
  experience(5, { goal: "translate the manual" }),
];

test("a failure has its cause or else surprise, its solution, and its similarity", async () => {
  using world = storeOf(ENTRIES);
  const found = await similarFailures(byWords(world.store), "connections leaked from the pool on error", 5, never());
  expect(found.map(({ phase_id }) => phase_id)).toEqual([idOf("exp", 1), idOf("exp", 4)]);
  expect(found[0]).toEqual({
    phase_id: idOf("exp", 1),
    error_pattern: "oversight: connections leaked on the error path",
    resolution: "close connections in a finally block",
    similarity_score: expect.any(Number),
  });
  expect(found[1]).toMatchObject({
    error_pattern: "the pool closed its connections early",
    resolution: "raise the idle time. measure first",
  });
  for (const { similarity_score } of found) expect(similarity_score).toBeWithin(0.2, 1.000001);
  expect(await similarFailures(byWords(world.store), "connections leaked pool", 1, never())).toHaveLength(1);
  expect(await similarFailures(byWords(world.store), "kubernetes", 5, never())).toEqual([]);
  expect(await similarFailures(byWords(world.store), "", 5, never())).toEqual([]);
});

test("a searcher's rejection is passed on", async () => {
  using world = storeOf(ENTRIES);
  const searcher = storeSearcher({ store: world.store, knowledge: noIndex, entryVectors: null, indexVectors: null });
  const stopped = AbortSignal.abort(new Error("enough"));
  await expect(similarFailures(searcher, "pool", 5, stopped)).rejects.toThrow("enough");
});

test("texts are ranked by meaning, and a model failure is returned", async () => {
  await using server = await startOllama({ reply: () => "{}" });
  const embedder = embedderAt(server.url);
  const texts = ["picnic", "credentials expire", "login"];
  const ranked = await rankTexts(embedder, "signin", texts, never());
  if (!ranked.ok) throw new Error(ranked.failure.kind);
  expect(ranked.scores.map((score) => Math.round(score * 10))).toEqual([2, 7, 10]);
  server.embedWith(() => ({ kind: "error", status: 500, error: "no" }));
  expect(await rankTexts(embedder, "signin", texts, never())).toMatchObject({ ok: false });
});
