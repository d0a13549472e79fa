/** The binary works alone: without git, Node, a shell, a network or any other file. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type BareMachine, bareMachine, CAN_BE_BARE } from "../support/bare-machine.ts";
import { HANG_MS } from "../support/hang.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { openTerminal } from "../support/terminal-session.ts";
import { at, bytesOf } from "../support/terminal-user.ts";

setDefaultTimeout(HANG_MS);

describe.skipIf(!CAN_BE_BARE)("on a machine with nothing else on it (needs unshare and chroot)", () => {
  let machine: BareMachine;

  beforeAll(async () => {
    using repo = shopRepo();
    machine = await bareMachine(repo.path);
    // The index of the others.
    expect(cra("index")).toMatchObject({ code: 0 });
  });
  afterAll(() => machine[Symbol.dispose]());

  const cra = (...args: readonly string[]) => {
    const run = Bun.spawnSync([...machine.command(...args, "--repo", "/repository")], { stdin: "ignore" });
    return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() };
  };

  test("it passes its self-check and reads git history without git", () => {
    const self = Bun.spawnSync([...machine.command("doctor", "--self")], { stdin: "ignore" });
    expect(self.stdout.toString()).toContain("nothing is wrong");
    const status = cra("status", "--json");
    expect([status.code, JSON.parse(status.out)]).toMatchObject([0, { index: { counts: { commits: 4 } } }]);
  });

  test("retrieve, then refine", () => {
    const first = cra("retrieve", SHOP_TASK, "--json");
    expect([first.code, first.err]).toEqual([0, expect.stringContaining("cra explain ")]);
    const { task_id: id }: { task_id: string } = JSON.parse(first.out);
    const second = cra("refine", id, "--reject", "shop/price.py");
    expect([second.code, second.out]).toEqual([0, expect.stringContaining("shop/cart.py")]);
    expect(second.out).not.toContain("### shop/price.py");
  });

  test("the interface", async () => {
    const command = machine.command("tui", "--repo", "/repository");
    await using terminal = openTerminal({ command, cwd: "/" });
    await terminal.until(at("entry"));
    terminal.type(SHOP_TASK);
    terminal.type(bytesOf("entry", "task.run"));
    await terminal.until(at("review"));
    expect(await terminal.until("cart.py")).toContain("tokens");
  });

  test("the server for agents", async () => {
    const [command, ...args] = machine.command("mcp", "--repo", "/repository");
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }));
    try {
      const answer = await client.callTool({ name: "retrieve", arguments: { task: SHOP_TASK } });
      expect(JSON.stringify(answer.content)).toContain("shop/cart.py");
    } finally {
      await client.close();
    }
  });
});
