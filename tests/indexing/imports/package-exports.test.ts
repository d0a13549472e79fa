/** What the `exports` and `imports` of a package.json lead to, as Node's documentation of packages says. */
import { expect, test } from "bun:test";
import { exportTargets } from "../../../src/indexing/imports/ecmascript/package-exports.ts";

const targets = (field: unknown, key: string) => exportTargets(field, key, "import");

test("a target alone, or conditions alone, are the package itself", () => {
  for (const field of ["./a.js", { default: "./a.js" }, ["./a.js"]]) {
    expect(targets(field, ".")).toEqual(["./a.js"]);
    expect(targets(field, "./sub")).toBeNull();
  }
  expect(targets({ ".": "./a.js", "./sub": "./b.js" }, "./sub")).toEqual(["./b.js"]);
  expect(targets({ "#sub": "./b.js" }, "#sub")).toEqual(["./b.js"]);
});

test("the most specific pattern counts, wherever it stands", () => {
  const field = {
    "./*": "./src/*.js",
    "./features/*": "./src/features/*.js",
    "./features/*.js": "./src/features/*.ts",
    "./features/private/*": null,
    "./twice/*": "./src/*/*.js",
    "./named/special": "./special.js",
    "./named/*": "./named/*.js",
  };
  for (const all of [field, Object.fromEntries(Object.entries(field).reverse())]) {
    expect(targets(all, "./x")).toEqual(["./src/x.js"]);
    expect(targets(all, "./features/a/b")).toEqual(["./src/features/a/b.js"]);
    expect(targets(all, "./features/a.js")).toEqual(["./src/features/a.ts"]);
    expect(targets(all, "./features/.js")).toEqual(["./src/features/.js.js"]);
    expect(targets(all, "./features/private/a")).toEqual([]);
    expect(targets(all, "./twice/a$&")).toEqual(["./src/a$&/a$&.js"]);
    expect(targets(all, "./named/special")).toEqual(["./special.js"]);
  }
  expect(targets({ "./a/*.css": "./a/*.css" }, "./b/x.css")).toBeNull();
  expect(targets({ "./a/*.css": "./a/*.css" }, "./a/x.css.js")).toBeNull();
  expect(targets({ "./a/*.css": "./a/*.css" }, "./x./a/y.css")).toBeNull();
});

test("a folder stands for all that is in it", () => {
  const field = { "./lib": "./main.js", "./lib/": "./src/lib/", "./other/": null };
  expect(targets(field, "./lib/a/b.js")).toEqual(["./src/lib/a/b.js"]);
  expect(targets(field, "./library.js")).toBeNull();
  expect(targets(field, "./other/a.js")).toEqual([]);
});

test("sources come first, then what always applies in the order of the file, types last", () => {
  const field = {
    types: "./types.d.ts",
    browser: "./browser.js",
    require: "./require.cjs",
    import: { types: "./import.d.ts", default: ["./import.js", null] },
    default: "./default.js",
    "@org/source": "./src/index.ts",
  };
  const common = ["./import.js", "./import.d.ts", "./default.js"];
  expect(exportTargets(field, ".", "import")).toEqual([
    "./src/index.ts",
    ...common,
    "./browser.js",
    "./require.cjs",
    "./types.d.ts",
  ]);
  expect(exportTargets(field, ".", "require")).toEqual([
    "./src/index.ts",
    "./require.cjs",
    "./default.js",
    "./browser.js",
    "./import.js",
    "./import.d.ts",
    "./types.d.ts",
  ]);
});

test("conditions that are nested without end lead nowhere", () => {
  let field: unknown = "./a.js";
  for (let depth = 0; depth < 50; depth += 1) field = depth % 2 === 0 ? { default: field } : [field];
  expect(targets(field, ".")).toEqual([]);
});
