/** The interface resumes its state after a kill at any key. */
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type CommandName, keysOf } from "../../src/tui/keys/bindings.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { at, isAnswered, openTui, type User } from "../support/terminal-user.ts";

const TASK = "The total of an order is wrong after a discount";

/** Of files that are all about the task, more than a screen has rows. */
const ordersRepo = (): TempRepo =>
  tempRepo(
    Object.fromEntries(
      Array.from({ length: 45 }, (_, at) => [
        `shop/order_${at}.py`,
        `def order_total_${at}(order, discount):\n    """The total of an order after a discount."""\n    return ${"order.price * discount + ".repeat(1 + (at % 5))}${at}\n`,
      ]),
    ),
    { git: true },
  );

let copies = 0;

type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** The settings of a repository in which the task was asked for once and nothing else happened. */
function fresh(): Place {
  copies += 1;
  const data = join(folder.path, `copy-${copies}`);
  cpSync(join(repo.path, ".cra"), data, { recursive: true });
  return { cwd: repo.path, env: { CRA_DATA_DIR: data } };
}

/**
 * The list with its marks and the status line, once every key that was pressed has been heard and all that was asked
 * about the marks is answered. What is at the right may still be on its way.
 */
async function withFollowUps(user: User): Promise<string> {
  user.press("review", "help.open");
  await user.until(at("help"));
  user.press("help", "app.back");
  await user.until((text) => at("review")(text) && isAnswered(text));
  return decided(await user.still());
}

const decided = (text: string): string =>
  text
    .split("\n")
    .map((row) => (row.startsWith("│") ? row.slice(0, row.indexOf("││") + 1) : / tokens \(\d+%\)/.test(row) ? row : ""))
    .join("\n");

const repo = shared(ordersRepo());
const folder = shared(tempFolder());
await indexIn(repo);
const run = await runHere(["retrieve", TASK, "--json", "-q"], { cwd: repo.path });
const taskId = /"task_id": "(\w+)"/.exec(run.stdout)?.[1] ?? "";
expect(taskId).not.toBe("");

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
] as const satisfies readonly CommandName[];

/** What is pressed before each of two kills. */
const PIECES = fc.array(fc.array(fc.constantFrom(...MOVES), { minLength: 1, maxLength: 40 }), {
  minLength: 2,
  maxLength: 2,
});

test(
  "after a kill, every key press is restored, also presses that arrive together",
  async () => {
    const resume = async (place: Place): Promise<User> => {
      const user = await openTui(["--resume", taskId], { ...place, rows: 30 });
      await user.until(at("review"));
      return user;
    };
    await fc.assert(
      fc.asyncProperty(PIECES, async (pieces) => {
        const place = fresh();
        let user = await resume(place);
        try {
          const [next = "", reject = ""] = [keysOf("list.next", "review")[1], keysOf("mark.reject", "review")[0]];
          user.type(`${next.repeat(5)}${reject}${next.repeat(3)}${reject}`);
          await withFollowUps(user);
          const listed = user.screen.rows().filter((row) => /\[[ +-]\] shop/.test(row));
          expect(listed.flatMap((row, at) => (row.includes("[-]") ? [at] : []))).toEqual([5, 8]);
          for (const moves of pieces) {
            for (const move of moves) user.press("review", move);
            const before = await withFollowUps(user);
            user.signal("SIGKILL");
            await user.ended;
            await user[Symbol.asyncDispose]();
            user = await resume(place);
            expect(await withFollowUps(user)).toBe(before);
          }
        } finally {
          await user[Symbol.asyncDispose]();
        }
      }),
      { numRuns: 1 },
    );
  },
  HANG_MS,
);

test(
  "a mark survives a kill right after it is shown",
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
  HANG_MS,
);

test(
  "marks that were left are back when the task is run again",
  async () => {
    const place = fresh();
    await using user = await openTui([TASK], place);
    await user.until(at("review"));
    user.press("review", "mark.reject");
    await user.until("[-]");
    user.signal("SIGKILL");
    await user.ended;
    await using again = await openTui([TASK], place);
    await again.until(at("review"));
    await again.until("[-]");
    await again.until("The marks that you left are back.");
  },
  HANG_MS,
);

test(
  "a task that was being typed is restored",
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
  HANG_MS,
);
