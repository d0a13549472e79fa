/** Progress in bytes: it only grows, and ends at its total whatever need not be read. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { IndexProgress } from "../../../../src/indexing/model/index-run.ts";
import { readProgress } from "../../../../src/indexing/update/scan/read-progress.ts";

test("law: done only grows, never passes the total, and reaches it with the last file", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ bytes: fc.nat(), isRead: fc.boolean() }), { minLength: 1 }), (files) => {
      const told: IndexProgress[] = [];
      const progress = readProgress(
        files.reduce((sum, { bytes }) => sum + bytes, 0),
        (step) => told.push(step),
      );
      for (const { bytes, isRead } of files) progress[isRead ? "finish" : "leave"](bytes);
      for (const [at, { done, total }] of told.entries()) {
        expect(done).toBeGreaterThanOrEqual(told[at - 1]?.done ?? 0);
        expect(done).toBeLessThanOrEqual(total ?? 0);
      }
      const last = told.at(-1);
      if (files.at(-1)?.isRead) expect(last?.done).toBe(last?.total ?? -1);
    }),
  );
});
