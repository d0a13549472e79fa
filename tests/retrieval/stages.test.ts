/** Stages by name, alone and in order, and a run with one of them only. */
import { expect, test } from "bun:test";
import { DEFAULT_SETTINGS } from "../../src/config/keys.ts";
import { Failed } from "../../src/failure.ts";
import { stagesNamed } from "../../src/retrieval/stages.ts";
import { failureLine } from "../support/failure.ts";
import { indexed } from "../support/indexed.ts";

for (const [names, why] of [
  [[], "empty"],
  [["scop"], 'no stage "scop"'],
  [["scope", "scope"], "named twice"],
  [["__proto__"], "no stage"],
  [["precision"], 'needs "scope" before it'],
  [["precision", "scope"], 'needs "scope" before it'],
] as const)
  test(`a list of stages is refused: ${JSON.stringify(names)}`, () => {
    expect(() => stagesNamed(names)).toThrow(Failed);
    expect(() => stagesNamed(names)).toThrow(why);
  });

test("stages come in the order of the list", () => {
  expect(stagesNamed(["scope", "precision"]).map(({ name }) => name)).toEqual(["scope", "precision"]);
  expect(stagesNamed(["scope"]).map(({ name }) => name)).toEqual(["scope"]);
});

test("the setting names every stage of the table, in its order", () => {
  expect(failureLine(() => stagesNamed([]))).toEndWith(`known are, in order: ${DEFAULT_SETTINGS.stages.join(", ")}`);
});

test("with the scope stage alone the package lists the relevant files", async () => {
  using shop = await indexed({
    "shop/cart.py": "def cart_sum(items):\n    return sum(items)\n",
    "web/clock.ts": "export function tickClock(): void {}\n",
  });
  const { pkg, markdown } = await shop.run("the cart sum is wrong in shop/cart.py", { stages: ["scope"] });
  expect(pkg.files[0]?.path).toBe("shop/cart.py");
  expect(pkg.files.flatMap(({ symbols }) => symbols)).toEqual([]);
  expect(markdown).toContain("### shop/cart.py (rank #1)");
  expect(pkg.files.map(({ path }) => path)).not.toContain("web/clock.ts");
});

test("with the scope stage alone no file is left out for what its definitions are worth", async () => {
  const line = (at: number): string => `    # the ${at % 3 === 0 ? "refund" : "payment"} of a voucher\n`;
  const part = (at: number): string => `def step_${at}(amount):\n${line(at).repeat(1 + at)}    return amount\n`;
  const parts = Array.from({ length: 40 }, (_, at) => [`shop/part_${at}.py`, part(at)]);
  const clocks = Array.from({ length: 40 }, (_, at) => [
    `web/clock_${at}.ts`,
    `export function tick${at}(): void {}\n`,
  ]);
  using shop = await indexed(Object.fromEntries([...parts, ...clocks]));
  for (const task of ["fix the refund of the voucher", "fix the refund of the voucher in step_39"]) {
    const filled = await shop.run(task, { stages: ["scope"], coverage: 1 });
    const { pkg, markdown } = await shop.run(task, { stages: ["scope"], coverage: "auto" });
    expect(pkg.files.length).toBeGreaterThan(10);
    expect(pkg.files.map(({ path }) => path)).toEqual(filled.pkg.files.map(({ path }) => path));
    expect(pkg.provenance.budget.stop).toMatchObject({ reason: "everything", next: [] });
    expect(markdown).not.toContain("## Left Out");
    const third = await shop.run(task, { stages: ["scope"], coverage: 0.3 });
    expect(third.markdown).toMatch(/ Next: `[\w/.]+`, `[\w/.]+`, `[\w/.]+`\.$/m);
  }
});
