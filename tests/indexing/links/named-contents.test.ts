/** Names are found under the content and the language that they were added with. */
import { expect, test } from "bun:test";
import { namedContents } from "../../../src/indexing/links/named-contents.ts";
import { hashOf } from "../../../src/indexing/update/scan/file-content.ts";

const contentAt = (at: number) => ({
  contentHash: hashOf(Buffer.from(`${at}`)),
  language: at % 2 === 0 ? "python" : "typescript",
  names: Uint32Array.from({ length: at % 50 }, (_, row) => 2 ** 32 - 1 - row),
});

test("more contents than there is room for at first", () => {
  const contents = Array.from({ length: 1_000 }, (_, at) => contentAt(at));
  const named = namedContents();
  contents.forEach(named.add);
  for (const { contentHash: hash, language, names } of contents) expect(named.find({ hash, language })).toEqual(names);
});

test("another content, another language, and one that begins alike have none", () => {
  const { contentHash: hash, language, names } = contentAt(2);
  const named = namedContents();
  named.add({ contentHash: hash, language, names });
  const alike = hash.slice(0, 32) + hashOf(Buffer.from("other")).slice(32);
  expect(named.find({ hash, language })).toEqual(names);
  expect(named.find({ hash: contentAt(4).contentHash, language })).toBeNull();
  expect(named.find({ hash, language: "ruby" })).toBeNull();
  expect(named.find({ hash: alike, language })).toBeNull();
});
