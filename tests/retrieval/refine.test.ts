/** Rounds of refinement on a small repository, in this process: what is accepted stays, what is rejected stays out. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openSession } from "../../src/db/session/session.ts";
import { Failed } from "../../src/failure.ts";
import { explain } from "../../src/retrieval/explain/explain.ts";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { SESSION_SHAPES } from "../../src/retrieval/record/selection-json.ts";
import { shownItems } from "../../src/retrieval/refinement/changes.ts";
import {
  asksNothing,
  type Constraints,
  isConstrained,
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
} from "../../src/retrieval/requests/refinement.ts";
import { indexed, type Run, type RunOptions } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { HOSTILE, MANY, SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const TASK = "the cart sum is wrong";
const constraints = (request: RefinementRequest): Constraints => mergeConstraints(NO_CONSTRAINTS, request);
/** The package of a task with all of this asked for at once. */
const asked = (request: RefinementRequest, wishes: RunOptions = {}, task = TASK): Promise<Run> =>
  shop.run(task, { ...wishes, constraints: constraints(request) });
const refined = (taskId: string, request: RefinementRequest, wishes: RunOptions = {}, task = TASK): Promise<Run> =>
  shop.run(task, { ...wishes, refines: { taskId, request } });

const paths = ({ pkg }: Pick<Run, "pkg">): readonly string[] => pkg.files.map(({ path }) => path);
const shownOf = ({ pkg }: Run, path: string): readonly string[] =>
  pkg.provenance.symbols.filter((row) => row.path === path).map((row) => row.qualified_name);
const tierOf = ({ pkg }: Run, path: string) => pkg.files.find((file) => file.path === path)?.tier;
const relationOf = ({ pkg }: Run, path: string) => pkg.provenance.files.find((file) => file.path === path)?.relation;

test("without constraints the package, its id and its options do not mention any", async () => {
  const run = await shop.run(TASK);
  expect(run.pkg.provenance).not.toHaveProperty("changes");
  expect(shop.log.latestRun(run.taskId)?.options).not.toHaveProperty("constraints");
});

test("an accepted file is a seed and shown, even if nothing in it matches", async () => {
  expect(paths(await shop.run(TASK))).not.toContain("web/clock.ts");
  const run = await asked({ accepted_files: ["web/clock.ts"] });
  expect([tierOf(run, "web/clock.ts"), relationOf(run, "web/clock.ts")]).toEqual(["seed", "accepted"]);
  expect(shownOf(run, "web/clock.ts")).toContain("tickClock");
});

test("accepted and missing files are in, whatever the globs and languages exclude", async () => {
  const run = await asked(
    { accepted_files: ["web/clock.ts"], missing_files: ["shop/mail.py"], missing_symbols: ["reserve_shelf"] },
    { exclude: ["**/*.ts"], include: ["shop/cart.py"], languages: ["tsx"] },
  );
  expect(paths(run)).toEqual(expect.arrayContaining(["web/clock.ts", "shop/mail.py", "shop/stock.py"]));
  expect(paths(run)).not.toContain("web/format.ts");
});

test("a rejected file is nowhere, even if the task and a hint name it", async () => {
  const task = "fix `Cart.add_item` in shop/cart.py";
  const wishes: RunOptions = { paths: ["shop/cart.py"] };
  expect(paths(await shop.run(task, wishes))).toContain("shop/cart.py");
  const run = await asked({ rejected_files: ["shop/cart.py"] }, wishes, task);
  expect(run.selection.files.map(({ file }) => file.path)).not.toContain("shop/cart.py");
  expect(JSON.stringify([run.pkg.files, run.pkg.dependency_edges, run.pkg.provenance])).not.toContain("shop/cart.py");
  expect(shop.log.decisions(run.taskId).filter(({ path }) => path === "shop/cart.py")).toEqual([]);
  expect((await explain(shop.log, shop.kb, run.taskId, "shop/cart.py")).unrecorded?.reason).toBe(
    "left out since it was rejected",
  );
});

describe("a missing file", () => {
  test("can be the end of a path", async () => {
    const run = await asked({ missing_files: ["mail.py"] });
    expect([tierOf(run, "shop/mail.py"), relationOf(run, "shop/mail.py")]).toEqual([
      "seed",
      "asked for as missing: mail.py",
    ]);
  });

  test("that is unknown, rejected or ambiguous is reported", async () => {
    const run = await asked({
      accepted_files: ["gone.py"],
      missing_files: ["ail.py", "web/format.ts"],
      missing_symbols: ["shop/tax.py:nothing", "formatMoney", "tax_for"],
      missing_tests: ["test_nothing"],
      rejected_files: ["shop/tax.py", "old.py"],
    });
    expect(run.pkg.warnings.filter((line) => /^the (file|symbol|test) /.test(line))).toEqual([
      'the file "old.py" is not in the index',
      'the file "gone.py" is not in the index',
      'the file "ail.py" is not in the index',
      'the symbol "shop/tax.py:nothing" is not in the index',
      'the symbol "tax_for" is only in rejected files',
      'the test "test_nothing" is not in the index',
    ]);
    const many = await indexed(
      Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}/run.py`, "def go():\n    pass\n"])),
    );
    try {
      const { pkg } = await many.run(TASK, {
        constraints: constraints({ missing_files: ["run.py"], missing_symbols: ["go"] }),
      });
      expect(pkg.warnings.filter((line) => line.includes("too many things"))).toHaveLength(2);
    } finally {
      many[Symbol.dispose]();
    }
  });
});

describe("a missing symbol is shown, and is primary", () => {
  test.each([
    ["reserve_shelf", "shop/stock.py", "StockKeeper.reserve_shelf"],
    ["StockKeeper.reserve_shelf", "shop/stock.py", "StockKeeper.reserve_shelf"],
    ["StockKeeper::reserve_shelf", "shop/stock.py", "StockKeeper.reserve_shelf"],
    ["shop/stock.py:reserve_shelf", "shop/stock.py", "StockKeeper.reserve_shelf"],
    ["stock.py:StockKeeper.reserve_shelf", "shop/stock.py", "StockKeeper.reserve_shelf"],
    ["tickClock", "web/clock.ts", "tickClock"],
    ["Layout", "README.md", "Shop.Layout"],
  ])("%s", async (name, path, symbol) => {
    const run = await asked({ missing_symbols: [name] }, { budget: 400 });
    const placed = run.selection.symbols.find((row) => row.symbol.qualifiedName === symbol);
    expect([placed?.tier, placed?.floor, placed?.why]).toEqual(["primary", true, "asked for as missing"]);
    expect(shownOf(run, path)).toContain(symbol);
    expect(run.pkg.warnings.join()).not.toContain(name);
  });

  test("is shown even if the task names more of its file than can be guaranteed", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `step_number_${at}`);
    const big = await indexed({
      "big.py": [...names, "quite_other"].map((name) => `def ${name}():\n    return 1\n`).join("\n\n"),
    });
    try {
      const run = await big.run(`call ${names.map((name) => `\`${name}\``).join(", ")}`, {
        constraints: constraints({ missing_symbols: ["quite_other"] }),
      });
      const floor = run.selection.symbols.filter((row) => row.floor);
      expect(floor.map((row) => row.symbol.name)).toContain("quite_other");
      expect(floor.length).toBeLessThanOrEqual(40);
    } finally {
      big[Symbol.dispose]();
    }
  });
});

describe("a missing test", () => {
  test.each([
    ["by its path", "tests/test_newsletter.py"],
    ["by the end of its path", "test_newsletter.py"],
    ["by its name", "test_prints_the_address"],
    ["by the file it tests", "shop/mail.py"],
    ["by the end of that file's path", "./mail.py"],
    ["by the symbol it tests", "send_newsletter"],
  ])("%s", async (_, name) => {
    const run = await asked({ missing_tests: [name] }, { budget: 500 });
    expect([tierOf(run, "tests/test_newsletter.py"), relationOf(run, "tests/test_newsletter.py")]).toEqual([
      "seed",
      `asked for as missing: ${name}`,
    ]);
  });
});

test("a test is found by its title", async () => {
  const { web, ...files } = {
    web: "web/sum.test.ts",
    "web/sum.ts": "export const sum = (a: number, b: number): number => a + b;\n",
    "web/other.test.ts": 'import { test } from "x";\ntest("is another one", () => {});\n',
  };
  const titled = await indexed({
    ...files,
    [web]:
      "import { sum } from './sum';\n\nit('adds two, it\u2019s said', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n",
  });
  try {
    const run = await titled.run("zzz", { constraints: constraints({ missing_tests: ["adds two, it\u2019s said"] }) });
    expect([tierOf(run, web), run.selection.seeds.length]).toEqual(["seed", 1]);
    expect(run.markdown).toContain(`### ${web} (`);
  } finally {
    titled[Symbol.dispose]();
  }
});

test("an error is read as part of the task, which is shown as it was typed", async () => {
  const error = 'File "shop/legacy/report.py", line 2, in monthly_report: RevenueError';
  const run = await asked({ error_signatures: [error] });
  expect(run.task.errorPatterns).toContain("RevenueError");
  expect(run.pkg.task_query.raw_description).toBe(TASK);
  expect(run.markdown).not.toContain("RevenueError");
  expect(tierOf(run, "shop/legacy/report.py")).toBe("seed");
});

test("every accepted file is shown, whatever it contains", async () => {
  const odd = await indexed({ ...HOSTILE, ...MANY });
  try {
    const all = odd.kb.files().map(({ path }) => path);
    for (const stages of [["scope", "precision"], ["scope"]]) {
      const run = await odd.run("zzz qqq", {
        stages,
        budget: 100_000,
        constraints: constraints({ accepted_files: all }),
      });
      expect([...paths(run)].sort()).toEqual([...all].sort());
      for (const path of all) expect(run.markdown).toContain(`### ${path} (`);
    }
  } finally {
    odd[Symbol.dispose]();
  }
});

test("rounds share an id; each has its request, constraints, decisions and changes", async () => {
  const task = "money is rounded wrongly";
  const first = await shop.run(task, { budget: 500 });
  const second = await refined(
    first.taskId,
    { rejected_files: ["shop/price.py"], reason: "no" },
    { budget: 500 },
    task,
  );
  const third = await refined(first.taskId, { accepted_files: ["shop/price.py"] }, { budget: 500 }, task);
  expect([second, third].map(({ taskId, round }) => [taskId, round])).toEqual([
    [first.taskId, 2],
    [first.taskId, 3],
  ]);
  expect(second.pkg.provenance.changes?.since_round).toBe(1);
  expect(second.pkg.provenance.changes?.dropped).toContainEqual({
    path: "shop/price.py",
    item: null,
    detail: "none",
    before: "body",
  });
  expect(third.pkg.provenance.changes?.added.map(({ path }) => path)).toContain("shop/price.py");
  for (const { pkg } of [first, second, third]) ContextPackage.parse(pkg);

  expect(shop.log.runs(first.taskId).map(({ round, command }) => [round, command])).toEqual([
    [1, "retrieve"],
    [2, "refine"],
    [3, "refine"],
  ]);
  for (const round of [1, 2, 3]) expect(shop.log.decisions(first.taskId, { round }).length).toBeGreaterThan(5);
  expect(shop.log.decisions(first.taskId, { round: 2, path: "shop/price.py" })).toEqual([]);
  expect(shop.log.decisions(first.taskId, { round: 3, path: "shop/price.py" })).not.toEqual([]);
  const session = openSession(shop.sessions, first.taskId);
  try {
    expect([1, 2, 3].map((round) => session.get(round, "refinement_request"))).toEqual([
      undefined,
      { rejected_files: ["shop/price.py"], reason: "no" },
      { accepted_files: ["shop/price.py"] },
    ]);
    for (const round of [1, 2, 3]) SESSION_SHAPES.final_context.parse(session.get(round, "final_context"));
    expect(third.constraints).toEqual(
      SESSION_SHAPES.final_context.parse(session.get(3, "final_context")).constraints ?? NO_CONSTRAINTS,
    );
  } finally {
    session.close();
  }
});

test("an interrupted round is continued with its request", async () => {
  const task = "the letter is not sent";
  const { taskId } = await shop.run(task);
  const stop = new AbortController();
  stop.abort();
  const request = { rejected_files: ["shop/mail.py"] };
  await expect(refined(taskId, request, { signal: stop.signal }, task)).rejects.toThrow(Failed);
  const run = await refined(taskId, { accepted_files: ["web/clock.ts"] }, {}, task);
  expect(run.round).toBe(2);
  expect(run.constraints).toEqual(constraints({ ...request, accepted_files: ["web/clock.ts"] }));
  expect(run.pkg.provenance.changes?.since_round).toBe(1);
});

test("if the session is lost or damaged, the constraints come from the log", async () => {
  const known = constraints({ rejected_files: ["shop/mail.py"] });
  const { taskId } = await shop.run("send a letter", { constraints: known });
  const session = openSession(shop.sessions, taskId);
  session.set(1, "final_context", { constraints: { rejected_files: "shop/mail.py" } });
  session.close();
  const run = await shop.run("send a letter", {
    constraints: known,
    refines: { taskId, request: { accepted_files: ["web/clock.ts"] } },
  });
  expect(run.constraints).toEqual(constraints({ rejected_files: ["shop/mail.py"], accepted_files: ["web/clock.ts"] }));
  expect(run.pkg.provenance.changes?.since_round).toBe(1);
});

const FILES = Object.keys(SHOP).filter((path) => path !== "pyproject.toml");
const SYMBOLS = [
  "Cart",
  "Cart.add_item",
  "tax_for",
  "shop/mail.py:send_newsletter",
  "formatMoney",
  "CartView",
] as const;
const HOME: Readonly<Record<(typeof SYMBOLS)[number], readonly [path: string, name: string]>> = {
  Cart: ["shop/cart.py", "Cart"],
  "Cart.add_item": ["shop/cart.py", "Cart.add_item"],
  tax_for: ["shop/tax.py", "tax_for"],
  "shop/mail.py:send_newsletter": ["shop/mail.py", "send_newsletter"],
  formatMoney: ["web/format.ts", "formatMoney"],
  CartView: ["web/cart-view.tsx", "CartView"],
};
/** Symbols by `path:name`, each with a text that only its body holds. */
const BODIES: Readonly<Record<string, string>> = {
  "shop/cart.py:Cart.add_item": "self.items.extend(",
  "shop/cart.py:Cart.cart_sum": "return price_total(self.items)",
  "shop/price.py:price_total": "return Money(net",
  "shop/mail.py:send_newsletter": 'print("dear"',
  "tests/test_cart.py:test_full": "count=101",
  "web/format.ts:formatMoney": "toFixed(2)",
};
const DETAILED = [...Object.keys(BODIES), "shop/tax.py:noSuchThing"];
const some = <T>(from: readonly T[], most: number) => fc.uniqueArray(fc.constantFrom(...from), { maxLength: most });
const requests: fc.Arbitrary<RefinementRequest> = fc
  .record({
    accepted_files: some([...FILES, "no/such.py"], 2),
    rejected_files: some([...FILES, "not/there.py"], 3),
    missing_files: some([...FILES, "gone.py"], 2),
    missing_symbols: some([...SYMBOLS, "noSuchSymbol"], 2),
    missing_tests: some(["tests/test_cart.py", "test_full", "noSuchTest"], 1),
    error_signatures: some(["CartError: the cart is full", "KeyError: 'at'"], 1),
    details: some(DETAILED, 3),
    changed: some([...FILES, ...DETAILED, "shop/old.py", "shop/old.py:f"], 2),
    ways: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
  })
  .map(({ rejected_files, details, ways, ...rest }) => {
    const wanted = new Set([...rest.accepted_files, ...rest.missing_files, ...rest.missing_tests]);
    const inWay = (way: number) => details.filter((_, at) => ways[at] === way);
    return {
      ...rest,
      rejected_files: rejected_files.filter((path) => !wanted.has(path)),
      as_body: inWay(0),
      as_signature: inWay(1),
      left_out: inWay(2),
    };
  })
  .filter((request) => !asksNothing(request));

test("after any rounds, accepted is in, rejected is out, missing is found or reported, within budget, and one run that keeps as much gives the same", async () => {
  let rounds = 0;
  let refused = 0;
  // A task that was asked for something before would be held to that as well.
  let tasks = 0;
  const check = fc.asyncProperty(
    fc.array(requests, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 60, max: 2_500 }),
    async (list, budget) => {
      tasks += 1;
      const task = `the cart sum is wrong (${tasks})`;
      let last: Run | null = await shop.run(task);
      const { taskId } = last;
      let before = last;
      let held = NO_CONSTRAINTS;
      for (const request of list) {
        if (last !== null) before = last;
        held = mergeConstraints(held, request);
        rounds += 1;
        try {
          last = await refined(taskId, request, { budget }, task);
        } catch (error) {
          if (!(error instanceof Failed) || error.failure.code !== "budget-below-floor") throw error;
          expect(error.failure.floor).toBeGreaterThan(budget);
          refused += 1;
          last = null;
          continue;
        }
        expectHeld(last, held, budget);
      }
      if (last === null) return;
      expect(isConstrained(last.constraints)).toBe(true);
      const keeps = { round: before.round, shown: shownItems(before) };
      const once = await shop.run(task, { budget, constraints: last.constraints, keeps });
      expect(once.taskId).not.toBe(taskId);
      const { changes: _, ...provenance } = last.pkg.provenance;
      expect({ ...last.pkg, provenance, task_id: once.taskId }).toEqual(once.pkg);
      expect([last.markdown, last.prompt]).toEqual([once.markdown, once.prompt]);
    },
  );
  await fc.assert(check, { numRuns: 9 });
  expect(refused).toBeLessThan(rounds);
});

function expectHeld(run: Run, held: Constraints, budget: number): void {
  expect(run.pkg.token_count).toBeLessThanOrEqual(budget);
  const inside = new Set(paths(run));
  const known = new Set(FILES);
  const rejected = new Set(held.rejected_files);
  for (const path of held.accepted_files) expect([path, inside.has(path)]).toEqual([path, known.has(path)]);
  for (const path of held.missing_files) expect([path, inside.has(path)]).toEqual([path, known.has(path)]);
  for (const path of rejected) {
    expect(inside.has(path)).toBe(false);
    expect(JSON.stringify([run.pkg.dependency_edges, run.pkg.provenance.symbols])).not.toContain(path);
    expect(run.markdown).not.toContain(path);
    expect(run.prompt).not.toContain(path);
  }
  for (const name of held.changed) {
    const [path = "", symbol] = name.split(":");
    const isLeftOut = held.left_out.includes(name);
    if (!known.has(path)) expect(run.pkg.warnings.join()).toContain(path);
    else if (symbol === undefined || !isLeftOut) expect([name, inside.has(path)]).toEqual([name, !rejected.has(path)]);
  }
  for (const name of SYMBOLS.filter((symbol) => held.missing_symbols.includes(symbol))) {
    const [path, symbol] = HOME[name];
    const isLeftOut = held.left_out.includes(`${path}:${symbol}`);
    expect([name, shownOf(run, path).includes(symbol)]).toEqual([name, !rejected.has(path) && !isLeftOut]);
  }
  expectDetails(run, held);
  const warnings = run.pkg.warnings.join("\n");
  const { accepted_files, missing_files, missing_symbols, missing_tests, as_body, as_signature, left_out } = held;
  for (const name of [
    ...[...accepted_files, ...missing_files, ...missing_symbols, ...missing_tests],
    ...[...as_body, ...as_signature, ...left_out],
  ])
    if (/no.?such|gone/i.test(name)) expect(warnings).toContain(`"${name}" is not in the index`);
}

/** Bodies that are asked for are whole or named as cut; of the others no line of their bodies is anywhere. */
function expectDetails(run: Run, held: Constraints): void {
  const texts = [run.markdown, run.prompt, JSON.stringify(run.pkg.files)];
  for (const [name, line] of Object.entries(BODIES)) {
    const [path = "", symbol = ""] = name.split(":");
    const row = run.pkg.provenance.symbols.find((at) => at.path === path && at.qualified_name === symbol);
    const isRejected = held.rejected_files.includes(path);
    if (held.as_body.includes(name)) {
      if (isRejected) expect(run.pkg.warnings).toContain(`the symbol "${name}" is only in rejected files`);
      else if (row?.detail === "body") expect(run.markdown).toContain(line);
      else
        expect([row === undefined, run.pkg.warnings.filter((text) => text.includes(name)).length]).toEqual([false, 1]);
      if (row !== undefined) expect(["primary", "tests"]).toContain(row.tier);
    }
    if (held.as_signature.includes(name) && !isRejected) expect(row?.detail).toBe("signature");
    if (held.left_out.includes(name)) expect(row).toBeUndefined();
    if ([...held.as_signature, ...held.left_out].includes(name))
      for (const text of texts) expect(text).not.toContain(line);
  }
}

test("a module whose name has dots can be asked for as missing", async () => {
  using world = await indexed({
    "lib/cart.ex": "defmodule Shop.Cart do\n  def total(items), do: Enum.sum(items)\nend\n",
    "lib/page.ex": "defmodule Shop.Page do\n  def show(page), do: page\nend\n",
  });
  const run = await world.run("show the page", { constraints: constraints({ missing_symbols: ["Shop.Cart"] }) });
  expect(shownOf(run, "lib/cart.ex")).toContain("Shop.Cart");
});
