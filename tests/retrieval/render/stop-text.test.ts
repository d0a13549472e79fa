/** What a package says about where packing stopped. */
import { expect, test } from "bun:test";
import { stopText } from "../../../src/retrieval/render/stop-text.ts";
import { indexed } from "../../support/indexed.ts";
import { emptyPackage } from "../../support/package.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [
    `shop/part_${at}.py`,
    `def voucher_${at}(amount):\n${`    amount = amount - ${at}  # the voucher is applied\n`.repeat(6 + at)}    return amount\n`,
  ]),
);
const TASK = "the voucher is applied twice, see voucher_3";

test("a package that stops before its budget says so, and names what would come next", async () => {
  using world = await indexed(FILES);
  const { markdown, prompt, pkg, counter } = await world.run(TASK, { coverage: 0.3 });
  const stop = pkg.provenance.budget.stop;
  expect(stop).toMatchObject({ coverage: 0.3, reason: "enough" });
  const [next] = stop?.next ?? [];
  expect(markdown).toContain("## Left Out\nPacking stopped here: 30 % of what is expected to matter is covered.");
  expect(markdown).toContain(`\`${next?.item}\` in \`${next?.path}\` (${next?.tokens} tokens)`);
  expect(prompt).toContain("Packing stopped here");
  expect(pkg.token_count).toBe(counter.count(markdown));
});

test("a package that fills its budget, or shows all there is, says nothing", async () => {
  using world = await indexed(FILES);
  for (const options of [{ coverage: 1 }, { coverage: 0.9, budget: 700 }] as const)
    expect((await world.run(TASK, options)).markdown).not.toContain("Packing stopped");
});

test("lines outside of definitions, and files of which nothing is shown, are not named as definitions", () => {
  const { provenance } = emptyPackage("x");
  const piece = (path: string, item: string, tokens: number) => ({
    path,
    item,
    tokens,
    expected_share: 0.1,
    coverage: 0.5,
  });
  const next = [piece("a.md", "lines", 30), piece("b.py", "file", 0), piece("c.py", "file", 9)];
  const stop = { coverage: "auto", reason: "enough", expected_share: 0.5, next } as const;
  const said = stopText({ provenance: { ...provenance, budget: { ...provenance.budget, stop } } });
  expect(said).toEndWith(" Next: lines in `a.md` (30 tokens), `b.py`, `file` in `c.py` (9 tokens).");
});
