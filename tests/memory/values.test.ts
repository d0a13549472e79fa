/** Clusters of similar experiences and the values derived from them. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Cluster, clustersOf, MEMBERS_MIN, type Point } from "../../src/memory/clusters.ts";
import type { Experience } from "../../src/memory/experience.ts";
import { ValueSchema } from "../../src/memory/experience.ts";
import { valueText } from "../../src/memory/experience-text.ts";
import { dot, TEXT_VECTORS_UNRELATED, textVectors, unit } from "../../src/memory/text-vector.ts";
import { type OnAxis, valuesOnAxis } from "../../src/memory/values.ts";
import { experience, idOf } from "../support/entries.ts";

function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const told = (number: number, fields: Partial<Experience> = {}): Experience => {
  const entry = experience(number, fields);
  if (entry.type !== "experience") throw new Error("it is a memory");
  const { type: _, ...rest } = entry;
  return rest;
};

const wordVectors = (texts: readonly string[]): readonly Float32Array[] => finished(textVectors(texts));

/** A point near one of several directions that are far from each other. */
const near = (direction: number, wobble: number, weight = 1): Point => ({
  weight,
  vector: unit(Float32Array.from({ length: 12 }, (_, at) => (at === direction ? 1 : at === 11 ? wobble : 0))),
});
const groupsOf = (points: readonly Point[], unrelated = 0.75): readonly Cluster[] =>
  finished(clustersOf(points, unrelated));
const sorted = (clusters: readonly Cluster[]): readonly number[][] =>
  clusters.map((members) => members.map(({ at }) => at).sort((a, b) => a - b));

describe("groups", () => {
  test("match the clusters of the points, and leave out outliers", () => {
    const points = [
      ...[0.1, 0.12, 0.14, 0.16].map((wobble) => near(0, wobble)),
      ...[0.1, 0.2, 0.3].map((wobble) => near(1, wobble)),
      near(2, 0.1),
      near(3, 0.1),
      near(3, 0.1),
    ];
    expect(sorted(groupsOf(points))).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6],
    ]);
  });

  test("can be one, or none", () => {
    expect(sorted(groupsOf([near(0, 0), near(0, 0), near(0, 0.1)]))).toEqual([[0, 1, 2]]);
    expect(groupsOf([0, 1, 2, 3, 4].map((direction) => near(direction, 0)))).toEqual([]);
    expect(groupsOf([])).toEqual([]);
    expect(groupsOf([near(0, 0), near(0, 0)])).toEqual([]);
    expect(groupsOf([1, 2, 3].map(() => ({ vector: new Float32Array(4), weight: 1 })))).toEqual([]);
  });

  test("start with the member nearest to the weighted centre", () => {
    const points = [near(0, 0, 0.1), near(0, 0.3, 0.1), near(0, 0.6, 10)];
    const [cluster] = groupsOf(points);
    expect(cluster?.[0]?.at).toBe(2);
    expect(cluster?.[0]?.similarity).toBeGreaterThan(0.99);
    expect(groupsOf(points.map(({ vector }) => ({ vector, weight: 1 })))[0]?.[0]?.at).toBe(1);
  });

  test("are also found for more points than a sample has", () => {
    const points = Array.from({ length: 1_500 }, (_, at) => near(at % 10, 0.05 + (at % 7) / 50));
    const clusters = groupsOf(points);
    expect(clusters.length).toBe(10);
    for (const [place, members] of sorted(clusters).entries())
      expect(members.every((at) => at % 10 === (members[0] ?? place) % 10)).toBe(true);
    expect(clusters.flat().length).toBe(1_500);
  });

  test("for any points, groups are disjoint, have a minimum size, and cosine similarities", () => {
    const point = fc.record({
      vector: fc
        .array(fc.integer({ min: -3, max: 3 }), { minLength: 5, maxLength: 5 })
        .map((numbers) => unit(Float32Array.from(numbers))),
      weight: fc.constantFrom(0.25, 0.5, 0.75, 1),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), (points) => {
        const clusters = groupsOf(points);
        const all = clusters.flat().map(({ at }) => at);
        expect(new Set(all).size).toBe(all.length);
        for (const members of clusters) {
          expect(members.length).toBeGreaterThanOrEqual(MEMBERS_MIN);
          for (const [place, { similarity }] of members.entries()) {
            expect(similarity).toBeWithin(0, 1.000001);
            expect(similarity).toBeLessThanOrEqual(members[place - 1]?.similarity ?? 1);
          }
        }
      }),
    );
  });
});

describe("text vectors", () => {
  test("are close for the same content in any word form, and far otherwise", () => {
    const [a, b, c] = wordVectors([
      "validating the session cookies",
      "the sessionCookie is validated",
      "a migration locked the users table",
    ]);
    if (a === undefined || b === undefined || c === undefined) throw new Error("no vector");
    expect(dot(a, b)).toBeGreaterThan(0.6);
    expect(dot(a, c)).toBeLessThan(1 - TEXT_VECTORS_UNRELATED);
    expect(dot(a, a)).toBeCloseTo(1, 5);
  });

  test("do not depend on the order of the texts; a text without words has none", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 8 }), (texts) => {
        const there = wordVectors(texts);
        const back = wordVectors(texts.toReversed()).toReversed();
        expect(back.map((vector) => [...vector])).toEqual(there.map((vector) => [...vector]));
        for (const vector of there) expect(vector.every(Number.isFinite)).toBe(true);
      }),
    );
    expect(wordVectors(["!?", "word"])[0]?.every((number) => number === 0)).toBe(true);
  });
});

/** Experiences of three kinds, some with a lesson. */
const EXPERIENCES: readonly Experience[] = [
  ...[1, 2, 3, 4].map((number) =>
    told(number, {
      surprise: `the cache returned a stale profile of tenant ${number}`,
      domain: number < 4 ? "debugging" : "performance",
      confidence: number === 2 ? "gold" : "bronze",
      lesson: number === 3 ? null : { what_worked: "put the tenant into the cache key", takeaway: null },
    }),
  ),
  ...[5, 6, 7].map((number) =>
    told(number, { surprise: `dates were shifted by one day in zone ${number}`, lesson: null, domain: "testing" }),
  ),
  told(8, { surprise: "a hyphen in the file name broke the importer" }),
];

const onAxis = (experiences: readonly Experience[]): readonly OnAxis[] => {
  const vectors = wordVectors(experiences.map(({ surprise }) => surprise ?? ""));
  return experiences.map((one, at) => ({ experience: one, vector: vectors[at] ?? new Float32Array(1) }));
};
const valuesOf = (entries: readonly OnAxis[]) => finished(valuesOnAxis("surprise", entries, TEXT_VECTORS_UNRELATED));

describe("values", () => {
  test("have text, size, similarity, and the domains and strategies of their experiences", () => {
    const values = valuesOf(onAxis(EXPERIENCES));
    expect(values.map(({ cluster_size }) => cluster_size)).toEqual([4, 3]);
    for (const value of values) expect(ValueSchema.parse(value)).toEqual(value);
    expect(values[0]).toMatchObject({
      axis: "surprise",
      text: "put the tenant into the cache key",
      domains: ["debugging", "performance"],
      strategies: ["read-the-error"],
    });
    expect([...(values[0]?.experience_ids ?? [])].sort()).toEqual([1, 2, 3, 4].map((number) => idOf("exp", number)));
    expect(values[1]?.text).toMatch(/^dates were shifted/);
    expect(values[0]?.cluster_id).toMatch(/^surprise-[0-9a-f]{8}$/);
  });

  test("are the same in any order", () => {
    const entries = onAxis(EXPERIENCES);
    const values = valuesOf(entries);
    fc.assert(
      fc.property(fc.shuffledSubarray([...entries], { minLength: entries.length }), (shuffled) =>
        expect(valuesOf(shuffled)).toEqual(values),
      ),
    );
  });

  test("quote the lesson nearest to the centre, with its similarity", () => {
    const lesson = { what_worked: "compare the clocks", takeaway: null };
    const withOne = EXPERIENCES.map((one) => (one.id === idOf("exp", 7) ? { ...one, lesson } : one));
    const before = valuesOf(onAxis(EXPERIENCES))[1];
    const after = valuesOf(onAxis(withOne))[1];
    expect(after?.text).toBe("compare the clocks");
    expect(after?.experience_ids).toEqual(before?.experience_ids ?? []);
    expect(after?.similarity_to_centroid ?? 1).toBeLessThanOrEqual(before?.similarity_to_centroid ?? 0);
  });

  test("keep their ids while their members stay, and change them with the members", () => {
    const values = valuesOf(onAxis(EXPERIENCES));
    const again = valuesOf(onAxis(EXPERIENCES.map((one) => ({ ...one, lesson: null }))));
    expect(again.map(({ id }) => id)).toEqual(values.map(({ id }) => id));
    const fewer = valuesOf(onAxis(EXPERIENCES.slice(1)));
    expect(fewer[0]?.id).not.toBe(values[0]?.id);
  });
});

test("the text of a value is the lesson, else that of the axis, bounded and on one line", () => {
  expect(valueText(told(1), "full")).toBe("installed the package. look at the image first");
  expect(valueText(told(1, { lesson: { what_worked: "Pin it!", takeaway: "always" } }), "full")).toBe("Pin it! always");
  const without = told(1, { lesson: null, goal: "make\nit  pass" });
  expect(valueText(without, "full")).toBe("make it pass: falsified, it failed again");
  expect(valueText(without, "strategy")).toBe("read-the-error: falsified, it failed again");
  expect(valueText(without, "surprise")).toBe("the runner had no locale");
  expect(valueText(without, "root_cause")).toBe("environment-issue: the image lacks tzdata");
  const open = told(1, { lesson: null, outcome: null, surprise: null, root_cause: null });
  expect(valueText(open, "full")).toBe("make the nightly build pass");
  expect(valueText(open, "strategy")).toBe("read-the-error");
  expect(valueText(open, "surprise")).toBe(valueText(open, "root_cause"));
  const long = valueText(told(1, { lesson: { what_worked: "x".repeat(5_000), takeaway: null } }), "full");
  expect(long.length).toBe(1_000);
  expect(long).toEndWith("…");
});
