import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FileRow } from "../../../src/db/curated/knowledge-base.ts";
import { Failed } from "../../../src/failure.ts";
import { pathTerms } from "../../../src/retrieval/lexical/path-terms.ts";
import { storedPathTerms } from "../../../src/retrieval/lexical/stored-path-terms.ts";
import { termsIn } from "../../../src/text/terms/identifiers.ts";
import { pathBlockEncoder } from "../../../src/text/terms/path-block.ts";
import { BLOCK_FILES } from "../../../src/text/terms/stats-block.ts";
import { fileRow, queryOf } from "../../support/lexical-query.ts";

/** The blocks of files. */
function blocksOf(files: readonly FileRow[]) {
  const encode = pathBlockEncoder();
  return [...Map.groupBy(files, ({ id }) => Math.floor(id / BLOCK_FILES))].map(([block, own]) => ({
    firstId: block * BLOCK_FILES,
    words:
      encode(own.toSorted((a, b) => a.id - b.id).map(({ id, path }) => [id % BLOCK_FILES, path])) ?? new Uint8Array(0),
  }));
}

const part = fc.stringMatching(/^[a-cA-C_$.1 é-]{1,8}$/);
const name = fc.oneof(part, fc.constantFrom("index.ts", "__init__.py", "检索词.go", "stores.rb", "storing_store.ts"));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 12 });
/** Ids in several blocks, in any order. */
const ids = fc.uniqueArray(fc.nat(3 * BLOCK_FILES), { minLength: 12, maxLength: 12 });

test("stored words of paths say what the paths say, whatever the ids of their files", () => {
  fc.assert(
    fc.property(paths, ids, fc.array(part, { maxLength: 3 }), (found, at, others) => {
      const files = found.toSorted().map((each, position) => fileRow(each, at[position] ?? 0));
      const query = queryOf([...others, "store", ...found].flatMap(termsIn));
      expect(storedPathTerms(query, files, blocksOf(files))).toEqual(pathTerms(query, files));
    }),
    { numRuns: 300 },
  );
});

test("files that are not in the list are left out", () => {
  const files = ["a/session.ts", "b/session.ts", "c/session.ts"].map((each, id) => fileRow(each, id));
  const some = files.slice(1);
  const { exact } = storedPathTerms(queryOf(["session"]), some, blocksOf(files));
  expect(exact).toEqual([[{ term: 0, path: 1, name: 1 }], [{ term: 0, path: 1, name: 1 }]]);
});

test("what cannot be read is told with the first file of its block, which need not be at its first place", () => {
  const files = [fileRow("a/session.ts", BLOCK_FILES + 1)];
  const blocks = [{ firstId: BLOCK_FILES, words: new Uint8Array(0) }];
  expect(() => storedPathTerms(queryOf(["session"]), files, blocks)).toThrow(/^a\/session\.ts: /);
});

test("damaged words of paths are no words", () => {
  const files = [fileRow("a/session.ts", 1), fileRow("a/store.ts", 2)];
  const words = blocksOf(files)[0]?.words ?? new Uint8Array(0);
  for (const damaged of [new Uint8Array(0), words.subarray(0, -1), words.with(0, 0), words.with(4, 255)])
    expect(() => storedPathTerms(queryOf(["session"]), files, [{ firstId: 0, words: damaged }])).toThrow(Failed);
  // A list that claims to go on beyond the block.
  fc.assert(
    fc.property(fc.nat(words.length - 1), fc.nat(255), (at, byte) => {
      try {
        const { exact } = storedPathTerms(queryOf(["session"]), files, [{ firstId: 0, words: words.with(at, byte) }]);
        expect(exact).toHaveLength(2);
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
      }
    }),
  );
});

describe("a planted block is refused if", () => {
  const files = [fileRow("a/session.ts", 1), fileRow("a/store.ts", 2)];
  const HEADER = 3;
  /** Words of these files, each with a list: session, ts and store. */
  const COUNT = 3;
  const OFFSETS = HEADER + 2 * COUNT;
  const LISTS = 4 * (OFFSETS + COUNT + 1);
  const planted = (change: (block: Uint8Array, offsets: Int32Array) => void) => () => {
    const block = (blocksOf(files)[0]?.words ?? new Uint8Array(0)).slice();
    change(block, new Int32Array(block.buffer, 4 * OFFSETS, COUNT + 1));
    return storedPathTerms(queryOf(["session", "ts", "store"]), files, [{ firstId: 0, words: block }]);
  };

  test("nothing but what is said here", () => {
    const same = planted((block, offsets) => expect([...offsets.subarray(0, 1), block[4]]).toEqual([LISTS, COUNT]));
    expect(same().exact.flat()).toHaveLength(4);
  });

  test("a list begins far before it", () => {
    expect(planted((_, offsets) => void offsets.fill(-0x8000_0000, 0, COUNT))).toThrow(Failed);
  });

  test("lists overlap", () => {
    const alternating = (block: Uint8Array, offsets: Int32Array): void => {
      for (let list = 0; list <= COUNT; list += 1) offsets[list] = list % 2 === 0 ? LISTS : block.length;
    };
    expect(planted(alternating)).toThrow(Failed);
  });

  test("a file has a word less than never, or is beyond the block", () => {
    expect(planted((block) => void block.fill(0xff, LISTS))).toThrow(Failed);
    expect(planted((block) => void block.fill(0x7c, LISTS))).not.toThrow();
    const beyond = (block: Uint8Array, offsets: Int32Array): void => {
      block.set([0x80 | 0x7c, 0x7f], LISTS);
      offsets.set([LISTS, LISTS + 2]);
    };
    expect(planted(beyond)).toThrow(Failed);
  });
});
