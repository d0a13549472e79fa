import { expect, test } from "bun:test";
import fc from "fast-check";
import { pathTerms } from "../../../src/retrieval/lexical/path-terms.ts";
import { termsIn } from "../../../src/text/terms/identifiers.ts";
import { stem } from "../../../src/text/terms/stem.ts";
import { queryOf, queryOfStems } from "../../support/lexical-query.ts";

function termsOf(query: ReturnType<typeof queryOf>, path: string) {
  const { exact, stems } = pathTerms(query, [{ path }]);
  return { exact: exact[0] ?? [], stems: stems[0] ?? [] };
}

function inPath(path: string, ...words: readonly string[]) {
  const query = queryOf(words);
  return termsOf(query, path).exact.map(({ term, path, name }) => [query.exact.terms[term], path, name]);
}

test("a term counts in the folders, and in the file's own name for both", () => {
  expect(inPath("auth/session/sessionStore.ts", "session", "store")).toEqual([
    ["session", 2, 1],
    ["store", 1, 1],
  ]);
});

test("a file whose name says nothing takes the name of its folder", () => {
  expect(inPath("auth/session/__init__.py", "session")).toEqual([["session", 1, 1]]);
  expect(inPath("index.ts", "index")).toEqual([["index", 1, 0]]);
});

test("a file's own name ends at the first dot, except for hidden files", () => {
  expect(inPath("store.test.ts", "store", "test")).toEqual([
    ["store", 1, 1],
    ["test", 1, 0],
  ]);
  expect(inPath(".editor.config", "config")).toEqual([["config", 1, 1]]);
});

test("a dollar sign divides the words of a file's own name, but not those of its path", () => {
  expect(inPath("box$lid.ts", "box", "lid", "box$lid")).toEqual([
    ["box", 1, 1],
    ["lid", 1, 1],
    ["box$lid", 1, 0],
  ]);
});

test("words of the same stem add up", () => {
  const query = queryOf(["store", "storing"]);
  expect(query.stems.terms).toHaveLength(1);
  expect(termsOf(query, "stores/storing.ts").stems).toEqual([{ term: 0, path: 2, name: 1 }]);
});

test("a short stem is found in the words that have it", () => {
  for (const [stemmed, word] of [
    ["ax", "axes"],
    ["fly", "flies"],
    ["parti", "parties"],
    ["run", "running"],
    ["api", "APIs"],
    ["in", "in2"],
    ["v8", "nodeV8"],
  ] as const) {
    const query = queryOfStems([stemmed]);
    for (const path of [`${word}/a.b`, `a/${word}.ts`, `a/b${word.toUpperCase()}c`, `aB_${word}`])
      if (termsIn(path).some((one) => stem(one) === stemmed))
        expect([path, termsOf(query, path).stems]).toEqual([path, [expect.objectContaining({ term: 0 })]]);
  }
});

test("counts in paths equal those of splitting the whole path, whatever was cached before", () => {
  const part = fc.stringMatching(/^[a-cA-C_$.1 é-]{1,8}$/);
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
      const query = queryOf(paths.flatMap(termsIn));
      const files = paths.map((path) => ({ path }));
      const found = pathTerms(query, files);
      for (const [position, path] of paths.entries()) {
        const exact = found.exact[position] ?? [];
        const stems = found.stems[position] ?? [];
        for (const [index, term] of query.exact.terms.entries())
          expect(exact.find((row) => row.term === index)?.path ?? 0).toBe(
            termsIn(path).filter((word) => word === term).length,
          );
        for (const [index, term] of query.stems.terms.entries())
          expect(stems.find((row) => row.term === index)?.path ?? 0).toBe(
            termsIn(path).filter((word) => stem(word) === term).length,
          );
      }
    }),
    { numRuns: 200 },
  );
});

test("a term that a path holds is found when the task has no other", () => {
  const part = fc.stringMatching(/^[a-eyisxA-C_$.1é-]{1,8}$/);
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(path, (path) => {
      for (const word of new Set(termsIn(path))) {
        const { exact, stems } = termsOf(queryOf([word]), path);
        expect([word, exact.length, stems.length]).toEqual([word, 1, 1]);
      }
    }),
    { numRuns: 400 },
  );
});

test("later tasks on a list of files find what the first one would", () => {
  const part = fc.stringMatching(/^[a-cA-C_$.1 é-]{1,8}$/);
  const name = fc.oneof(part, fc.constantFrom("index.ts", "__init__.py", "检索词.go"));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 6 }), fc.array(part, { maxLength: 3 }), (paths, others) => {
      const files = paths.toSorted().map((path) => ({ path }));
      const query = queryOf([...others, ...paths].flatMap(termsIn));
      const first = pathTerms(query, structuredClone(files));
      for (const word of ["one", "two", "three"]) pathTerms(queryOf([word]), files);
      const later = pathTerms(query, files);
      expect(later).not.toBe(first);
      expect(later).toEqual(first);
    }),
    { numRuns: 300 },
  );
});
