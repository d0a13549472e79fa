/** What `cra retrieve -v` says about where packing stopped. */
import { expect, test } from "bun:test";
import { budgetLedger, nextTable } from "../../../src/cli/output/retrieve-tables.ts";
import type { ContextPackage, StopJson } from "../../../src/retrieval/model/package-schema.ts";
import { PACKAGE } from "../stub-package.ts";

const stopped = (stop: StopJson): ContextPackage => ({
  ...PACKAGE,
  token_count: 6_120,
  budget: 32_768,
  provenance: { ...PACKAGE.provenance, budget: { ...PACKAGE.provenance.budget, stop } },
});

const PIECE = { path: "src/a.ts", item: "later", tokens: 310, expected_share: 0.0043, coverage: 0.85 };

test("where it stopped, why, and the next pieces with their tokens and expected worth", () => {
  expect(nextTable(stopped({ coverage: "auto", reason: "enough", expected_share: 0.844, next: [PIECE] }))).toBe(
    `Stopped at 6120 of 32768 tokens (coverage auto, 84.4 % of what is expected to matter): more is hardly expected to be worth its tokens
Next
tokens  expected  from coverage  path      item
   310  0.43 %             0.85  src/a.ts  later
`,
  );
});

test("what a full budget leaves out needs a larger one, and without anything left there is no table", () => {
  const full = stopped({ coverage: 1, reason: "budget", expected_share: 0.6, next: [{ ...PIECE, coverage: null }] });
  expect(nextTable(full)).toContain(": the budget is full\nNext\n");
  expect(nextTable(full)).toContain("a larger budget  src/a.ts  later\n");
  expect(nextTable(stopped({ coverage: "auto", reason: "everything", expected_share: 1, next: [] }))).toBe(
    "Stopped at 6120 of 32768 tokens (coverage auto, 100.0 % of what is expected to matter): all that is relevant is in it\n",
  );
});

test("tokens of the Markdown are told apart from those of what is printed", () => {
  const { budget } = PACKAGE.provenance;
  const counted = { ...PACKAGE, provenance: { ...PACKAGE.provenance, budget: { ...budget, before: 519, after: 519 } } };
  const printedAs = (token_count: number): string => budgetLedger({ ...counted, token_count }, [], "");
  expect(printedAs(519)).toContain("\n  relevant material 519, package 519, use ");
  expect(printedAs(573)).toContain("\n  as Markdown: relevant material 519, package 519; use ");
});
