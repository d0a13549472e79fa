import { expect, test } from "bun:test";
import fc from "fast-check";
import { listedIds, spacedIds } from "../../../src/db/curated/definition-ids.ts";

const ids = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 }))
    .map(([first, step, count]) => ({
      definitions: spacedIds(first, step, count),
      all: Array.from({ length: count }, (_, ordinal) => first + ordinal * step),
    })),
  fc.uniqueArray(fc.integer({ min: 1, max: 80 }), { maxLength: 12 }).map((drawn) => {
    const all = drawn.toSorted((a, b) => a - b);
    return { definitions: listedIds(all), all };
  }),
);

test("spaced and listed ids have each index, of a union too", () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: -2, max: 20 }), ({ definitions, all }, ordinal) => {
      const id = all[ordinal];
      expect(definitions.at(ordinal)).toBe(id);
      expect(definitions.scaled(3, 2).at(ordinal)).toBe(id === undefined ? undefined : id * 3 + 2);
    }),
  );
});

test("exactly the wanted ids of the file are visited, each with its index", () => {
  fc.assert(
    fc.property(ids, fc.uniqueArray(fc.integer({ min: 1, max: 270 })), ({ definitions, all }, wanted) => {
      for (const [own, expected] of [
        [definitions, all],
        [definitions.scaled(3, 2), all.map((id) => id * 3 + 2)],
      ] as const) {
        const visited: [number, number][] = [];
        own.visitAmong(Float64Array.from(wanted).sort(), (ordinal, id) => visited.push([ordinal, id]));
        expect(visited).toEqual([...expected.entries()].filter(([, id]) => wanted.includes(id)));
      }
    }),
  );
});
