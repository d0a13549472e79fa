/** Hashes come back as they were added. */
import { expect, test } from "bun:test";
import { contentHashes } from "../../../src/indexing/model/content-hashes.ts";
import { hashOf } from "../../../src/indexing/update/scan/file-content.ts";

test("more hashes than there is room for at first", () => {
  const given = Array.from({ length: 1_000 }, (_, at) => hashOf(Buffer.from(`${at}`)));
  const hashes = contentHashes();
  expect(given.map(hashes.add)).toEqual(given.map((_, at) => at));
  expect(given.map((_, at) => hashes.at(at))).toEqual(given);
});
