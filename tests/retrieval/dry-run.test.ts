/** A preview equals the round that follows, and records nothing. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failed } from "../../src/failure.ts";
import { type DryRunChange, openDryRun } from "../../src/retrieval/dry-run.ts";
import type { RefinementRequest } from "../../src/retrieval/requests/refinement.ts";
import { CRA_VERSION, type Indexed, indexed, type Run, type RunOptions } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const TASK = "the cart sum is wrong";
const SIGNAL = new AbortController().signal;
const previewOf = async (run: Run, change: Partial<DryRunChange>) => {
  const preview = await run.dryRun.preview({ request: {}, budget: null, ...change }, SIGNAL);
  if (preview.kind !== "package") throw new Error(`it is ${preview.kind}`);
  return preview;
};
const refined = (run: Run, request: RefinementRequest, wishes: RunOptions, task: string): Promise<Run> =>
  shop.run(task, { ...wishes, refines: { taskId: run.taskId, request } });

/** The failure of a budget that is too small; any other error is thrown. */
function refusal(error: unknown): Failed {
  if (error instanceof Failed && error.failure.code === "budget-below-floor") return error;
  throw error;
}

const FILES = Object.keys(SHOP).filter((path) => path !== "pyproject.toml");
const NAMES = [
  "shop/cart.py:Cart.add_item",
  "shop/cart.py:Cart",
  "web/format.ts:formatMoney",
  "shop/mail.py:send_newsletter",
  "a.py:b",
];
const some = (from: readonly string[], most: number) => fc.subarray([...from], { maxLength: most });
const requests: fc.Arbitrary<RefinementRequest> = fc.oneof(
  fc.constant({}),
  fc.record({ as_body: some(NAMES.slice(0, 2), 2), left_out: some(NAMES.slice(2), 2) }),
  fc.record({ as_signature: some(NAMES, 3) }),
  fc.record({
    accepted_files: some(FILES.slice(0, 5), 1),
    rejected_files: some(FILES.slice(5), 2),
    left_out: some(NAMES, 1),
  }),
  fc.record({ missing_symbols: some(["tax_for", "noSuch"], 2), error_signatures: some(["CartError: full"], 1) }),
);

test("a preview equals the round that follows byte for byte, also for budgets that are too small", async () => {
  let packages = 0;
  let refusals = 0;
  const steps = fc.array(fc.record({ request: requests, budget: fc.integer({ min: 40, max: 2_500 }) }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (list, salt) => {
      const task = `${TASK} (${salt})`;
      let last = await shop.run(task);
      for (const change of list) {
        const preview = await last.dryRun.preview(change, SIGNAL);
        const next = await refined(last, change.request, { budget: change.budget }, task).catch(refusal);
        if (next instanceof Failed) {
          expect(preview).toMatchObject({ kind: "budget-too-small", failure: next.failure });
          refusals += 1;
          return;
        }
        if (preview.kind !== "package") throw new Error(`it is ${preview.kind}`);
        expect(preview.exact).toBe(true);
        expect(JSON.stringify(preview.package)).toBe(JSON.stringify(next.pkg));
        packages += 1;
        last = next;
      }
    }),
    // No package fits into 40 tokens, so both outcomes occur whatever is drawn.
    { numRuns: 9, examples: [[[{ request: {}, budget: 40 }], 0]] },
  );
  expect([packages > 10, refusals > 0]).toEqual([true, true]);
});

test("after a plain run, a preview leaves out what rounds before it asked for, as the next round does", async () => {
  const task = `${TASK}, again`;
  const first = await shop.run(task);
  await refined(first, { rejected_files: ["shop/cart.py"] }, {}, task);
  const plain = await shop.run(task);
  const preview = await previewOf(plain, { request: { accepted_files: ["web/clock.ts"] } });
  const next = await refined(plain, { accepted_files: ["web/clock.ts"] }, {}, task);
  expect(preview.package.files.map(({ path }) => path)).toContain("shop/cart.py");
  expect(JSON.stringify(preview.package)).toBe(JSON.stringify(next.pkg));
});

test("a preview records nothing, and the last round stays the one to compare with", async () => {
  const run = await shop.run(TASK);
  const before = [shop.log.runs(), shop.log.decisions(run.taskId).length];
  const preview = await previewOf(run, { request: { rejected_files: ["shop/cart.py"] } });
  expect([shop.log.runs(), shop.log.decisions(run.taskId).length]).toEqual(before);
  expect(preview.package.provenance.changes?.since_round).toBe(run.round);
});

test("a preview names what enters and leaves with its tokens: whole files, and parts of those that stay", async () => {
  const run = await shop.run(TASK, { budget: 700 });
  const preview = await previewOf(run, {
    request: { rejected_files: ["shop/cart.py"], accepted_files: ["web/clock.ts"], left_out: ["shop/price.py:Money"] },
  });
  const { package: pkg, enters, leaves } = preview;
  expect(leaves).toContainEqual({ path: "shop/cart.py", item: null, tokens: expect.any(Number) });
  expect(leaves.filter(({ path, item }) => path === "shop/cart.py" && item !== null)).toEqual([]);
  expect(leaves).toContainEqual({ path: "shop/price.py", item: "Money", tokens: expect.any(Number) });
  expect(enters).toContainEqual({ path: "web/clock.ts", item: null, tokens: expect.any(Number) });
  expect([...enters, ...leaves].filter(({ tokens }) => tokens <= 0)).toEqual([]);
  const { changes } = pkg.provenance;
  expect(changes?.dropped.map(({ path }) => path)).toContain("shop/cart.py");
});

test("the tokens of a file are what leaving it out saves", async () => {
  const run = await shop.run("the cart sum is wrong: see web/clock.ts");
  const of = (path: string): number => run.dryRun.tokensOf(path);
  expect(of("no/such.py")).toBe(0);
  const files = run.pkg.files.map(({ path }) => path);
  for (const path of files) expect(of(path)).toBeGreaterThan(0);
  // A file that nothing depends on is one section of the text.
  const path = "web/clock.ts";
  const [, section = ""] = /(### web\/clock\.ts [\s\S]*?)(?=\n### |\n## )/.exec(run.markdown) ?? [];
  expect(section).not.toBe("");
  expect(Math.abs(of(path) - run.counter.count(section))).toBeLessThanOrEqual(3);
});

test("the next items to leave and enter follow the budget", async () => {
  const run = await shop.run(TASK, { budget: 380, reasons: false });
  const { next, package: pkg } = await previewOf(run, {});
  const detailIn = (of: typeof pkg, at: { readonly path: string; readonly item: string }): string =>
    of.provenance.symbols.find((row) => row.path === at.path && row.qualified_name === at.item)?.detail ?? "none";
  const { out, in: coming } = next;
  if (out === null || coming === null) throw new Error("no item is at the margin");
  expect([detailIn(pkg, out), detailIn(pkg, coming)]).toEqual([out.detail, coming.detail]);
  const DETAILS = ["none", "signature", "excerpt", "body"];
  expect(DETAILS.indexOf(out.then)).toBeLessThan(DETAILS.indexOf(out.detail));
  expect(DETAILS.indexOf(coming.then)).toBeGreaterThan(DETAILS.indexOf(coming.detail));
  const after = async (budget: number): Promise<typeof pkg> => (await previewOf(run, { budget })).package;
  const ofBudgets = async (budgets: readonly number[], at: typeof out): Promise<readonly string[]> =>
    Promise.all(budgets.map(async (budget) => detailIn(await after(budget), at)));
  expect(await ofBudgets([370, 340, 320, 300], out)).toContain(out.then);
  const larger = Array.from({ length: 20 }, (_, more) => 381 + more);
  expect(await ofBudgets([...larger, 420, 460, 500, 560, 640, 760], coming)).toContain(coming.then);
  const whole = await previewOf(run, { budget: 100_000 });
  expect(whole.next.in).toBeNull();
});

test("a stage runs again only when its input changes", async () => {
  const run = await shop.run(TASK);
  const ran: string[] = [];
  const stages = run.request.stages.map((stage) => ({
    ...stage,
    async *run(input: Parameters<typeof stage.run>[0]) {
      ran.push(stage.name);
      return yield* stage.run(input);
    },
  }));
  let kb = shop.kb;
  const dryRun = openDryRun(
    { kb: () => kb, counter: run.counter, craVersion: CRA_VERSION },
    { ...run.request, stages },
    run,
  );
  const ranFor = async (request: RefinementRequest, budget: number | null): Promise<readonly string[]> => {
    ran.length = 0;
    await dryRun.preview({ request, budget }, SIGNAL);
    return [...ran];
  };
  expect(await ranFor({}, 500)).toEqual([]);
  expect(await ranFor({ left_out: ["shop/cart.py:Cart.cart_sum"] }, null)).toEqual(["precision"]);
  // It is remembered until others were asked for.
  expect(await ranFor({ left_out: ["shop/cart.py:Cart.cart_sum"] }, null)).toEqual([]);
  expect(await ranFor({ as_body: ["shop/tax.py:tax_for"] }, null)).toEqual(["precision"]);
  expect(await ranFor({ as_body: ["web/clock.ts:tickClock"] }, null)).toEqual(["scope", "precision"]);
  expect(await ranFor({ rejected_files: ["shop/tax.py"] }, null)).toEqual(["scope", "precision"]);
  // A reopened index may have changed.
  kb = { ...shop.kb };
  expect(await ranFor({}, 500)).toEqual(["scope", "precision"]);
});

test("a preview ends when cancelled, and reports an index that is being written", async () => {
  const run = await shop.run(TASK);
  const stop = new AbortController();
  stop.abort();
  await expect(run.dryRun.preview({ request: {}, budget: null }, stop.signal)).rejects.toThrow(Failed);
  const world = { counter: run.counter, craVersion: CRA_VERSION };
  const busy = openDryRun({ ...world, kb: () => null }, run.request, run);
  expect(await busy.preview({ request: {}, budget: null }, SIGNAL)).toEqual({ kind: "index-busy" });
  // Closed in between, as by a refresh.
  let asked = 0;
  const closing = openDryRun({ ...world, kb: () => (asked++ === 0 ? closedIndex(shop) : null) }, run.request, run);
  expect(await closing.preview({ request: {}, budget: null }, SIGNAL)).toEqual({ kind: "index-busy" });
});

/** An index that is closed when its files are read. */
const closedIndex = ({ kb }: Indexed): Indexed["kb"] => ({
  ...kb,
  files: () => {
    throw new Error("the database is closed");
  },
});
