/**
 * The interface from no index to a saved package, on a real terminal and project, with every screen in several window
 * sizes. Screens are compared with golden files, and saved packages with the command line's output.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { runShell } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { INK_TASK, inkRepo } from "../support/terminal-project.ts";
import { at, ENVIRONMENT, openTui, type User } from "../support/terminal-user.ts";

type Size = readonly [columns: number, rows: number];
const SIZES: readonly Size[] = [
  [200, 50],
  [120, 40],
  [80, 24],
];
/** Sizes in between, each with the size whose file it is in. */
const RESIZED: readonly (readonly [Size, Size])[] = [
  [
    [120, 40],
    [70, 20],
  ],
  [
    [200, 50],
    [120, 40],
  ],
  [
    [80, 24],
    [100, 30],
  ],
];

const repo = shared(inkRepo());
const folder = shared(tempFolder());

/** What was put on the clipboard last. */
const clipboard = ({ screen }: User): string =>
  Buffer.from(/^52;c;(.*)$/.exec(screen.commands.at(-1) ?? "")?.[1] ?? "", "base64").toString();

/** The screen at every size, the window last as it was opened. */
async function seesAtEverySize(user: User, name: string): Promise<void> {
  for (const [columns, rows] of SIZES) {
    user.resize(columns, rows);
    await user.sees(`${columns}x${rows}-${name}`);
  }
}

async function saves(user: User, path: string): Promise<void> {
  user.press("review", "save.open");
  await user.until(at("save"));
  user.press("save", "text.clear");
  user.type(path);
  user.press("save", "save.write");
}

test(
  "from no index to a saved package, at every window size",
  async () => {
    const [saved, mine] = [join(folder.path, "saved.md"), join(folder.path, "mine.md")];
    const env = { CRA_DATA_DIR: join(folder.path, "data") };
    await using user = await openTui([], { cwd: repo.path, env });

    // Without an index it is made at a key, and typing goes on meanwhile.
    await user.until(at("entry"));
    await user.until("not built yet");
    user.press("entry", "index.refresh");
    for (const letter of "resized") user.type(letter);
    await user.until("resized");
    await user.until("66 files");
    user.press("entry", "text.clear");
    await seesAtEverySize(user, "entry");
    user.type(INK_TASK);
    user.press("entry", "task.run");
    await user.until(at("review"));
    await seesAtEverySize(user, "review");

    user.press("review", "mark.accept", "list.next", "mark.reject", "finder.open");
    await user.until(at("finder"));
    user.type("getwindowsize");
    await user.until("getWindowSize");
    await seesAtEverySize(user, "finder");
    user.press("finder", "finder.add");
    await user.until(at("review"));

    // Any key takes the message away that the name was added; this one also draws everything anew.
    user.press("review", "app.redraw");
    for (const [[columns, rows], size] of RESIZED) {
      user.resize(...size);
      await user.sees(`${columns}x${rows}-resized`);
    }
    user.resize(80, 24);

    const promised = /next (?:round )?([\d,]+)/.exec(await user.until(/next (?:round )?[\d,]+/))?.[1] ?? "";
    user.press("review", "package.refine");
    await user.until(at("changes"));
    expect(user.text()).toContain(` ${promised} of `);
    await seesAtEverySize(user, "changes");
    user.press("changes", "app.back");
    await user.until(at("review"));
    await seesAtEverySize(user, "second");

    user.press("review", "command.open");
    await user.until(at("command"));
    user.press("command", "copy.command");
    await user.until(() => clipboard(user) !== "");
    const command = clipboard(user);
    user.press("command", "app.back");
    await user.until(at("review"));

    await saves(user, saved);
    await user.until(() => existsSync(saved));
    await user.until(at("review"));

    // A file that is there is not overwritten unasked.
    writeFileSync(mine, "mine\n");
    await saves(user, mine);
    await user.until(at("exists"));
    expect(readFileSync(mine, "utf8")).toBe("mine\n");
    user.press("exists", "save.overwrite");
    await user.until(at("review"));
    await user.until(() => readFileSync(mine, "utf8") !== "mine\n");
    user.press("review", "app.quit");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(await user.leftOn()).toEqual([]);

    expect(command).toMatch(/^cra retrieve /);
    const again = await runShell(command.replace(/^cra/, '"$CRA"'), {
      cwd: repo.path,
      env: { ...env, ...ENVIRONMENT },
    });
    expect(again.stdout).toBe(readFileSync(saved, "utf8"));
    expect(again.stdout).toContain("source/ink.js");
    expect(readFileSync(mine, "utf8")).toBe(again.stdout);
    expect(repo.git("status", "--porcelain")).toBe("");
  },
  HANG_MS,
);
