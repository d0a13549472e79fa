/** What is new in a further round: nothing that a reader of the round before lacks is left out. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ContextPackage } from "../../../src/retrieval/model/package-schema.ts";
import type { RoundNews } from "../../../src/retrieval/model/round-news.ts";
import { roundNews } from "../../../src/retrieval/refinement/round-news.ts";
import { bodyStart } from "../../../src/retrieval/render/code-rows.ts";
import { renderNews } from "../../../src/retrieval/render/news.ts";
import type { RefinementRequest } from "../../../src/retrieval/requests/refinement.ts";
import { indexed, type Run, type RunOptions } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

const newsOf = (run: Run): RoundNews => (run.since === null ? expect.unreachable() : roundNews(run, run.since));

const next = (run: Run, request: RefinementRequest, wishes: RunOptions, task: string): Promise<Run> =>
  shop.run(task, { ...wishes, refines: { taskId: run.taskId, request } });

/** All that a package tells of its files: lines of code with their numbers, signatures, assertions and comments that say why. */
const piecesOf = ({ files }: ContextPackage): ReadonlySet<string> =>
  new Set(
    files.flatMap(({ path, symbols, snippets, rationale_comments, test_assertions }) => {
      const bodies = symbols.flatMap((symbol) =>
        symbol.body === null ? [] : [{ start_line: bodyStart(symbol), text: symbol.body }],
      );
      return [
        ...[...bodies, ...snippets].flatMap(({ start_line, text }) =>
          text.split("\n").map((line, at) => `line ${start_line + at}: ${line}`),
        ),
        ...symbols.map(({ qualified_name, signature }) => `${qualified_name}: ${signature}`),
        ...rationale_comments,
        ...(test_assertions ?? []),
      ].map((piece) => `${path}, ${piece}`);
    }),
  );

const PATHS = Object.keys(SHOP).filter((path) => path !== "pyproject.toml");

test("of a whole package, what is not new was in the round before", async () => {
  const request = fc.record({
    missing_files: fc.subarray(PATHS, { maxLength: 2 }),
    missing_symbols: fc.subarray(["Cart.add_item", "price_total", "CartError", "Money"], { maxLength: 2 }),
    error: fc.constantFrom("CartError: full", "KeyError: at"),
  });
  const budgets = fc.constantFrom(400, 700, 900, 32_768);
  let tasks = 0;
  let shorter = 0;
  await fc.assert(
    fc.asyncProperty(request, budgets, budgets, async ({ error, ...lists }, before, budget) => {
      tasks += 1;
      const task = `a letter of prices (${tasks})`;
      const first = await shop.run(task, { budget: before });
      const second = await next(first, { ...lists, error_signatures: [error] }, { budget }, task);
      const news = newsOf(second);
      const known = new Set([...piecesOf(first.pkg), ...piecesOf(news.part)]);
      expect([...piecesOf(second.pkg)].filter((piece) => !known.has(piece))).toEqual([]);
      shorter += Number(news.part.files.length < second.pkg.files.length);
    }),
    { numRuns: 20 },
  );
  expect(shorter).toBeGreaterThan(5);
});

test("other lines of a definition that is shown in part are new", async () => {
  const body = Array.from({ length: 400 }, (_, at) => `    total += price_of(${at}) * ${at % 7}`).join("\n");
  using long = await indexed({ "bill.py": `def make_bill(cart):\n    total = 0\n${body}\n    return total\n` });
  const task = "make_bill counts too much";
  const first = await long.run(task, { budget: 800 });
  const second = await long.run(task, { budget: 1_600, refines: { taskId: first.taskId, request: {} } });
  const detail = (run: Run) => run.packed.fit.shown.map((entry) => `${entry.item.label} ${entry.detail}`);
  expect([detail(first), detail(second)]).toEqual([["make_bill excerpt"], ["make_bill excerpt"]]);
  const [known, now] = [piecesOf(first.pkg), piecesOf(second.pkg)];
  expect(now.size).toBeGreaterThan(known.size);
  expect([...piecesOf(newsOf(second).part)]).toEqual([...now]);
});

test("a round that adds one file shows that file and names the others", async () => {
  const task = "add_item of `Cart` takes too many";
  const first = await shop.run(task, { budget: 32_768, scopeSize: 3, coverage: 0.5 });
  expect(first.since).toBeNull();
  const missing = "shop/mail.py";
  expect(first.pkg.files.map(({ path }) => path)).not.toContain(missing);
  const second = await next(first, { missing_files: [missing] }, { budget: 32_768, scopeSize: 3, coverage: 0.5 }, task);
  const news = newsOf(second);
  expect(news.since).toBe(1);
  expect(news.part.files.map(({ path }) => path)).toContain(missing);
  const text = renderNews(news);
  expect(text).toContain("def send");
  expect(text).not.toContain("self.items.extend");
  const [, names = ""] = text.split("## Unchanged Since Round 1\n");
  expect(names).toMatch(/^`shop\/cart\.py`: .*Cart\.add_item/m);
  expect(second.counter.count(text)).toBeLessThan(second.pkg.token_count);
});

test("what is shown in more detail than before is new; what left is named", async () => {
  const task = "add_item of `Cart` takes too many";
  const wishes = { budget: 32_768, coverage: 0.5 };
  const before = { as_signature: ["shop/cart.py:Cart.add_item"] };
  const first = await next(await shop.run(task, wishes), before, wishes, task);
  const after = { as_body: ["shop/cart.py:Cart.add_item"], rejected_files: ["shop/price.py"] };
  const second = await next(first, after, wishes, task);
  const news = newsOf(second);
  const text = renderNews(news);
  expect(text).toContain("self.items.extend");
  // The other way around, its signature is no news.
  const again = await next(second, before, wishes, task);
  expect(again.packed.fit.shown.find(({ item }) => item.label === "Cart.add_item")?.detail).toBe("signature");
  expect(renderNews(newsOf(again))).not.toContain("def add_item");
  const gone = news.dropped.map(({ path }) => path);
  expect(gone).toContain("shop/price.py");
  expect(text).toMatch(/## No Longer Shown\n`shop\/price\.py`: /);
});
