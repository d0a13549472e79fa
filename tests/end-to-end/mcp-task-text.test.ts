/** An agent knows the task that it asked: an answer says its first line, and counts what it says. */
import { expect, test } from "bun:test";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { shopRepo } from "../support/shop.ts";

const REST = "The discount of a cart is taken twice.\n".repeat(40);

test("an answer has the first line of its task, within the budget and counted exactly", async () => {
  using repo = shopRepo();
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  const counter = await openTokenCounter("o200k_base", { margin: 0 });
  const ask = async (tool: string, args: Record<string, unknown>) => {
    const { structured } = await callTool(mcp, tool, args);
    const { markdown, token_count: tokens, task_id } = structured;
    expect(tokens).toBe(counter.count(String(markdown)));
    return { task_id, markdown: String(markdown) };
  };
  const first = await ask("retrieve", { task: `Cart.sum is wrong\n\n${REST}` });
  const round = await ask("refine", { task_id: first.task_id, missing_files: ["shop/mail.py"] });
  for (const { markdown } of [first, round])
    expect(markdown).toStartWith("## Task\nCart.sum is wrong […]\n\n## Primary Context\n");
  const short = await ask("retrieve", { task: "Cart.sum is wrong" });
  expect(short.markdown).toStartWith("## Task\nCart.sum is wrong\n\n## Primary Context\n");
  const long = await ask("retrieve", { task: `Cart.sum is ${"wrong ".repeat(200)}` });
  expect(long.markdown.indexOf("## Primary Context")).toBeWithin(1, 400);
});
