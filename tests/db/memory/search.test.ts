/** Full-text search and vectors of the memory store. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openMemory } from "../../../src/db/memory/open-store.ts";
import type { ExperienceFilter, MemoryStore } from "../../../src/db/memory/store.ts";
import type { Entry } from "../../../src/memory/entry.ts";
import { AXES } from "../../../src/memory/vocabulary.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { experience, idOf, memory, value, vectorsIn } from "../../support/entries.ts";
import { HOSTILE } from "../../support/hostile-text.ts";
import { folder } from "../folder.ts";

function world(entries: readonly Entry[]): Disposable & { readonly store: MemoryStore } {
  const dir = folder();
  const store = openMemory(dir.at("memory.sqlite"), "write");
  store.put(entries);
  return {
    store,
    [Symbol.dispose]: () => {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

const short = (id: string): string => id.replace(/-0+/, "-");

test("memories with more and rarer words come first", () => {
  using w = world([
    memory(1, { content: "the login page and the logout page" }),
    memory(2, { content: "login tokens expire; refreshing them is the job of refreshLoginToken" }),
    memory(3, { content: "the parser is generated" }),
    memory(4, { content: "the parser is generated", created_at: "2027-01-01T00:00:00.000Z" }),
  ]);
  const find = (...words: readonly string[]) => w.store.searchMemories(words, 10).map(({ entry }) => short(entry.id));
  expect(find("login", "token")).toEqual(["mem-2", "mem-1"]);
  expect(find("logins")).toEqual(["mem-1", "mem-2"]);
  expect(find("generate")).toEqual(["mem-4", "mem-3"]);
  expect(find("parsers")).toEqual(["mem-4", "mem-3"]);
  expect(find("log")).toEqual([]);
  expect(find("unheard")).toEqual([]);
  expect(find()).toEqual(["mem-4", "mem-1", "mem-2", "mem-3"]);
  expect(w.store.searchMemories(["the"], 1)).toHaveLength(1);
  expect(w.store.searchMemories(["the"], 0)).toEqual([]);
  const ranks = w.store.searchMemories(["login", "token"], 10).map(({ rank }) => rank);
  expect(ranks.every((rank, at) => rank > 0 && rank <= (ranks[at - 1] ?? Number.POSITIVE_INFINITY))).toBe(true);
  expect(w.store.searchMemories([], 1)[0]?.rank).toBe(0);
});

describe("each axis is searched by itself, and its filters hold", () => {
  const entries = [
    experience(1),
    experience(2, { surprise: null, root_cause: null, domain: "testing", strategy: "ask-user" }),
    experience(3, { outcome: null, lesson: null, goal: "tzdata has to be there" }),
    experience(4, { outcome: { status: "confirmed", result: "tzdata was it" }, surprise: "tzdata was in no list" }),
  ];
  const rows: readonly (readonly [ExperienceFilter, words: readonly string[], ids: readonly string[]])[] = [
    [{ axis: "full" }, ["tzdata"], ["exp-1", "exp-3", "exp-4"]],
    [{ axis: "strategy" }, ["tzdata"], ["exp-4"]],
    [{ axis: "strategy" }, ["error", "read"], ["exp-1", "exp-4"]],
    [{ axis: "surprise" }, ["tzdata"], ["exp-4"]],
    [{ axis: "surprise" }, ["locale"], ["exp-1", "exp-3"]],
    [{ axis: "root_cause" }, ["tzdata"], ["exp-1", "exp-3", "exp-4"]],
    [{ axis: "root_cause" }, ["locale"], []],
    [{ axis: "full", domain: "testing" }, ["nightly"], ["exp-2"]],
    [{ axis: "full", strategy: "ask-user" }, ["nightly"], ["exp-2"]],
    [{ axis: "full", outcome: "confirmed" }, ["tzdata"], ["exp-4"]],
    [{ axis: "full", outcome: "abandoned" }, ["tzdata"], []],
    [{ axis: "full" }, [], ["exp-1", "exp-2", "exp-3", "exp-4"]],
    [{ axis: "strategy" }, [], ["exp-1", "exp-2", "exp-4"]],
    [{ axis: "surprise" }, [], ["exp-1", "exp-3", "exp-4"]],
    [{ axis: "root_cause", domain: "debugging" }, [], ["exp-1", "exp-3", "exp-4"]],
  ];
  for (const [where, words, ids] of rows)
    test(`${JSON.stringify(where)} ${words.join(" ")}`, () => {
      using w = world(entries);
      const found = w.store.searchExperiences(words, where, 10).map(({ entry }) => short(entry.id));
      expect(found.sort()).toEqual([...ids]);
    });
});

test("a changed experience is not found by its old text", () => {
  using w = world([experience(1)]);
  const found = (word: string) => w.store.searchExperiences([word], { axis: "surprise" }, 9).length;
  expect([found("locale"), found("nothing")]).toEqual([1, 0]);
  w.store.put([experience(1, { surprise: "nothing at all" })]);
  expect([found("locale"), found("nothing")]).toEqual([0, 1]);
  w.store.put([experience(1, { surprise: null })]);
  expect([found("locale"), found("nothing")]).toEqual([0, 0]);
});

test("values are found by their words, domains and strategies, the largest first without words", () => {
  using w = world([experience(1), experience(2)]);
  const larger = value(2, { text: "read the log before the code", cluster_size: 9, domains: ["testing", "debugging"] });
  w.store.replaceValues([value(1), larger, value(3, { strategies: ["ask-user"], domains: ["security"] })]);
  const find = (words: readonly string[], where: Parameters<MemoryStore["searchValues"]>[1] = {}) =>
    w.store.searchValues(words, where, 9).map(({ entry }) => short(entry.id));
  expect(find(["reading", "logs"])).toEqual(["val-2"]);
  expect(find([])).toEqual(["val-2", "val-1", "val-3"]);
  expect(find([], { domain: "debugging" })).toEqual(["val-2", "val-1"]);
  expect(find(["image"], { domain: "security", strategy: "ask-user" })).toEqual(["val-3"]);
  expect(find([], { strategy: "ask-user", domain: "testing" })).toEqual([]);
  w.store.replaceValues([larger]);
  expect([w.store.values(), find(["image"]), find(["log"])]).toEqual([[larger], [], ["val-2"]]);
});

test("query syntax is never interpreted", () => {
  using w = world([memory(1, { content: "near OR far" }), experience(1)]);
  w.store.replaceValues([value(1)]);
  const odd = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc.constantFrom('"', "*", "near(", 'a" OR "b', "text:x", "-x", "NOT", "^a", "{text} : a", "(", "\0", ...HOSTILE),
  );
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 4 }), (words) => {
      w.store.searchMemories(words, 3);
      for (const axis of AXES) w.store.searchExperiences(words, { axis }, 3);
      w.store.searchValues(words, {}, 3);
      w.store.list({ text: words.join(" ") });
    }),
    { numRuns: 100 },
  );
  expect(w.store.searchMemories(['"near" AND nothing OR'], 3)).toHaveLength(1);
});

describe("vectors", () => {
  const full = { id: idOf("exp", 1), axis: "full", textHash: "a", vector: Float32Array.of(0.5, -1, 3e-8) } as const;
  const surprise = { ...full, axis: "surprise" } as const;
  const whole = {
    id: idOf("mem", 1),
    axis: null,
    textHash: "b",
    vector: Float32Array.of(1, 2, 3).subarray(1),
  } as const;

  test("are returned unchanged, by model, id and axis", () => {
    using w = world([memory(1), experience(1)]);
    w.store.putVectors("m", [whole, surprise, full]);
    w.store.putVectors("n", [{ ...full, vector: Float32Array.of(9) }]);
    expect(vectorsIn(w.store, "m")).toEqual([full, surprise, { ...whole, vector: Float32Array.of(2, 3) }]);
    w.store.putVectors("m", [{ ...full, textHash: "c" }]);
    expect(vectorsIn(w.store, "m")).toHaveLength(3);
    expect(vectorsIn(w.store, "m")[0]).toEqual({ ...full, textHash: "c" });
    w.store.dropVectors("m");
    expect([vectorsIn(w.store, "m"), vectorsIn(w.store, "n").length]).toEqual([[], 1]);
  });

  test("exist only for stored entries and current texts", () => {
    using w = world([memory(1), experience(1)]);
    w.store.putVectors("m", [whole, full, surprise, { ...full, id: idOf("exp", 2) }]);
    expect(vectorsIn(w.store, "m")).toHaveLength(3);
    w.store.put([experience(1, { confidence: "gold" })]);
    expect(vectorsIn(w.store, "m")).toHaveLength(3);
    w.store.put([experience(1, { goal: "something else" })]);
    expect(vectorsIn(w.store, "m").map(({ axis }) => axis)).toEqual(["surprise", null]);
    w.store.removeAll([idOf("exp", 1)]);
    expect(vectorsIn(w.store, "m").map(({ id }) => id)).toEqual([idOf("mem", 1)]);
  });
});
