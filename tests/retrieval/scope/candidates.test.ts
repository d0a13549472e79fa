/** Which files globs, folders and languages leave to be selected. */
import { describe, expect, test } from "bun:test";
import { candidateTest } from "../../../src/retrieval/scope/candidates.ts";

const PATHS = [
  "README.md",
  "docs/guide.md",
  "docs/api/index.md",
  "src/docs.ts",
  "src/shop/cart.ts",
  "web/src/cart.tsx",
];

const left = (options: { readonly include?: readonly string[]; readonly exclude?: readonly string[] }): string =>
  PATHS.filter((path) =>
    candidateTest({ include: [], exclude: [], languages: [], ...options })({ path, language: "text" }),
  ).join(" ");

describe("globs", () => {
  test.each([
    [["*.md"], "README.md docs/guide.md docs/api/index.md"],
    [["cart.*"], "src/shop/cart.ts web/src/cart.tsx"],
    [["*.{ts,tsx}"], "src/docs.ts src/shop/cart.ts web/src/cart.tsx"],
    [["/*.md"], "README.md"],
    [["docs/*.md"], "docs/guide.md"],
    [["docs/**"], "docs/guide.md docs/api/index.md"],
    [["docs"], "docs/guide.md docs/api/index.md"],
    [["docs/"], "docs/guide.md docs/api/index.md"],
    [["./docs/api"], "docs/api/index.md"],
    [["src"], "src/docs.ts src/shop/cart.ts web/src/cart.tsx"],
    [["/src"], "src/docs.ts src/shop/cart.ts"],
    [["src/shop/cart.ts"], "src/shop/cart.ts"],
    [["**"], PATHS.join(" ")],
    [["!*.md"], "src/docs.ts src/shop/cart.ts web/src/cart.tsx"],
    [["!docs/**"], "README.md src/docs.ts src/shop/cart.ts web/src/cart.tsx"],
    [["nope"], ""],
  ])("%j leave %s", (globs, expected) => {
    expect(left({ include: globs })).toBe(expected);
    expect(left({ exclude: globs })).toBe(PATHS.filter((path) => !expected.split(" ").includes(path)).join(" "));
  });
});
