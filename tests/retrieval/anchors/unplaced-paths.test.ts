/** Which paths of a task are looked up in history. */
import { expect, test } from "bun:test";
import { unplacedPaths } from "../../../src/retrieval/anchors/unplaced-paths.ts";
import { analyzeTask } from "../../../src/task/analyze.ts";
import { fileRow } from "../../support/lexical-query.ts";

const FILES = ["src/cart.py", "src/util/tax.py"].map(fileRow);
const unplaced = (text: string, paths: readonly string[] = []): readonly string[] =>
  unplacedPaths(analyzeTask(text, { given: { paths, symbols: [], languages: [] }, concepts: new Set() }), FILES);

test("a task of one sentence: every file that is not there", () => {
  expect(unplaced("fix src/cart.py and basket.py, and src/old/tax.py")).toEqual(["basket.py", "src/old/tax.py"]);
  expect(unplaced("fix the sum", ["src/basket.py", "tax.py", "src/*.py", "src/util"])).toEqual(["src/basket.py"]);
});

test("a report: not the bare names of its author's files, nor those of libraries", () => {
  const report = [
    "The sum is wrong",
    "",
    "I run main.py, which uses src/basket.py. See also lib/sum.py.",
    "",
    "Traceback (most recent call last):",
    '  File "main.py", line 3, in main',
    '  File "/srv/shop/src/prices.py", line 6, in price',
    '  File "/usr/lib/python3/site-packages/flask/app.py", line 9, in run',
    "TypeError: no sum",
  ];
  expect(unplaced(report.join("\n"))).toEqual(["src/basket.py", "lib/sum.py", "/srv/shop/src/prices.py"]);
});
