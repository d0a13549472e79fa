/** The interface without colours, on small or old terminals and for screen readers gives the same information. */
import { describe, expect, test } from "bun:test";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { at, openTui } from "../support/terminal-user.ts";

const repo = shared(shopRepo());
await indexIn(repo);
/** Marks that are left in a task come back with it. */
const unmarked = shared(shopRepo());
await indexIn(unmarked);

const COLOUR = /\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10[0-7])(?:;\d+)*m/;
const OF_THE_SIXTEEN =
  /^\x1b\[(?:[0-9]|2[1-9]|3[0-79]|4[0-79]|9[0-7]|10[0-7])(?:;(?:[0-9]|2[1-9]|3[0-79]|4[0-79]|9[0-7]|10[0-7]))*m$/;

describe("colours", () => {
  test("use only the sixteen configurable ones of a terminal", async () => {
    await using user = await openTui([SHOP_TASK], { cwd: repo.path });
    await user.until(at("review"));
    const styles = new Set(user.output().match(/\x1b\[[\d;]*m/g) ?? []);
    expect([...styles].filter((style) => !OF_THE_SIXTEEN.test(style) && style !== "\x1b[m")).toEqual([]);
    expect([...styles].some((style) => COLOUR.test(style))).toBe(true);
  });

  test.each<readonly [string, readonly string[], Readonly<Record<string, string>>]>([
    ["NO_COLOR", ["--ascii"], { NO_COLOR: "1" }],
    ["--no-color", [], {}],
  ])("are off with %s, and marks are still readable", async (name, others, env) => {
    const args = name.startsWith("--") ? [name, ...others] : others;
    await using user = await openTui([SHOP_TASK, ...args], { cwd: repo.path, env, columns: 160, rows: 45 });
    await user.until(at("review"));
    user.press("review", "mark.accept", "list.next", "mark.reject");
    await user.until("[-]");
    expect(user.text()).toContain("[+]");
    user.press("review", "help.open");
    await user.until(at("help"));
    expect(COLOUR.exec(user.output())).toBeNull();
    const isAscii = /^[\x00-\x7f]*$/.test(user.output());
    expect(isAscii).toBe(args.includes("--ascii"));
  });
});

test("a terminal that is too small shows a message at any size, and the screen again when it grows", async () => {
  await using user = await openTui([SHOP_TASK], { cwd: repo.path, columns: 39, rows: 24 });
  const isTold = (text: string): boolean =>
    text.replaceAll(/\s+/g, " ").includes("terminal too small") &&
    text.split("\n").filter((row) => row.trim() !== "").length <= 3;
  await user.until(isTold);
  for (const [columns, rows] of [
    [80, 7],
    [20, 5],
  ] as const) {
    user.resize(80, 24);
    await user.until(at("review"));
    user.resize(columns, rows);
    await user.until(isTold);
  }
  user.resize(80, 24);
  await user.until(at("review"));
  user.resize(40, 8);
  await user.until((text) => text.includes("cart.py"));
  user.press("review", "app.quit");
  expect(await user.ended).toEqual({ exitCode: 0, signal: null });
  expect(await user.leftOn()).toEqual([]);
});

test("a character that the terminal draws wider than measured moves no other row", async () => {
  // One character of two columns; terminals that do not join its parts draw three, or six.
  const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}";
  const file = `def wide_total(items):\n    """${family.repeat(60)}"""\n    return items\n`;
  using wide = tempRepo({ "wide.py": file, [`wide_${family.repeat(9)}.py`]: file }, { git: true });
  await using user = await openTui(["fix wide_total in wide.py"], { cwd: wide.path, columns: 100, rows: 24 });
  await user.until(at("review"));
  const before = user.screen.rows();
  expect(before[0]).toStartWith(" cra");
  expect(before.map((row) => row.includes("╭")).indexOf(true)).toBe(1);
  user.press("review", "list.next");
  await user.until(/▸.*wide_/);
  expect(user.screen.rows()[0]).toStartWith(" cra");
  user.press("review", "app.quit");
  expect(await user.ended).toEqual({ exitCode: 0, signal: null });
  expect(await user.leftOn()).toEqual([]);
});

describe("for a screen reader", () => {
  test.each<readonly [string, readonly string[], Readonly<Record<string, string>>]>([
    ["--screen-reader", ["--screen-reader", SHOP_TASK], {}],
    ["CRA_SCREEN_READER", [], { CRA_SCREEN_READER: "1" }],
    ["INK_SCREEN_READER", [], { INK_SCREEN_READER: "true" }],
  ])("with %s, prints lines of text, and the first names the mode", async (source, args, env) => {
    await using user = await openTui(args, { cwd: unmarked.path, env });
    const isReview = args.includes(SHOP_TASK);
    // The run lists files too, and there `q` asks first.
    await user.until(isReview ? "Package, " : "5 files");
    await user.still();
    expect(user.screen.isAlternate).toBe(false);
    expect(user.output()).not.toContain("\x1b[?1049h");
    const first =
      user
        .output()
        .replaceAll(/\x1b\[[\d;?]*[a-zA-Z]/g, "")
        .trimStart()
        .split("\n")[0] ?? "";
    expect(first).toMatch(/screen.?reader/i);
    expect(first).toContain(source);
    expect(user.output()).not.toMatch(/[\u2500-\u259f\u2800-\u28ff]/);
    if (isReview) {
      const before = user.output().length;
      user.press("review", "list.next");
      await user.until(/2\. .*\(current\)/);
      // Lines are added: the cursor never goes up, and only the empty line that it is on is ever erased.
      expect(user.output()).not.toMatch(/\x1b\[\d*[AFJ]/);
      expect(user.output().slice(before)).not.toContain("screen reader mode");
    }
    user.press(isReview ? "review" : "entry", "app.quit");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(await user.leftOn()).toEqual([]);
  });
});
