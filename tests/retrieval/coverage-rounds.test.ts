/** Further rounds at another coverage: widening adds, narrowing takes away, and both say so. */
import { expect, test } from "bun:test";
import type { Coverage } from "../../src/retrieval/model/budget.ts";
import { shownItems } from "../../src/retrieval/refinement/changes.ts";
import { indexed, type Run } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { MANY } from "./retrieve-fixture.ts";

const many = shared(await indexed(MANY));
const TASK = "settings of `turn_part3` and turn_part4 turn_part5";

const shownIn = (run: Run): readonly string[] => shownItems(run).map(({ path, item }) => `${path}:${item}`);

const next = (before: Run, coverage: Coverage): Promise<Run> =>
  many.run(TASK, { coverage, refines: { taskId: before.taskId, request: {} } });

test("a wider round shows all that the one before showed, a narrower one what a plain run at its coverage shows", async () => {
  const plain = await many.run(TASK, { coverage: 0.5 });
  const wide = await next(plain, 0.95);
  expect(shownIn(wide).length).toBeGreaterThan(shownIn(plain).length);
  expect(shownIn(wide)).toEqual(expect.arrayContaining([...shownIn(plain)]));
  const { added = [], dropped = [] } = wide.pkg.provenance.changes ?? {};
  expect([added.length > 0, dropped]).toEqual([true, []]);

  const back = await next(wide, 0.5);
  expect(shownIn(back)).toEqual(shownIn(plain));
  expect(back.pkg.token_count).toBe(plain.pkg.token_count);
  expect(back.pkg.provenance.changes?.dropped.length).toBeGreaterThan(0);
  expect(back.pkg.provenance.changes?.since_round).toBe(wide.round);
});

test("a round at the same coverage keeps what was shown beyond it", async () => {
  const wide = await many.run(`${TASK} again`, { coverage: 0.95 });
  const refines = { taskId: wide.taskId, request: { as_signature: ["turn_part3"] } };
  const second = await many.run(`${TASK} again`, { coverage: 0.95, refines });
  expect(shownIn(second)).toEqual(expect.arrayContaining([...shownIn(wide)]));
});

test("a preview of another coverage equals the round, and leaves the ranking alone", async () => {
  const first = await many.run(`${TASK} preview`, { coverage: 0.7 });
  for (const coverage of [0.3, 1, "auto"] as const) {
    const preview = await first.dryRun.preview({ request: {}, budget: null, coverage }, new AbortController().signal);
    if (preview.kind !== "package") throw new Error(preview.kind);
    expect(preview.exact).toBe(true);
    const round = await many.run(`${TASK} preview`, {
      coverage,
      refines: { taskId: first.taskId, request: {} },
      keeps: { round: first.round, shown: shownItems(first), coverage: 0.7 },
    });
    expect(preview.package.files).toEqual(round.pkg.files);
    expect(preview.package.token_count).toBe(round.pkg.token_count);
  }
});

test("the levels of a run have auto and 1, and each shows at least as much as the one before", async () => {
  const run = await many.run(TASK, { coverage: "auto" });
  const levels = run.dryRun.levels();
  expect(levels.map(({ coverage }) => coverage)).toEqual(expect.arrayContaining(["auto", 1]));
  let before = 0;
  for (const { coverage } of levels) {
    const { pkg } = await many.run(`${TASK} ${coverage}`, { coverage });
    expect(pkg.token_count).toBeGreaterThanOrEqual(before - 20);
    before = pkg.token_count;
  }
});

test("the next pieces name the least coverage that includes them", async () => {
  const run = await many.run(TASK, { coverage: 0.5 });
  const { next: pieces = [], reason } = run.pkg.provenance.budget.stop ?? {};
  expect(reason).toBe("enough");
  expect(pieces.length).toBeGreaterThan(0);
  for (const { path, item, coverage } of pieces) {
    expect(coverage).toBeGreaterThan(0.5);
    const wider = await many.run(`${TASK} `, { coverage: coverage ?? 1 });
    expect(shownIn(wider)).toContain(`${path}:${item}`);
  }
});

test("under a budget that is full, the next pieces are those that it has no room for", async () => {
  const run = await many.run(TASK, { coverage: 1, budget: 500 });
  const { next: pieces = [], reason } = run.pkg.provenance.budget.stop ?? {};
  expect(reason).toBe("budget");
  const evicted = run.pkg.provenance.budget.evicted.map(({ path, item }) => `${path}:${item}`);
  expect(pieces.map(({ path, item }) => `${path}:${item}`).filter((one) => !evicted.includes(one))).toEqual([]);
  expect(pieces.map(({ coverage }) => coverage)).toEqual(pieces.map(() => null));
  expect(pieces.length).toBeGreaterThan(0);
});

test("what is left out says why, and which coverage includes it", async () => {
  const run = await many.run(TASK, { coverage: 0.5 });
  const left = run.verdicts.filter(({ included, symbol }) => !included && symbol !== null);
  const reasons = left.map(({ reason }) =>
    /^not expected to matter enough for its tokens; coverage (\S+) includes/.exec(reason),
  );
  const found = reasons.flatMap((match, at) => (match === null ? [] : [{ row: left[at], coverage: Number(match[1]) }]));
  expect(found.length).toBeGreaterThan(0);
  const { row, coverage } = found.toSorted((a, b) => a.coverage - b.coverage)[0] ?? {};
  const wider = await many.run(`${TASK}  `, { coverage: coverage ?? 1 });
  expect(shownIn(wider)).toContain(`${row?.path}:${row?.symbol}`);
});

test("a type that only another type needs is not said to be beyond the share of its tier", async () => {
  using shop = await indexed({
    "src/types.ts":
      "export enum Currency {\n  EUR = 'eur',\n}\nexport type Price = { readonly cents: number; readonly currency: Currency };\n",
    "src/cart.ts":
      "import type { Price } from './types';\nexport function cartTotal(price: Price): number {\n  return price.cents;\n}\n",
  });
  const { verdicts } = await shop.run("fix `cartTotal`", { coverage: "auto" });
  const of = (symbol: string) => verdicts.findLast((row) => row.symbol === symbol);
  expect(of("Price")).toMatchObject({ included: true, tier: "type_context" });
  expect(of("Currency")).toMatchObject({
    included: false,
    reason: "needed only by supporting symbols or types; coverage 1 includes it",
  });
});
