/**
 * However and wherever the interface ends, the terminal is restored, the exit code gives the reason, and no process
 * remains. Without a terminal it does not start.
 */
import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askedIn } from "../support/asked-in.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { asking } from "../support/judged-shop.ts";
import { AGREEABLE, stageOf } from "../support/judging-reply.ts";
import { leftOver } from "../support/processes.ts";
import { type Ending, FOR_BRIEF_RUNS, runShell } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { startOllama } from "../support/stand-in-ollama.ts";
import { openTerminal } from "../support/terminal-session.ts";
import { at, openTui, type User } from "../support/terminal-user.ts";

const BROKEN = join(import.meta.dir, "../fixtures/terminal/broken.ts");
const MAIN = join(import.meta.dir, "../../src/main.ts");

const repo = shared(shopRepo());
const home = shared(tempFolder()).path;
const taskId = await askedIn(repo, SHOP_TASK);

type Screen = "entry" | "review" | "help" | "finder";

/** Brings a new interface to a screen. */
async function openAt(screen: Screen): Promise<User> {
  const first = screen === "entry" || screen === "help" ? "entry" : "review";
  const user = await openTui(first === "entry" ? [] : ["--resume", taskId], { cwd: repo.path, home });
  await user.until(at(first));
  if (screen === "help") user.press("entry", "help.open");
  if (screen === "finder") user.press("review", "finder.open");
  await user.until(at(screen));
  return user;
}

const exits = (exitCode: number): Ending => ({ exitCode, signal: null });

/**
 * Ctrl-C twice on the entry, the help and the review is in what is below and in `terminal-lent.test.ts`, and SIGTERM is with the mouse.
 */
type Row = readonly [name: string, end: (user: User, screen: Screen) => void, exitCode: number, ...Screen[]];
const ENDINGS: readonly Row[] = [
  ["Ctrl-C twice", (user, screen) => user.press(screen, "app.interrupt", "app.interrupt"), 0, "finder"],
  [
    "Ctrl-C twice in a paste that never ends",
    (user, screen) => {
      user.type("\x1b[200~");
      user.press(screen, "app.interrupt", "app.interrupt");
    },
    0,
    "review",
  ],
  ["SIGHUP", (user) => user.signal("SIGHUP"), 129, "help"],
  ["SIGINT", (user) => user.signal("SIGINT"), 130, "review"],
  ["SIGQUIT", (user) => user.signal("SIGQUIT"), 131, "review"],
];

test.each(ENDINGS.flatMap(([name, end, exitCode, ...screens]) => screens.map((on) => ({ name, end, exitCode, on }))))(
  "$name on the screen $on",
  async ({ end, exitCode, on }) => {
    await using user = await openAt(on);
    end(user, on);
    expect(await user.ended).toEqual(exits(exitCode));
    expect(await user.leftOn()).toEqual([]);
    expect(await leftOver(home)).toEqual([]);
  },
  HANG_MS,
);

/** That it quits at once with marks, which are kept, is the last of the habits (`habits.test.ts`). */
test("the quit key quits at once on the entry screen", async () => {
  await using user = await openAt("entry");
  user.press("entry", "app.quit");
  expect(await user.ended).toEqual(exits(0));
  expect(await user.leftOn()).toEqual([]);
});

test.each(["view", "timer", "promise"])(
  "an error thrown in a %s ends it and restores the terminal",
  async (broken) => {
    await using user = openTerminal({
      command: [process.execPath, "--preload", BROKEN, MAIN, "tui"],
      cwd: repo.path,
      home,
      env: { ...FOR_BRIEF_RUNS, BROKEN: broken },
    });
    expect(await user.ended).toEqual(exits(70));
    expect(await user.leftOn()).toEqual([]);
    expect(user.text()).toContain(`broken ${broken}`);
    expect(await leftOver(home)).toEqual([]);
  },
  HANG_MS,
);

test("closing the terminal ends it", async () => {
  await using user = await openAt("review");
  user.hangUp();
  expect((await user.ended).exitCode ?? 129).toBe(129);
  expect(await leftOver(home)).toEqual([]);
});

test("the mouse, once enabled, selects and scrolls, and SIGTERM in the finder disables it again", async () => {
  await using user = await openTui([SHOP_TASK], { cwd: repo.path, home });
  await user.until(at("review"));
  user.press("review", "mouse.toggle");
  await user.until((_, screen) => screen.switched().some((mode) => mode.startsWith("mouse")));
  const chosen = (row: number) => () => user.screen.rows()[row]?.includes("▸") === true;
  const last = user.screen.rows().findLastIndex((text) => text.includes("[ ]"));
  user.type(`\x1b[<0;10;${last + 1}M\x1b[<0;10;${last + 1}m`);
  await user.until(chosen(last));
  user.type(`\x1b[<64;10;${last + 1}M`);
  await user.until((text) => !chosen(last)() && text.includes("▸"));
  user.press("review", "finder.open");
  await user.until(at("finder"));
  user.signal("SIGTERM");
  expect(await user.ended).toEqual(exits(143));
  expect(await user.leftOn()).toEqual([]);
  expect(await leftOver(home)).toEqual([]);
});

test(
  "while a model is silent, keys work, and the run can be stopped",
  async () => {
    await using server = await startOllama({
      reply: (request) =>
        stageOf(request) === "precision" ? { kind: "hang-after", text: '{"primary":[' } : AGREEABLE(request),
    });
    // However slow this machine is, the run waits for the rest of the answer until it is stopped.
    const env = { CRA_LLM_IDLE_SECONDS: "600", CRA_MODEL_TIME: "600" };
    await using user = await openTui([SHOP_TASK, ...asking(server.url)], { cwd: repo.path, home, env });
    await user.until(at("run"));
    await user.until((text) => text.includes("cart.py") && text.includes('{"primary":['));
    user.press("run", "help.open");
    await user.until(at("help"));
    user.press("help", "app.back");
    await user.until(at("run"));
    user.press("run", "run.cancel");
    await user.until("Stopped.");
    // Any key takes the message away, which would stand for some seconds.
    user.press("review", "list.next");
    await user.until("stopped before it finished");
    expect(user.text()).toContain("cart.py");
    user.press("review", "app.interrupt", "app.interrupt");
    expect(await user.ended).toEqual(exits(0));
    expect(await user.leftOn()).toEqual([]);
  },
  HANG_MS,
);

test(
  "the commands that it names have the folders that it was started with",
  async () => {
    using other = tempFolder();
    const [data, elsewhere] = [join(other.path, "data"), join(other.path, "elsewhere")];
    for (const folder of [data, elsewhere]) mkdirSync(folder);
    cpSync(join(repo.path, ".cra"), data, { recursive: true });
    const named = ["--repo", repo.path, "--data-dir", data];
    await using user = await openTui([...named, "--resume", taskId], { cwd: elsewhere, home, columns: 400 });
    await user.until(at("review"));
    writeFileSync(join(data, "memory.sqlite"), "this is no database");
    user.press("review", "package.remember");
    await user.until(at("remember"));
    user.type("floats lose cents");
    await user.until("> floats lose cents");
    user.press("remember", "remember.set");
    await user.until(`newest export: cra remember ${named.join(" ")} --import FILE`);
    user.press("review", "app.interrupt", "app.interrupt");
    expect(await user.ended).toEqual(exits(0));
    await user.until(`to continue this task: cra tui ${named.join(" ")} --resume ${taskId}`);
  },
  HANG_MS,
);

describe("without a terminal", () => {
  test.each([
    ["in a pipe", `"$CRA" tui x | cat`],
    ["with input from a file", `"$CRA" tui x < /dev/null`],
    ["with both", `"$CRA" tui x < /dev/null | cat`],
  ])("%s, it names the command to use", async (_, command) => {
    const run = await runShell(command, { cwd: repo.path });
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe("");
    expect(run.stderr).toContain("cra retrieve");
  });
});
