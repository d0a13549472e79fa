/** What people type without thinking: no quotes, short numbers, short ids, files saved where they stand. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

const repo = shared(shopRepo());
await indexIn(repo);
const cra = (...words: readonly string[]) => runHere(words, { cwd: repo.path });
const HINT = "cra: hint: a local model can describe what each file is for";

test("only the first run of a repository has a hint about descriptions", async () => {
  expect((await cra("retrieve", SHOP_TASK)).stderr).toContain(HINT);
  const second = await cra("retrieve", SHOP_TASK);
  expect(second.stderr).not.toContain("hint");
  expect(second.stderr).not.toContain("enrichment");
});

test("a task without quotes, a budget of 8k, and three characters of the id", async () => {
  const words = SHOP_TASK.split(" ");
  const one = packageOf(await cra("retrieve", SHOP_TASK, "--budget", "8000", "--json"));
  const other = packageOf(await cra("retrieve", ...words, "--budget", "8k", "--json"));
  expect(other).toEqual(one);
  const why = await cra("explain", one.task_id.slice(0, 3), "shop/cart.py");
  expect([why.exitCode, why.stdout.includes("shop/cart.py")]).toEqual([0, true]);
});

test("a package saved into the repository says whether git sees it", async () => {
  const saved = async (path: string): Promise<boolean> =>
    (await cra("retrieve", SHOP_TASK, "-o", `${repo.path}/${path}`)).stderr.includes(
      "git neither tracks nor ignores it",
    );
  repo.write({ ".gitignore": "*.txt\n" });
  expect([await saved("task.md"), await saved("task.txt")]).toEqual([true, false]);
});
