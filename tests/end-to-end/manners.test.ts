/** What hands do at a prompt works: words without quotes, `8k`, the start of an id, a pager for what is long. */
import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { runCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { shopRepo } from "../support/shop.ts";
import { openTerminal } from "../support/terminal-session.ts";
import { ENVIRONMENT } from "../support/terminal-user.ts";

const repo = shared(shopRepo());
const folder = shared(tempFolder());
await indexIn(repo);
const env = { ...ENVIRONMENT };

test(
  "a task needs no quotes, a budget takes a k, and three characters of the id are enough",
  async () => {
    const words = await runCra(["retrieve", "Cart.sum", "is", "wrong", "--budget", "8k", "--json"], {
      cwd: repo.path,
      env,
    });
    const quoted = await runCra(["retrieve", "Cart.sum is wrong", "--budget", "8000", "--json"], {
      cwd: repo.path,
      env,
    });
    const parsed = JSON.parse(words.stdout);
    expect([parsed.task_query.raw_description, parsed.budget]).toEqual(["Cart.sum is wrong", 8_000]);
    expect(JSON.parse(quoted.stdout).task_id).toBe(parsed.task_id);
    const explained = await runCra(["explain", parsed.task_id.slice(0, 3), "shop/cart.py"], { cwd: repo.path, env });
    expect([explained.exitCode, explained.stdout.split("\n")[0]]).toEqual([0, expect.stringContaining("shop/cart.py")]);
    const inFull = await runCra(["explain", parsed.task_id, "shop/cart.py", "-v"], { cwd: repo.path, env });
    expect(inFull.stdout).toStartWith(explained.stdout);
    expect(inFull.stdout.length).toBeGreaterThan(explained.stdout.length * 2);

    // A saved package is named as untracked inside the repository, and only there.
    const inside = await runCra(["retrieve", "Cart.sum", "-o", "package.md"], { cwd: repo.path, env });
    expect(inside.stderr).toContain("package.md is in the repository and git does not track it");
    const outside = await runCra(["retrieve", "Cart.sum", "-o", join(folder.path, "p.md")], { cwd: repo.path, env });
    expect(outside.stderr).not.toContain("track");

    // On a terminal, what is longer than it goes through the pager.
    const pager = join(folder.path, "pager");
    writeFileSync(pager, "#!/bin/sh\nwc -l\necho through the pager\n");
    chmodSync(pager, 0o755);
    const command = [await binary(), "explain", parsed.task_id, "shop/cart.py"];
    await using long = openTerminal({
      command: [...command, "-v"],
      cwd: repo.path,
      env: { ...env, PAGER: pager },
      rows: 24,
    });
    await long.until("through the pager");
    await using short = openTerminal({ command, cwd: repo.path, env: { ...env, PAGER: pager }, rows: 24 });
    expect((await short.ended).exitCode).toBe(0);
    expect(short.text()).not.toContain("through the pager");
  },
  HANG_MS,
);
