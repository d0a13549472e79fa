/** What a map shows of files without definitions: what an entry point exports again, and the first paragraph of the README. */
import { expect, test } from "bun:test";
import { indexed, type Run } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

const FILES = {
  "README.md":
    "<h1>Shop</h1>\n\n[![build](https://example.com/badge.svg)](https://example.com)\n\n# Shop\n\n**Shop** sells what is in a cart,\nand says what it costs.\n\n## Install\n\nRun the script that comes with it.\n",
  "package.json": '{ "main": "index.js" }\n',
  "index.js": "/*!\n * Copyright of the shop\n */\n\n'use strict';\n\nmodule.exports = require('./lib/cart');\n",
  "lib/cart.js": "exports.total = function total(items) {\n  return items.length;\n};\n",
};
const shop = shared(await indexed(FILES));
const linesOf = ({ pkg }: Run, path: string): readonly string[] =>
  pkg.files.find((file) => file.path === path)?.snippets.map(({ text }) => text.trim()) ?? [];

test("an entry point that only exports again shows what", async () => {
  for (const task of ["clean up", "explain the architecture"]) {
    const run = await shop.run(task);
    expect(linesOf(run, "index.js")).toEqual(["module.exports = require('./lib/cart');"]);
  }
});

test("a question about the whole repository begins with the first paragraph of the README", async () => {
  const run = await shop.run("explain the architecture");
  expect(run.pkg.files[0]?.path).toBe("README.md");
  expect(linesOf(run, "README.md")).toEqual(["**Shop** sells what is in a cart,\nand says what it costs."]);
  const other = await shop.run("clean up");
  expect(other.pkg.files.map(({ path }) => path)).not.toContain("README.md");
});

test("the budget holds for lines, too", async () => {
  const { pkg } = await shop.run("explain the architecture", { budget: 120 });
  expect(pkg.token_count).toBeLessThanOrEqual(120);
});
