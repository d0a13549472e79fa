/** The same files, task and options give the same bytes: again, elsewhere, and however the index came about. */
import { expect, test } from "bun:test";
import { type Indexed, indexed, type Run } from "../support/indexed.ts";
import { growShop, HOSTILE, SHOP } from "./retrieve-fixture.ts";

const TASKS = ["the cart sum is wrong", "fix `tax_for` in shop/tax.py", "money on the page", "zzz qqq"] as const;

const bytesOf = ({ pkg, markdown, prompt, taskId }: Run): string =>
  [taskId, markdown, prompt, JSON.stringify(pkg)].join("\n---\n");

const all = async (world: Indexed, tasks: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const task of tasks) for (const budget of [700, 32_768]) found.push(bytesOf(await world.run(task, { budget })));
  return found;
};

test("the result is the same twice, in another folder, and from a rebuilt index", async () => {
  using here = await indexed(SHOP, { git: true, grow: growShop });
  using elsewhere = await indexed(SHOP, { git: true, grow: growShop });
  const once = await all(here, TASKS);
  expect(await all(here, TASKS)).toEqual(once);
  expect(await all(elsewhere, TASKS)).toEqual(once);
  for (const text of once) expect(text).not.toContain(here.repo.path);
});

test("the order in which files were written does not matter", async () => {
  const tasks = ["engine boiler valve", "fix `nested7` and read_letters", "fix src/cjk.py"];
  const { "src/tables.js": _large, ...files } = HOSTILE;
  const backwards = Object.fromEntries(Object.entries(files).toReversed());
  using one = await indexed(files);
  using other = await indexed(backwards);
  expect(await all(other, tasks)).toEqual(await all(one, tasks));
});
