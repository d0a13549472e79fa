/**
 * The terminal interface as someone uses it, from a task to a saved package, on a real terminal and a real project:
 * in actions, at three sizes, with the window resized on the way. What is seen is compared with files that were
 * looked at; what is saved, with what the command line gives for the same wishes.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS } from "../support/binary.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import type { TempRepo } from "../support/repo.ts";
import { runCra, runShell } from "../support/run-cra.ts";
import { INK_TASK, inkRepo } from "../support/terminal-project.ts";
import { at, ENVIRONMENT, openTui, type User } from "../support/terminal-user.ts";

const SIZES = [
  { columns: 80, rows: 24, resized: { columns: 100, rows: 30 } },
  { columns: 120, rows: 40, resized: { columns: 70, rows: 20 } },
  { columns: 200, rows: 50, resized: { columns: 120, rows: 40 } },
] as const;

let repo: TempRepo;
let folder: TempFolder;
beforeAll(async () => {
  repo = inkRepo();
  folder = tempFolder();
  const indexed = await runCra(["index", "-q"], { cwd: repo.path });
  expect(indexed.exitCode).toBe(0);
}, BUILD_TIMEOUT_MS);
afterAll(() => {
  repo[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** What was put on the clipboard last. */
const clipboard = ({ screen }: User): string =>
  Buffer.from(/^52;c;(.*)$/.exec(screen.asked.at(-1) ?? "")?.[1] ?? "", "base64").toString();

test.each(SIZES)(
  "the whole way at $columns by $rows",
  async ({ columns, rows, resized }) => {
    const size = `${columns}x${rows}`;
    const saved = join(folder.path, `${size}.md`);
    const env = { CRA_DATA_DIR: join(folder.path, size) };
    cpSync(join(repo.path, ".cra"), env.CRA_DATA_DIR, { recursive: true });
    await using user = await openTui([], { cwd: repo.path, columns, rows, env });

    await user.until(at("entry"));
    await user.sees(`${size}-entry`);
    user.type(INK_TASK);
    user.press("entry", "task.run");
    await user.until(at("review"));
    await user.sees(`${size}-review`);

    user.press("review", "mark.accept", "list.next", "mark.reject", "finder.open");
    await user.until(at("finder"));
    user.type("getwindowsize");
    await user.until("getWindowSize");
    await user.sees(`${size}-finder`);
    user.press("finder", "finder.add");
    await user.until(at("review"));

    // Any key takes the message away that the name was added; this one also draws everything anew.
    user.press("review", "app.redraw");
    user.resize(resized.columns, resized.rows);
    await user.sees(`${size}-resized`);
    user.resize(columns, rows);

    const promised = /next ([\d,]+)\//.exec(await user.until(/next [\d,]+\//))?.[1] ?? "";
    user.press("review", "package.refine");
    await user.until(at("changes"));
    expect(user.text()).toContain(` ${promised}/`);
    await user.sees(`${size}-changes`);
    user.press("changes", "app.back");
    await user.until(at("review"));
    await user.sees(`${size}-second`);

    user.press("review", "command.open");
    await user.until(at("command"));
    user.press("command", "copy.command");
    await user.until(() => clipboard(user) !== "");
    const command = clipboard(user);
    user.press("command", "app.back");
    await user.until(at("review"));

    user.press("review", "save.open");
    await user.until(at("save"));
    user.press("save", "text.delete-before");
    user.type(saved);
    user.press("save", "save.write");
    await user.until(() => existsSync(saved));
    await user.until(at("review"));
    user.press("review", "app.quit");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(await user.leftOn()).toEqual([]);

    expect(command).toMatch(/^cra retrieve /);
    const again = await runShell(command.replace(/^cra/, '"$CRA"'), {
      cwd: repo.path,
      env: { ...env, ...ENVIRONMENT },
    });
    expect(again.stdout).toBe(readFileSync(saved, "utf8"));
    expect(repo.git("status", "--porcelain")).toBe("");
  },
  BUILD_TIMEOUT_MS,
);

test(
  "a file that is there is not overwritten unasked",
  async () => {
    const env = { CRA_DATA_DIR: join(folder.path, "saving") };
    const saved = join(folder.path, "mine.md");
    writeFileSync(saved, "mine\n");
    cpSync(join(repo.path, ".cra"), env.CRA_DATA_DIR, { recursive: true });
    await using user = await openTui([INK_TASK], { cwd: repo.path, env });
    await user.until(at("review"));
    user.press("review", "save.open");
    await user.until(at("save"));
    user.press("save", "text.delete-before");
    user.type(saved);
    user.press("save", "save.write");
    await user.until(at("exists"));
    expect(readFileSync(saved, "utf8")).toBe("mine\n");
    user.press("exists", "save.overwrite");
    await user.until(at("review"));
    await user.until(() => readFileSync(saved, "utf8") !== "mine\n");
    expect(readFileSync(saved, "utf8")).toContain("source/ink.js");
  },
  BUILD_TIMEOUT_MS,
);

test(
  "an index that is missing is made at a key, and typing goes on meanwhile",
  async () => {
    const env = { CRA_DATA_DIR: join(folder.path, "unindexed") };
    await using user = await openTui([], { cwd: repo.path, env });
    await user.until(at("entry"));
    await user.until(/not indexed|no index/i);
    user.press("entry", "index.refresh");
    for (const letter of "resized") user.type(letter);
    await user.until("resized");
    await user.until("66 files");
    user.press("entry", "task.run");
    await user.until(at("review"));
    expect(user.text()).toContain("ink.js");
  },
  BUILD_TIMEOUT_MS,
);

test(
  "the mouse, once switched on, chooses and scrolls",
  async () => {
    const env = { CRA_DATA_DIR: join(folder.path, "mouse") };
    cpSync(join(repo.path, ".cra"), env.CRA_DATA_DIR, { recursive: true });
    await using user = await openTui([INK_TASK], { cwd: repo.path, env, columns: 120, rows: 40 });
    await user.until(at("review"));
    user.press("review", "mouse.toggle");
    await user.until((_, screen) => screen.switched().some((mode) => mode.startsWith("mouse")));
    const row = user.screen.rows().findIndex((text) => text.includes("log-update.js"));
    user.type(`\x1b[<0;10;${row + 1}M\x1b[<0;10;${row + 1}m`);
    await user.until((_, { rows }) => /▸.*log-update\.js/.test(rows()[row] ?? ""));
    user.type("\x1b[<65;10;10M\x1b[<64;10;10M\x1b[<65;10;10M");
    await user.until((_, { rows }) => /▸/.test(rows()[row + 3] ?? ""));
  },
  BUILD_TIMEOUT_MS,
);
