/** Signals without a weight are measured for the files in scope, and change nothing. */
import { expect, test } from "bun:test";
import { explanationText } from "../../../src/present/explanation.ts";
import { explain } from "../../../src/retrieval/explain/explain.ts";
import { SIGNALS } from "../../../src/retrieval/ranking/signals/table.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { growShop, SHOP } from "../retrieve-fixture.ts";

const promoted = {
  "shop/cart.py": {
    purpose: "",
    module: null,
    domain: "cart",
    concepts: ["cart"],
    publicApiSurface: [],
    complexityNotes: null,
  },
};
const shop = shared(await indexed(SHOP, { git: true, grow: growShop, promoted }));
const TASK = "Fix the cart in shop/cart.py: add_item of cart";

/** The eight signals of the first design. */
const EIGHT = [
  "path_match",
  "symbol_match",
  "dependency_proximity",
  "cochange_affinity",
  "recency",
  "domain_match",
  "concept_overlap",
  "structural_centrality",
];

test("all eight give provenance, as terms of no weight, and scores are the sum of the others", async () => {
  const { pkg } = await shop.run(TASK);
  const terms = pkg.provenance.files.flatMap((file) => file.terms);
  const uncounted = new Map(terms.filter(({ weight }) => weight === 0).map((term) => [term.signal, term]));
  expect(EIGHT.filter((name) => !uncounted.has(name))).toEqual([]);
  for (const { value, share } of uncounted.values()) expect([value > 0 && value <= 1, share]).toEqual([true, 0]);
  expect(Object.keys(pkg.provenance.weights)).not.toContain("path_match");
  for (const { score, terms: all } of pkg.provenance.files)
    expect(all.reduce((sum, { value, weight }) => sum + value * weight, 0)).toBeCloseTo(score, 5);
  const cart = pkg.provenance.files.find(({ path }) => path === "shop/cart.py")?.terms ?? [];
  expect(cart.find(({ signal }) => signal === "path_match")?.value).toBe(1);
});

test("a value is the same as where the signal has a weight", async () => {
  const valuesOf = ({ pkg }: Awaited<ReturnType<typeof shop.run>>, name: string) =>
    pkg.provenance.files
      .map(({ path, terms }) => [path, terms.find(({ signal }) => signal === name)?.value])
      .toSorted();
  const plain = await shop.run(TASK);
  for (const name of EIGHT) {
    const weighted = await shop.run(TASK, { weights: { [name]: 1e-7 } });
    expect(Object.fromEntries(valuesOf(weighted, name))).toMatchObject(Object.fromEntries(valuesOf(plain, name)));
  }
});

test("explain lists them apart from the terms of the sum", async () => {
  const run = await shop.run(TASK);
  const found = await explain(shop.log, null, run.pkg.task_id, "shop/cart.py");
  expect(explanationText(found, true)).toMatch(/ = [^\n]*×[^\n]*; not counted: path_match 1\.0000, symbol_match /);
});

test("only the signals of the first design and entry points are uncounted by default", () => {
  const uncounted = Object.entries(SIGNALS).filter(([, { weights }]) => !("default" in weights));
  expect(uncounted.map(([name]) => name)).toEqual([...EIGHT, "entry_point"]);
});
