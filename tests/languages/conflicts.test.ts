/** What is found in a file that a merge left conflicts in. */
import { expect, test } from "bun:test";
import { conflictSides } from "../../src/languages/conflict-sides.ts";
import { symbolLines } from "../syntax/render.ts";
import { findingsIn } from "./findings.ts";

findingsIn("python")(
  "a function around a conflict ends where it ends",
  symbolLines,
  `
def rate_of(country):
<<<<<<< HEAD
    base = 21
=======
    base = 20
>>>>>>> theirs
    return base


def last(net):
    return net
`,
  `
+function rate_of 1-7 def rate_of(country)
+function last 10-11 def last(net)
`,
);

const CONFLICTS = `
export class Cart {
  one(): number {
<<<<<<< HEAD
    if (this.all) {
      return 1;
||||||| merged
    if (!this.all) {
=======
    if (this.all > 1) {
      return 2;
>>>>>>> theirs
    }
    return 3;
  }

  last() {}
}
<<<<<<< HEAD
function ours() {}
||||||| merged
=======
function theirs() {}
>>>>>>> theirs
`;

findingsIn("typescript")(
  "of sides that do not fit together the first counts",
  symbolLines,
  CONFLICTS,
  `
+class Cart 1-17 export class Cart
+method Cart.one 2-14 one(): number
+method Cart.last 16-16 last()
-function ours 19-19 function ours()
`,
);

findingsIn("typescript")(
  "both sides count if they fit together",
  symbolLines,
  `
function first() {}
<<<<<<< HEAD
function ours() {}
=======
function theirs() {}
>>>>>>> theirs
`,
  `
-function first 1-1 function first()
-function ours 3-3 function ours()
-function theirs 5-5 function theirs()
`,
);

test("marks that begin or end nothing are no conflict", () => {
  expect(conflictSides(`${"<<<<<<< HEAD\n".repeat(100_000)}>>>>>>> theirs\n`)).toEqual([]);
  expect(conflictSides("a <<<<<<< b\n=======\n>>>>>>> c\n")).toEqual([]);
});
