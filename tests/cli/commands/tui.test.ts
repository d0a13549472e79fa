/** `cra tui` without a terminal: what it refuses, and one frame as text. */
import { expect, test } from "bun:test";
import stringWidth from "string-width";
import { tempFolder } from "../../support/folder.ts";
import { type CraRun, runCra } from "../../support/run-cra.ts";
import { shared } from "../../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../../support/shop.ts";

const tui = (...args: readonly string[]): Promise<CraRun> => runCra(["tui", ...args], { cwd: repo.path, home });

const repo = shared(shopRepo());
const home = shared(tempFolder()).path;
const run = await runCra(["retrieve", SHOP_TASK, "--index", "--json", "-q"], { cwd: repo.path, home });
const taskId = JSON.parse(run.stdout).task_id;

test.each([
  [["--snapshot", "80"], /80x24/],
  [["--snapshot", "0x10"], /80x24/],
  [["--snapshot", "80x100000"], /80x24/],
  [["fix it", "--snapshot", "80x24"], /a task and --snapshot exclude each other; name one that ran: --resume/],
  [["--snapshot", "80x24", "--resume", "ffff"], /no run with the task id ffff/],
  [["x"], /cra retrieve/],
] as const)("%j is refused in one line", async (args, why) => {
  const run = await tui(...args);
  expect(run.exitCode).toBe(2);
  expect(run.stdout).toBe("");
  expect(run.stderr).toMatch(why);
  expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("the interface has no JSON", async () => {
  for (const args of [["--json"], ["--json", "--snapshot", "80x24"]]) {
    const run = await tui(...args);
    expect(run.exitCode).toBe(2);
    expect(run.stdout + run.stderr).toContain("cra retrieve --json");
  }
});

test("a task's frame shows its files in the requested size, and is always the same", async () => {
  const args = ["--resume", taskId.slice(0, 6), "--snapshot", "100x30"];
  const [once, again] = [await tui(...args), await tui(...args)];
  expect(once.exitCode).toBe(0);
  expect(once.stdout).toBe(again.stdout);
  const lines = once.stdout.replace(/\n$/, "").split("\n");
  expect(lines).toHaveLength(30);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(100);
  expect(once.stdout).toContain("cart.py");
  expect(once.stdout).not.toContain("\x1b");
  const log = await runCra(["log", taskId, "--json"], { cwd: repo.path, home });
  expect(JSON.parse(log.stdout).rounds).toHaveLength(1);
});

test("the first screen in ASCII", async () => {
  const run = await tui("--snapshot", "80x24", "--ascii");
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(/^[\x20-\x7e\n]*$/);
  expect(run.stdout).toContain(SHOP_TASK);
});

test.each([{ LC_ALL: "C" }, { LANG: "en_US.ISO-8859-1" }, { TERM: "linux" }])(
  "with %j it draws with ASCII",
  async (env) => {
    const run = await runCra(["tui", "--snapshot", "80x24"], { cwd: repo.path, home, env });
    expect(run.stdout).toMatch(/^[\x20-\x7e\n]+$/);
  },
);
