/** Assertions are listed under what tells their test from the others of the file. */
import { expect, test } from "bun:test";
import { assertionsByLabel, labelledAssertion, testLabels } from "../../../src/retrieval/model/test-labels.ts";
import { packageSymbol } from "../../support/package.ts";

const named = (qualified: string, line: number) =>
  packageSymbol({
    name: qualified.split(".").at(-1) ?? "",
    qualified_name: qualified,
    start_line: line,
    signature: "def test()",
  });

test("a test has its name, with its class or its line where others have that name too", () => {
  const tests = [
    named("One.test_a", 3),
    named("Two.test_a", 9),
    named("Two.test_b", 12),
    named("c", 20),
    named("c", 30),
  ];
  expect([...testLabels(tests).values()]).toEqual(["One.test_a", "Two.test_a", "test_b", "c (line 20)", "c (line 30)"]);
});

test("an assertion belongs to the longest label that it begins with", () => {
  const lines = [
    labelledAssertion("parse", "expect(a)"),
    labelledAssertion("parse: empty", "expect(b)"),
    "other: expect(c)",
  ];
  expect([...assertionsByLabel(lines, ["parse", "parse: empty"])]).toEqual([
    ["parse", ["expect(a)"]],
    ["parse: empty", ["expect(b)"]],
  ]);
});
