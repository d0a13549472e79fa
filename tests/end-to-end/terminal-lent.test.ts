/**
 * Other programs use the terminal meanwhile: an editor, the shell, a pipe that provides the task. Each gets it back
 * unchanged.
 */
import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { leftOver } from "../support/processes.ts";
import { FOR_BRIEF_RUNS } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { openTerminal, type TerminalSession } from "../support/terminal-session.ts";
import { at, bytesOf, ENVIRONMENT, openTui } from "../support/terminal-user.ts";

const repo = shared(shopRepo());
const home = shared(tempFolder()).path;
await indexIn(repo);

/** An editor that shows what it was given, takes a line from the terminal, and writes it behind the text. */
function lineEditor(): string {
  const path = join(home, "editor");
  const lines = ["#!/bin/sh", 'cat "$1"', 'printf "\\nadd: "', "read -r line", 'printf "\\n%s" "$line" >> "$1"'];
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o755);
  return path;
}

test(
  "an editor gets the normal terminal, every key and every interrupt, and its text becomes the task",
  async () => {
    await using user = await openTui([], { cwd: repo.path, home, env: { EDITOR: lineEditor() } });
    await user.until(at("entry"));
    user.type("the cart");
    await user.until("the cart");
    // Twice at once is once: the second finds the terminal lent.
    user.press("entry", "task.edit", "task.edit");
    await user.until("add:");
    expect(await user.leftOn()).toEqual([]);
    user.type("is too slow\n");
    await user.until((text) => text.includes("is too slow") && at("entry")(text));
    expect(user.text()).toContain("the cart");
    // An interrupt in an editor goes to the editor only.
    user.type(" now");
    await user.until("is too slow now");
    user.press("entry", "task.edit");
    // The normal screen still has what the editor showed before.
    await user.until(/add:[\s\S]*add:/);
    user.type("\x03");
    await user.until(/exited with code \d+/);
    await user.until(at("entry"));
    user.press("entry", "app.interrupt", "app.interrupt");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(await user.leftOn()).toEqual([]);
  },
  HANG_MS,
);

test("an editor that cannot be started is reported, and the text is kept", async () => {
  await using user = await openTui([], { cwd: repo.path, home, env: { EDITOR: "/no/such/editor" } });
  await user.until(at("entry"));
  user.type(" more");
  user.press("entry", "task.edit");
  await user.until(/cannot be started/);
  expect(user.text()).toContain("more");
});

/** A shell with job control on a terminal of its own. */
async function openShell(): Promise<TerminalSession> {
  return openTerminal({
    command: ["bash", "--norc", "--noprofile", "-i"],
    cwd: repo.path,
    home,
    env: { ...FOR_BRIEF_RUNS, ...ENVIRONMENT, CRA: await binary(), PS1: "shell> " },
  });
}

test.each([
  ["alone", '"$CRA"', "entry"],
  ["with its task from a pipe", `echo '${SHOP_TASK}' | "$CRA" tui`, "review"],
] as const)(
  "%s, it suspends to the shell, resumes, keeps its exit code and leaves no process running",
  async (_, line, screen) => {
    await using shell = await openShell();
    await shell.until("shell>");
    shell.type(`${line}\n`);
    await shell.until(at(screen));
    if (screen === "review") expect(shell.text()).toContain("Cart.sum");
    shell.type(bytesOf(screen, "app.suspend"));
    await shell.until(/Stopped/);
    // At its prompt the shell itself reads single keys.
    expect((await shell.leftOn()).filter((mode) => !/paste|raw/.test(mode))).toEqual([]);
    shell.type("echo back in the $((6 * 7))\n");
    await shell.until("back in the 42");
    shell.type('fg; echo "code $?"\n');
    await shell.until(at(screen));
    shell.type(bytesOf(screen, "help.open"));
    await shell.until(at("help"));
    shell.type(bytesOf("help", "app.interrupt", "app.interrupt"));
    await shell.until((text) => text.includes("code 0") && text.trimEnd().endsWith("shell>"));
    expect((await shell.leftOn()).filter((mode) => !/paste|raw/.test(mode))).toEqual([]);
    shell.type("exit\n");
    await shell.ended;
    expect(await leftOver(home)).toEqual([]);
  },
  HANG_MS,
);

/** Enough for one of them to come while a program is being started, which takes about a millisecond. */
const STOPS = 12;

test.skipIf(Bun.which("git") === null)(
  "if it suspends while a process starts, the shell still gets the terminal",
  async () => {
    await using shell = await openShell();
    await shell.until("shell>");
    shell.type('"$CRA"\n');
    await shell.until(/Index +\d+ files/);
    for (let stop = 0; stop < STOPS; stop += 1) {
      const before = shell.output().length;
      shell.type(bytesOf("entry", "index.refresh"));
      // Refreshing starts git several times, soon after the key.
      await Bun.sleep(stop * 2.5);
      shell.type(bytesOf("entry", "app.suspend"));
      await shell.until(() => shell.output().includes("Stopped", before));
      shell.type("fg\n");
      await shell.until(at("entry"));
    }
    shell.type(bytesOf("entry", "app.interrupt", "app.interrupt"));
    await shell.until((text) => text.trimEnd().endsWith("shell>"));
    shell.type("exit\n");
    await shell.ended;
    expect(await leftOver(home)).toEqual([]);
  },
  HANG_MS,
);
