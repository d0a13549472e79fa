/** Long answers are paged on a terminal, by the user's own pager; short ones, and all in a pipe, are printed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { openCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

const repo = shared(shopRepo());
await indexIn(repo);
const { task_id: id } = packageOf(await runHere(["retrieve", SHOP_TASK, "--json"], { cwd: repo.path }));

async function shown(rows: number, env: Readonly<Record<string, string>>, ...more: readonly string[]): Promise<string> {
  await using cra = await openCra(["explain", id, "-v", ...more], { cwd: repo.path, rows, env });
  expect(await cra.ended).toEqual({ exitCode: 0, signal: null });
  return cra.output();
}
const PAGED = "PAGED";
const PAGER = `sed s/^/${PAGED}/`;

test("an explanation that does not fit is paged, and one that fits is printed", async () => {
  expect(await shown(10, { PAGER })).toStartWith(PAGED);
  expect(await shown(1_000, { PAGER })).not.toContain(PAGED);
  expect(await shown(10, { PAGER: "cat" })).toContain("shop/cart.py");
});

test("without a pager that runs, or a user to page, it is printed", async () => {
  for (const [env, more] of [
    [{ PAGER: "/nonexistent/pager" }, []],
    [{ PAGER: "" }, []],
    [{ PAGER, TERM: "dumb" }, []],
    [{ PAGER }, ["--no-input"]],
  ] as const) {
    const text = await shown(10, env, ...more);
    expect([env, text.includes(PAGED), text.includes("shop/cart.py")]).toEqual([env, false, true]);
  }
});
