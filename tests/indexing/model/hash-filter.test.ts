/** Hashes that were added are found, and hardly any others. */
import { expect, test } from "bun:test";
import { hashFilter } from "../../../src/indexing/model/hash-filter.ts";

test("every hash that was added may be there, and hardly any other", () => {
  const filter = hashFilter();
  const hashOf = (number: number): number => Bun.hash.crc32(`name${number}`);
  const numbers = Array.from({ length: 20_000 }, (_, number) => number);
  const [added, others] = [numbers.slice(0, 10_000).map(hashOf), numbers.slice(10_000).map(hashOf)];
  expect(added.some(filter.mayHave)).toBe(false);
  added.forEach(filter.add);
  expect(added.every(filter.mayHave)).toBe(true);
  expect(others.filter(filter.mayHave).length).toBeLessThan(50);
  filter.add(0xffff_ffff);
  expect(filter.mayHave(0xffff_ffff)).toBe(true);
});
