/** What `cra mcp` sends of a further round. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { PackageAnswer } from "../../src/present/answers.ts";
import { HANG_MS } from "../support/hang.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { SHOP_FILES, SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

test("a round after one that this client was sent shows what is new, unless all is asked for", async () => {
  using repo = shopRepo();
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  await using plain = await openMcp({ cwd: repo.path });
  const said = async (args: Readonly<Record<string, unknown>>) => (await callTool(plain, "refine", args)).text;
  const ask = async (args: Readonly<Record<string, unknown>>) =>
    PackageAnswer.parse((await callTool(mcp, "refine", args)).structured);
  const { structured } = await callTool(mcp, "retrieve", { task: SHOP_TASK });
  const { task_id, markdown } = PackageAnswer.parse(structured);
  expect([markdown.includes("return total(self.items)"), markdown.includes("def send")]).toEqual([true, false]);
  const second = await ask({ task_id, missing_files: ["shop/mail.py"] });
  expect(second.news?.since_round).toBe(1);
  expect(second.token_count).toBeLessThan(second.news?.package_tokens ?? 0);
  expect([second.markdown.includes("return total(self.items)"), second.markdown.includes("def send")]).toEqual([
    false,
    true,
  ]);
  expect(second.markdown).toMatch(/## Unchanged Since Round 1\n(?:.*\n)*`shop\/cart\.py`: .*Cart.sum/);
  expect(second.files.map(({ path }) => path)).toContain("shop/cart.py");
  // Nothing else has to be asked for.
  const all = await ask({ task_id, show: "all" });
  expect([all.news, all.round]).toEqual([undefined, 3]);
  expect([all.markdown.includes("return total(self.items)"), all.markdown.includes("def send")]).toEqual([true, true]);
  // What was edited since is new.
  repo.write({ "shop/cart.py": SHOP_FILES["shop/cart.py"].replace("total(self.items)", "total(self.items) or 0") });
  const edited = await ask({ task_id, error_signatures: ["TypeError: unsupported operand"] });
  expect(edited.news?.since_round).toBe(3);
  expect(edited.markdown).toContain("return total(self.items) or 0");
  expect(edited.markdown).not.toContain("def send");
  // Another client has not seen the round before.
  expect(await said({ task_id, error_signatures: ["KeyError"] })).toContain("return total(self.items)");
  // It asks for less by itself, and is told what it is given.
  const few = await said({ task_id, accepted_files: ["shop/mail.py"] });
  expect(few).not.toContain("return total(self.items)");
  expect(few).toMatch(
    / of 6000 tokens, of which these \d+ say what is new since round 5 \(show: "all" repeats the rest\)\./,
  );
});
