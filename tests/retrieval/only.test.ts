/** A run that is bound to some folders, and one that is about what was changed. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { explain } from "../../src/retrieval/explain/explain.ts";
import { storedOptions } from "../../src/retrieval/record/stored-options.ts";
import { mergeConstraints, NO_CONSTRAINTS } from "../../src/retrieval/requests/refinement.ts";
import { indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { growShop, SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP, { git: true, grow: growShop }));

const TASK = "`Cart.add_item` in shop/cart.py and the tax of price_total are wrong, see web/cart-view.tsx";

test("everything shown is in the folders, whatever the task names", async () => {
  const folders = [...new Set(Object.keys(SHOP).flatMap((path) => [path, path.split("/")[0] ?? ""]))];
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...folders), { minLength: 1, maxLength: 3 }), async (only) => {
      const { pkg, selection, events } = await shop.run(TASK, { only, budget: 3_000 });
      const isWithin = (path: string): boolean => only.some((place) => path === place || path.startsWith(`${place}/`));
      const paths = [...pkg.files, ...pkg.provenance.files, ...selection.files.map(({ file }) => file)].map(
        ({ path }) => path,
      );
      const seenPaths = events.flatMap((event) => (event.event === "file_considered" ? [event.path] : []));
      expect([...paths, ...seenPaths].filter((path) => !isWithin(path))).toEqual([]);
      expect(pkg.dependency_edges.flat().filter((path) => !isWithin(path))).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test("a folder does not match as a prefix of a name, and an accepted file is included from anywhere", async () => {
  expect((await shop.run(TASK, { only: ["sho"] })).pkg.files).toEqual([]);
  const constraints = mergeConstraints(NO_CONSTRAINTS, { accepted_files: ["shop/cart.py"] });
  const { pkg } = await shop.run(TASK, { only: ["web"], constraints });
  expect(pkg.files.map(({ path }) => path)).toContain("shop/cart.py");
});

test("--only is part of the id, stored with the options, and given as the reason for files left out", async () => {
  const [all, web, shopOnly] = [
    await shop.run(TASK, {}),
    await shop.run(TASK, { only: ["web"] }),
    await shop.run(TASK, { only: ["shop"] }),
  ];
  expect(new Set([all, web, shopOnly].map(({ taskId }) => taskId)).size).toBe(3);
  expect((await shop.run(TASK, { only: [] })).taskId).toBe(all.taskId);
  const run = shop.log.latestRun(web.taskId);
  expect(run && storedOptions(run)?.only).toEqual(["web"]);
  expect((await explain(shop.log, shop.kb, web.taskId, "shop/tax.py")).unrecorded?.reason).toBe(
    "left out by --only: it does not lie in web",
  );
});

test("changed files come first with a reason; deleted ones give a warning; rejected ones stay out", async () => {
  const changed = ["shop/tax.py:tax_for", "web/cart-view.tsx", "shop/gone.py:f", "shop/gone.py"];
  const constraints = mergeConstraints(NO_CONSTRAINTS, { changed });
  const { pkg, selection } = await shop.run("look at it", { constraints, budget: 3_000 });
  expect(new Set(pkg.files.slice(0, 2).map(({ path }) => path))).toEqual(new Set(["shop/tax.py", "web/cart-view.tsx"]));
  expect(pkg.provenance.files.find(({ path }) => path === "shop/tax.py")).toMatchObject({
    tier: "seed",
    relation: "was changed: shop/tax.py:tax_for",
  });
  expect(selection.symbols.find(({ symbol }) => symbol.qualifiedName === "tax_for")).toMatchObject({
    tier: "primary",
    floor: true,
    why: "was changed",
  });
  expect(pkg.warnings).toContain(
    "changed, and not in the index (deleted, renamed, or of a kind that is not read): shop/gone.py",
  );
  const rejecting = mergeConstraints(constraints, { rejected_files: ["shop/tax.py"] });
  expect(rejecting.changed).not.toContain("shop/tax.py:tax_for");
  const without = await shop.run("look at it", { constraints: rejecting, budget: 3_000 });
  expect(without.pkg.files.map(({ path }) => path)).not.toContain("shop/tax.py");
});
