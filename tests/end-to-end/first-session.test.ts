/**
 * A first session, driven by what the screen says alone: labels of the keys at the bottom, and of the help.
 *
 * The driver knows no key. It finds the words it looks for, and presses what stands before them.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { shopRepo } from "../support/shop.ts";
import { pressOf } from "../support/terminal-presses.ts";
import { openTui, type User } from "../support/terminal-user.ts";

/** How the screen writes keys, as the names of `terminal-presses.ts`. */
const NAMES: Readonly<Record<string, string>> = { enter: "return", esc: "escape", "↑": "up", "↓": "down" };

/** The key before a label in the last line of the screen. */
function keyOf(text: string, label: string): string {
  const footer = text.trimEnd().split("\n").at(-1) ?? "";
  const [, key] = new RegExp(`(?:^| )(\\S+) ${label}(?= {2}|$| *$)`).exec(footer) ?? [];
  if (key === undefined) throw new Error(`no "${label}" in: ${footer}`);
  return NAMES[key] ?? key;
}

type Driver = { readonly presses: readonly string[]; follow(label: string): Promise<void> };

function driver(user: User): Driver {
  const presses: string[] = [];
  return {
    presses,
    async follow(label) {
      const key = keyOf(
        await user.until((text) => (text.trimEnd().split("\n").at(-1) ?? "").includes(` ${label}`)),
        label,
      );
      presses.push(key);
      user.type(pressOf(key));
    },
  };
}

test.each([
  [80, 24],
  [120, 40],
] as const)(
  "from nothing to a saved package at %dx%d",
  async (columns, rows) => {
    using repo = shopRepo();
    using folder = tempFolder();
    const env = { CRA_DATA_DIR: join(folder.path, "data") };
    await using user = await openTui([], { cwd: repo.path, env, columns, rows });
    const { follow, presses } = driver(user);
    await user.until("Describe the task");
    user.type("the sum of a cart is wrong");
    await user.until("the sum of a cart is wrong");
    await follow("run");

    // What one sees is the package: its files, how much of each, and where it ends.
    const review = await user.until((text) => text.includes("Package") && text.includes("shop/cart.py"));
    expect(review).toMatch(/file +shows +tokens/);
    expect(review).toMatch(/cart\.py +(?:whole file|all \d+ symbols|\d+.*symbols?) +\d+/);
    await follow("preview");
    await user.until("ships as shown");
    await follow("list");
    await follow("mark");
    await user.until("+ accepted");
    await follow("refine");
    await user.until("What changed");
    await follow("back");
    await follow("save");
    const path = /path +(\S+\.md)/.exec(await user.until("Save the package"))?.[1] ?? "";
    await follow("save");
    await user.until(/Wrote .*bytes/);
    await follow("quit");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(existsSync(join(repo.path, path))).toBe(true);
    expect(readFileSync(join(repo.path, path), "utf8")).toContain("shop/cart.py");
    expect(presses.length).toBeLessThanOrEqual(12);
  },
  HANG_MS,
);
