/** A terminal interface that is killed after any key: opened again, it stands where it stood. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type ActionName, keysOf } from "../../src/tui/keys.ts";
import { BUILD_TIMEOUT_MS } from "../support/binary.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import type { TempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { INK_TASK, inkRepo } from "../support/terminal-project.ts";
import { at, isAnswered, openTui, type User } from "../support/terminal-user.ts";

const RUNS = 3;

let repo: TempRepo;
let taskId = "";
let folder: TempFolder;
let copies = 0;

/** The settings of a repository in which the task was asked for once and nothing else happened. */
function fresh(): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  copies += 1;
  const data = join(folder.path, `copy-${copies}`);
  cpSync(join(repo.path, ".cra"), data, { recursive: true });
  return { cwd: repo.path, env: { CRA_DATA_DIR: data } };
}

/**
 * The list with its marks and the status line, once every key that was pressed has been heard and all that was asked
 * about the marks is answered. What is at the right may still be on its way.
 */
async function settled(user: User): Promise<string> {
  user.press("review", "help.open");
  await user.until(at("help"));
  user.press("help", "app.back");
  await user.until((text) => at("review")(text) && isAnswered(text));
  return decided(await user.still());
}

const decided = (text: string): string =>
  text
    .split("\n")
    .map((row) => (row.startsWith("│") ? row.slice(0, row.indexOf("││") + 1) : row.startsWith(" Budget") ? row : ""))
    .join("\n");

beforeAll(async () => {
  repo = inkRepo();
  folder = tempFolder();
  expect((await runCra(["index", "-q"], { cwd: repo.path })).exitCode).toBe(0);
  const run = await runCra(["retrieve", INK_TASK, "--json", "-q"], { cwd: repo.path });
  taskId = /"task_id": "(\w+)"/.exec(run.stdout)?.[1] ?? "";
  expect(taskId).not.toBe("");
}, BUILD_TIMEOUT_MS);
afterAll(() => {
  repo[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** What changes the review and leaves its list on the screen. */
const MOVES = [
  "list.next",
  "list.previous",
  "list.last",
  "list.first",
  "list.page-down",
  "mark.cycle",
  "mark.accept",
  "mark.reject",
  "mark.clear",
  "mark.invert",
  "mark.undo",
  "mark.redo",
] as const satisfies readonly ActionName[];

test(
  "killed after any presses, each of them counts",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { minLength: 1, maxLength: 40 }), async (moves) => {
        const place = fresh();
        await using user = await openTui(["--resume", taskId], place);
        await user.until(at("review"));
        for (const move of moves) user.press("review", move);
        const before = await settled(user);
        user.signal("SIGKILL");
        await user.ended;
        await using again = await openTui(["--resume", taskId], place);
        await again.until(at("review"));
        expect(await settled(again)).toBe(before);
      }),
      { numRuns: RUNS },
    );
  },
  2 * BUILD_TIMEOUT_MS,
);

test(
  "killed the moment a mark is on the screen, the mark is kept",
  async () => {
    const place = fresh();
    await using user = await openTui(["--resume", taskId], place);
    await user.until(at("review"));
    user.press("review", "mark.reject");
    await user.until("[-]");
    user.signal("SIGKILL");
    await user.ended;
    await using again = await openTui(["--resume", taskId], place);
    await again.until(at("review"));
    await again.until("[-]");
  },
  BUILD_TIMEOUT_MS,
);

test(
  "a task that was being typed is there again",
  async () => {
    const place = fresh();
    await using user = await openTui([], place);
    await user.until(at("entry"));
    user.type("a task with two\x1b[200~ lines\nfrom a paste\x1b[201~");
    await user.until("from a paste");
    user.signal("SIGKILL");
    await user.ended;
    await using again = await openTui([], place);
    await again.until(at("entry"));
    await again.until("a task with two lines");
    await again.until("from a paste");
  },
  BUILD_TIMEOUT_MS,
);

test(
  "keys that arrive in one piece all count, however many",
  async () => {
    await using user = await openTui(["--resume", taskId], { ...fresh(), rows: 40 });
    await user.until(at("review"));
    const [next = "", reject = ""] = [keysOf("list.next", "review")[1], keysOf("mark.reject", "review")[0]];
    user.type(`${next.repeat(5)}${reject}${next.repeat(3)}${reject}`);
    await settled(user);
    const listed = user.screen.rows().filter((row) => /\[[ +-]\]/.test(row));
    const marked = listed.flatMap((row, at) => (row.includes("[-]") ? [at] : []));
    expect(marked).toEqual([5, 8]);
  },
  BUILD_TIMEOUT_MS,
);
