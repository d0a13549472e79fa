import { expect, test } from "bun:test";
import fc from "fast-check";
import { indexPaths } from "../../../src/retrieval/anchors/path-index.ts";
import { knowledgeOf } from "../../support/knowledge.ts";

const filesAt = (paths: readonly string[]) =>
  knowledgeOf({ files: Object.fromEntries(paths.map((path) => [path, { text: "", symbols: [] }])) }).files();

const name = fc.constantFrom(
  "index",
  "mod",
  "__init__",
  "Box",
  "box",
  "_box",
  "box_",
  "-box",
  "a-b",
  "a_b",
  ".env",
  "b.c",
);
const base = fc.tuple(name, fc.constantFrom("", ".ts", ".test.ts", ".d.ts")).map((parts) => parts.join(""));
const path = fc.array(base, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 8 });

const baseOf = (of: string): string => of.split("/").at(-1) ?? "";
/** Up to the first dot; hidden files have no ending. */
const stemOf = (of: string): string => /^[^.]+(?=\.)/.exec(of)?.[0] ?? of;
const plain = (of: string): string =>
  of
    .toLowerCase()
    .replace(/^_+|_+$/g, "")
    .replaceAll("-", "_");

test("files are found by their name, in any case and with either dash, or by that of the folder which they represent", () => {
  const nameOf = (of: string): string => {
    const stem = stemOf(baseOf(of));
    return plain(["index", "mod", "__init__"].includes(stem) ? (of.split("/").at(-2) ?? stem) : stem);
  };
  fc.assert(
    fc.property(paths, base, (drawn, asked) => {
      const files = filesAt(drawn);
      const found = indexPaths(files).named(asked);
      const expected = plain(asked).length < 3 ? [] : files.filter((file) => nameOf(file.path) === plain(asked));
      expect(found).toEqual(expected.map(({ id }) => id));
    }),
  );
});

test("files are found by the end of their path as it is written", () => {
  const commonEnd = (a: string, b: string): number => {
    const [ofA, ofB] = [a.split("/").reverse(), b.split("/").reverse()];
    const differing = ofA.findIndex((part, at) => part !== ofB[at]);
    return differing < 0 ? ofA.length : differing;
  };
  fc.assert(
    fc.property(paths, path, (drawn, asked) => {
      const files = filesAt(drawn);
      const most = Math.max(...files.map((file) => commonEnd(file.path, asked)));
      const expected = most === 0 ? [] : files.filter((file) => commonEnd(file.path, asked) === most);
      expect(indexPaths(files).endingLike(asked)).toMatchObject({
        files: expected.map(({ id }) => id),
        components: most,
      });
    }),
  );
});

test("modules are found by the name of a file or of the folder that it represents", () => {
  fc.assert(
    fc.property(paths, fc.array(name, { minLength: 1, maxLength: 2 }), (drawn, parts) => {
      const files = filesAt(drawn);
      const endsWith = (own: readonly string[]): boolean => own.slice(-parts.length).join("/") === parts.join("/");
      const isModule = (of: string): boolean => {
        const [folders, stem] = [of.split("/").slice(0, -1), stemOf(baseOf(of))];
        return endsWith([...folders, stem]) || (["index", "mod", "__init__"].includes(stem) && endsWith(folders));
      };
      const expected = files.filter((file) => isModule(file.path)).map(({ id }) => id);
      expect(indexPaths(files).module(parts)).toEqual(expected);
    }),
  );
});
