/** Positions come back under their hashes. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { hashedRow, positionsUnder } from "../../../src/indexing/model/hashed-rows.ts";

test("under each hash its positions, in order and once", () => {
  const hash = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom(2 ** 31, 2 ** 32 - 1));
  const row = fc.tuple(hash, fc.integer({ min: 0, max: 2 ** 20 - 1 }));
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const under = positionsUnder(rows.map(([of, position]) => hashedRow(of, position)));
      for (const asked of [0, 1, 2, 3, 4, 2 ** 31, 2 ** 32 - 1]) {
        const positions = rows.flatMap(([of, position]) => (of === asked ? position : []));
        expect([...under(asked)]).toEqual([...new Set(positions)].sort((a, b) => a - b));
      }
    }),
  );
});
