/** Requests and constraints that name files which were renamed since. */
import { expect, test } from "bun:test";
import { mergeConstraints, NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import {
  constraintsAfterRenames,
  pathsNamed,
  requestAfterRenames,
} from "../../../src/retrieval/requests/renamed-paths.ts";

const FORMER = [{ named: "src/old.py", was: "src/old.py", commit: "3f2a1bc", now: "src/cart.py" }];

test.each([
  ["src/old.py:Cart.add", "src/cart.py:Cart.add"],
  ["src/old.py#Cart.add:2", "src/cart.py:Cart.add"],
  ["src/other.py:Cart.add", "src/other.py:Cart.add"],
  ["Cart.add", "Cart.add"],
])("the definition %s is %s after the rename", (name, current) => {
  expect(requestAfterRenames({ missing_symbols: [name] }, FORMER).missing_symbols).toEqual([current]);
});

test("a path counts alone and before a name, however it is written", () => {
  const request = { rejected_files: ["a.py"], as_body: ["b.py:B"], missing_symbols: ["src/c.py#C.c:3", "D.d"] };
  expect(pathsNamed(request)).toEqual(["a.py", "src/c.py", "b.py"]);
});

test("a file that is wanted by its former path and rejected by its current one stays rejected", () => {
  const asked = mergeConstraints(NO_CONSTRAINTS, { accepted_files: ["src/old.py"], rejected_files: ["src/cart.py"] });
  const { accepted_files, rejected_files } = constraintsAfterRenames(asked, FORMER);
  expect({ accepted_files, rejected_files }).toEqual({ accepted_files: [], rejected_files: ["src/cart.py"] });
});
