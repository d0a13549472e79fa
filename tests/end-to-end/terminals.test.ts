/**
 * The interface on terminals that answer and send keys in their own ways: what they say about themselves is no key, and
 * their keys are understood.
 */
import { describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { askedIn } from "../support/asked-in.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { at, openTui, type User } from "../support/terminal-user.ts";

const repo = shared(shopRepo());
const copies = shared(tempFolder()).path;
const taskId = await askedIn(repo, SHOP_TASK);

/** `answers` are what such a terminal sends when it is asked, or of itself; `down` and `help` are keys as it sends them. */
type Row = {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly answers: readonly string[];
  readonly down: string;
  readonly help: string;
};

const DEVICE = {
  primary: "\x1b[?62;22c",
  secondary: "\x1b[>1;4000;0c",
  cursor: "\x1b[12;34R",
  background: "\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
  foreground: "\x1b]10;rgb:cdcd/d6d6/f4f4\x1b\\",
  focus: "\x1b[I\x1b[O\x1b[I",
  synchronized: "\x1b[?2026;2$y",
} as const;

const ROWS: readonly Row[] = [
  { name: "xterm", env: { TERM: "xterm" }, answers: [DEVICE.primary, DEVICE.secondary], down: "\x1bOB", help: "?" },
  {
    name: "xterm with 256 colours",
    env: { TERM: "xterm-256color", COLORTERM: "truecolor" },
    answers: [DEVICE.background, DEVICE.foreground, DEVICE.cursor, DEVICE.synchronized],
    down: "\x1b[B",
    help: "?",
  },
  // It is drawn with ASCII.
  { name: "the Linux console", env: { TERM: "linux" }, answers: ["\x1b[?6c"], down: "\x1b[B", help: "?" },
  {
    name: "tmux",
    env: { TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0" },
    answers: ["\x1bP>|tmux 3.4\x1b\\", "\x1b[?1;2;4c", DEVICE.focus],
    down: "\x1b[B",
    help: "?",
  },
  { name: "screen", env: { TERM: "screen" }, answers: ["\x1b[?1;2c", "\x1b[>83;50000;0c"], down: "\x1bOB", help: "?" },
  {
    name: "kitty",
    env: { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" },
    answers: ["\x1b[?0u", "\x1bP>|kitty(0.36.0)\x1b\\", DEVICE.primary],
    // A press and a release of j.
    down: "\x1b[106;1:1u\x1b[106;1:3u",
    help: "\x1b[63;1:1u",
  },
  {
    name: "Windows Terminal",
    env: { TERM: "xterm-256color", WT_SESSION: "00000000-0000-0000-0000-000000000000" },
    answers: ["\x1b[?61;6;7;21;22;23;24;28;32;42c", DEVICE.focus, DEVICE.cursor],
    down: "\x1b[B",
    help: "?",
  },
];

const cursorRow = (user: User): number =>
  user.screen
    .rows()
    .filter((row) => /\[[ +-]\]/.test(row))
    .findIndex((row) => /[▸>]\[/.test(row));

describe("on", () => {
  test.each(ROWS)(
    "$name",
    async ({ name, env, answers, down, help }) => {
      // Each has its own draft, which keeps the row of the cursor.
      const data = join(copies, name);
      cpSync(join(repo.path, ".cra"), data, { recursive: true });
      const place = { cwd: repo.path, env: { ...env, CRA_DATA_DIR: data } };
      await using user = await openTui(["--resume", taskId], place);
      await user.until((text) => at("review")(text) && text.includes("rejecting it frees"));
      const before = await user.still(80);
      for (const answer of answers) user.type(answer);
      expect(await user.still(120)).toBe(before);
      user.type(down);
      await user.until(() => cursorRow(user) === 1);
      user.type(help);
      await user.until(at("help"));
      user.press("help", "app.back");
      await user.until(at("review"));
      user.press("review", "app.quit");
      expect(await user.ended).toEqual({ exitCode: 0, signal: null });
      expect(await user.leftOn()).toEqual([]);
    },
    HANG_MS,
  );

  test(
    "a slow connection, a key that arrives in pieces is one key",
    async () => {
      const data = join(copies, "slow");
      cpSync(join(repo.path, ".cra"), data, { recursive: true });
      await using user = await openTui(["--resume", taskId], { cwd: repo.path, env: { CRA_DATA_DIR: data } });
      await user.until(at("review"));
      expect(cursorRow(user)).toBe(0);
      for (const piece of ["\x1b[", "B"]) {
        user.type(piece);
        await user.still(80);
      }
      await user.until((text) => at("review")(text) && cursorRow(user) === 1);
    },
    HANG_MS,
  );

  test(
    "a console that marks no paste, lines of a paste are lines of the task",
    async () => {
      await using user = await openTui([], {
        cwd: repo.path,
        env: { TERM: "linux", CRA_DATA_DIR: join(copies, "pasted") },
      });
      await user.until(at("entry"));
      user.type("The checkout fails\rwhen the cart is empty.\r\rSee the log of the shop.\r");
      await user.until(/The checkout fails.*when the cart is empty\..*See the log of the shop\./s);
      await user.still();
      expect(at("entry")(user.text())).toBe(true);
      user.press("entry", "task.run");
      await user.until(at("review"));
    },
    HANG_MS,
  );

  test(
    "xterm with modifyOtherKeys, and one whose mouse reports have no SGR form",
    async () => {
      const data = join(copies, "modified");
      cpSync(join(repo.path, ".cra"), data, { recursive: true });
      await using user = await openTui(["--resume", taskId], { cwd: repo.path, env: { CRA_DATA_DIR: data } });
      await user.until(at("review"));
      // A press at the column whose sign is the key to quit, whether the mouse is on or off.
      user.type("\x1b[M q#\x1b[M#q#");
      user.type("\x1b[27;2;63~");
      await user.until(at("help"));
      user.type("\x1b[27;5;99~\x1b[27;5;99~");
      expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    },
    HANG_MS,
  );

  test("a terminal that can do nothing, it does not start, and names what does", async () => {
    await using user = await openTui([SHOP_TASK], { cwd: repo.path, env: { TERM: "dumb" } });
    expect((await user.ended).exitCode).toBe(2);
    expect(user.text()).toContain("cra retrieve");
    expect(user.output()).not.toContain("\x1b[");
  });

  test("a terminal that can do nothing, linear mode writes lines alone", async () => {
    const env = { TERM: "dumb", CRA_SCREEN_READER: "1", CRA_DATA_DIR: join(copies, "dumb") };
    await using user = await openTui([SHOP_TASK], { cwd: repo.path, env });
    await user.until(/Package, \d/);
    user.press("review", "list.next");
    await user.until(/^2\. .*\(current\)$/m);
    user.press("review", "app.quit");
    expect((await user.ended).exitCode).toBe(0);
    expect(user.output()).not.toContain("\x1b");
  });
});
