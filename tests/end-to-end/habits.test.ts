/** Every habit of docs/terminal.md works on a pseudo-terminal. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { leftOver } from "../support/processes.ts";
import { tempRepo } from "../support/repo.ts";
import { shared } from "../support/shared.ts";
import { at, openTui, type User } from "../support/terminal-user.ts";

const FILES = 12;
/** Lines of each of them. */
const LINES = 32;
const repo = shared(
  tempRepo(
    Object.fromEntries([
      ...Array.from({ length: FILES }, (_, part) => [
        `shop/voucher_${part}.py`,
        `def apply_voucher_${part}(amount):\n${`    amount = amount - ${part}  # the voucher is applied${" twice".repeat(6)}\n`.repeat(LINES - 2)}    return amount\n`,
      ]),
      ["shop/mail.py", "def send(voucher):\n    print(voucher)\n"],
    ]),
  ),
);
const folder = shared(tempFolder());
await indexIn(repo);

const TASK = "the voucher is applied twice";
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const RIGHT = "\x1b[C";
const LEFT = "\x1b[D";
const ESC = "\x1b";

const open = (): Promise<User> => {
  const env = { CRA_DATA_DIR: join(folder.path, "data"), EDITOR: "false", CRA_COVERAGE: "1", CRA_BUDGET: "9000" };
  return openTui([TASK], { cwd: repo.path, home: folder.path, env, columns: 130, rows: 30 });
};
let user: User;
beforeAll(async () => {
  user = await open();
}, HANG_MS);
afterAll(() => user[Symbol.asyncDispose]());

/** The row of the list under the cursor, counted from the first file; the rows of the list are at the left. */
const rows = (): readonly string[] => user.screen.rows().filter((row) => /^│.\S?.?\[[ +-]\] /.test(row));
const cursor = (): number => rows().findIndex((row) => row.includes("▸"));
const isAt = (wanted: number) => (): boolean => cursor() === wanted;

/** The rows of the preview. What the pane below it says of the file arrives later, by itself. */
function previewRows(): readonly { readonly text: string; readonly isHit: boolean }[] {
  const rows = user.screen.rows();
  const below = rows.findIndex((row) => row.includes("╭─ Why "));
  const cells = user.screen.cells();
  return rows.slice(0, Math.max(0, below)).flatMap((row, at) => {
    const from = row.indexOf("││") + 2;
    return from < 2
      ? []
      : [{ text: row.slice(from), isHit: cells[at]?.slice(from).some((cell) => cell.isInverse) === true }];
  });
}
const preview = (): string =>
  previewRows()
    .map(({ text }) => text)
    .join("\n");

/** The number of the line that a search went to: what it found is inverted. */
const hit = (): number => Number(/\d+/.exec(previewRows().find(({ isHit }) => isHit)?.text ?? "")?.[0] ?? 0);
const isHit = (wanted: number) => (): boolean => hit() === wanted;

/** Types, and waits for what that shows. It must not be there before: else the next keys may arrive together with these. */
async function press(bytes: string, wanted: Parameters<User["until"]>[0]): Promise<void> {
  user.type(bytes);
  await user.until(wanted);
}

/** The bytes of a click on a text of the screen. */
function clickOn(text: string): string {
  const row = user.screen.rows().findIndex((line) => line.includes(text));
  const place = `${(user.screen.rows()[row] ?? "").indexOf(text) + 1};${row + 1}`;
  return `\x1b[<0;${place}M\x1b[<0;${place}m`;
}

/** In the list, to the first file. The cursor has to move twice, so that all keys typed before are done with. */
async function home(): Promise<void> {
  await user.until(at("review"));
  await press("G", () => cursor() === rows().length - 1);
  await press("gg", isAt(0));
}

const HABITS: Readonly<Record<string, () => Promise<void>>> = {
  "next, previous": async () => {
    await press("jj", isAt(2));
    await press("k", isAt(1));
    await press(DOWN, isAt(2));
    await press(UP, isAt(1));
  },
  "top, bottom": async () => {
    await press("G", () => cursor() === rows().length - 1);
    await press("gg", isAt(0));
    await press("\x1b[F", () => cursor() === rows().length - 1);
    await press("\x1b[H", isAt(0));
  },
  "page down, page up": async () => {
    for (const [down, up] of [
      ["\x04", "\x15"],
      ["\x06", "\x02"],
      ["\x1b[6~", "\x1b[5~"],
    ] as const) {
      await press(down, () => cursor() > 5);
      await press(up, isAt(0));
    }
  },
  "into, out of": async () => {
    await press("l", at("preview"));
    await press("h", at("review"));
    await press(RIGHT, at("preview"));
    await press(LEFT, at("review"));
    await press("\r", at("symbols"));
    await press("h", at("review"));
  },
  "go back": async () => {
    await press("/mail\r", (text) => at("review")(text) && rows().length === 1);
    await press(ESC, (text) => !text.includes("/mail  ") && rows().length > 3);
    await press(ESC, at("entry"));
    await press(ESC, at("review"));
  },
  "filter a list": async () => {
    await press("/mail", (text) => at("filter")(text) && rows()[0]?.includes("mail.py") === true);
    expect(cursor()).toBe(0);
    await press("\r", (text) => at("review")(text) && text.includes("/mail  1 of "));
    await press(ESC, (text) => at("review")(text) && !text.includes("/mail  ") && rows().length > 3);
    await press("\r", at("symbols"));
    await press("/zzz", (text) => at("filter")(text) && text.includes("No symbol matches"));
    await press(ESC, (text) => at("symbols")(text) && !text.includes("No symbol"));
    await press(ESC, at("review"));
  },
  "search a text": async () => {
    await press("l/return\r", (text) => at("preview")(text) && hit() === LINES);
    await press(ESC, (text) => !text.includes("/return") && hit() === 0);
    await press("/amount = am\r", (text) => at("preview")(text) && text.includes("/amount = am"));
    const first = hit();
    await press("n", isHit(first + 1));
    await press("N", isHit(first));
    await press(ESC, (text) => !text.includes("/amount") && hit() === 0);
    // Without a search, to the words of the task.
    await press("n", () => hit() > 0);
    const word = hit();
    await press("n", isHit(word + 1));
    await press("N", isHit(word));
    await press("h", at("review"));
  },
  "scroll the preview": async () => {
    const before = preview();
    await press("JJJ", () => preview() !== before);
    await press("KKK", () => preview() === before);
    expect(at("review")(user.text())).toBe(true);
  },
  "scroll sideways": async () => {
    await press("l", at("preview"));
    await press(RIGHT, "from column 9");
    await press(LEFT, (text) => !text.includes("from column"));
    await press(LEFT, at("review"));
  },
  wrap: async () => {
    await press("W", "wrapped");
    await press("W", (text) => !text.includes("wrapped"));
  },
  "mark and move on": async () => {
    await press(" ", () => rows()[0]?.includes("[+]") === true && cursor() === 1);
    await press("u", () => rows()[0]?.includes("[ ]") === true);
  },
  "mark all": async () => {
    for (const key of ["a", "\x01"]) {
      await press(key, () => rows().every((row) => row.includes("[+]")));
      await press("u", () => rows().every((row) => row.includes("[ ]")));
    }
  },
  invert: async () => {
    await press("a", () => rows().every((row) => row.includes("[+]")));
    await press("i", () => rows().every((row) => row.includes("[-]")));
    await press("uu", () => rows().every((row) => row.includes("[ ]")));
  },
  range: async () => {
    await press("vjj", "range of 3");
    await press("-", () => rows().filter((row) => row.includes("[-]")).length === 3);
    await press("u", () => rows().every((row) => row.includes("[ ]")));
  },
  "undo, redo": async () => {
    for (const [undo, redo] of [
      ["u", "\x12"],
      ["z", "Z"],
    ] as const) {
      await press("+", () => rows()[0]?.includes("[+]") === true);
      await press(undo, () => rows()[0]?.includes("[ ]") === true);
      await press(redo, () => rows()[0]?.includes("[+]") === true);
      await press(undo, () => rows()[0]?.includes("[ ]") === true);
    }
  },
  commands: async () => {
    await press(":symb\r", at("symbols"));
    await press(ESC, at("review"));
    await press("\x10", at("palette"));
    await press(ESC, at("review"));
  },
  "help opens and closes": async () => {
    await press("?", at("help"));
    await press("?", at("review"));
  },
  quit: async () => {
    // Marks are kept, so it does not ask; the last test of all quits.
    await press("?", at("help"));
    await press("q", at("review"));
  },
  editor: async () => {
    await press("e", /exited with code 1/);
    await user.until(at("review"));
  },
  copy: async () => {
    await press("Y", "the path: sent to the terminal's clipboard");
    expect(user.screen.commands.at(-1)).toStartWith("52;c;");
  },
  "show what is hidden": async () => {
    await press(".", "Nothing that matches is left out.");
  },
  save: async () => {
    await press("\x13", at("save"));
    await press(ESC, at("review"));
    await press("w", at("save"));
    await press(ESC, at("review"));
  },
  suspend: async () => {
    // Nobody could continue it here, so it comes back at once; tui-tmux.test.ts suspends it under a shell.
    const before = user.output().length;
    await press("\x1a", () => /\x1b\[\?1049l.*\x1b\[\?1049h/s.test(user.output().slice(before)));
    await user.until(at("review"));
  },
  "clear a text": async () => {
    await press("t", at("entry"));
    await press("\x15", "Describe the task");
    await press("\x1f", TASK);
    await press(ESC, at("review"));
  },
  "start, end of a line in a text": async () => {
    await press("t", at("entry"));
    await press("\x01xx ", "xx the voucher");
    await press(ESC, at("review"));
    await press("/shop", "/ shop");
    await press("\x01x\x05y", "/ xshopy");
    await press(ESC, at("review"));
  },
  "words in a text": async () => {
    await press("t", at("entry"));
    await press("\x1b[1;5Dxx", "applied xxtwice");
    await press("\x1f", TASK);
    await press("\x1bbyy", "is yyapplied twice");
    await press("\x1f", TASK);
    await press(ESC, at("review"));
  },
  "earlier texts": async () => {
    await press("t", at("entry"));
    await press(`${UP}${UP}`, TASK);
    await press("\x12", at("history"));
    await press(ESC, at("entry"));
    await press(ESC, at("review"));
  },
  "rename, delete": async () => {
    await press("t", at("entry"));
    await press("\t", at("sessions"));
    await press("r\x15vouchers\r", "vouchers");
    await press("d", at("delete"));
    await press("n", at("sessions"));
    await press(ESC, at("entry"));
    await press(ESC, at("review"));
  },
  mouse: async () => {
    await press("m", "The mouse is on");
    const first = user.screen.rows().findIndex((row) => row.includes("▸["));
    await press(`\x1b[<0;20;${first + 3}M`, isAt(2));
    await press(`\x1b[<0;4;${first + 1}M`, () => rows()[0]?.includes("[+]") === true);
    const before = preview();
    await press("\x1b[<65;100;8M", () => preview() !== before);
    await press("u?", at("help"));
    await press(clickOn("add a file or symbol"), at("finder"));
    await press("mail", /> mail[\s\S]*▸ file +shop.mail\.py[\s\S]*function +send/);
    await press("\x1b[<65;60;15M", /▸.*send/);
    await press(clickOn("file       shop/mail.py"), /▸.*shop.mail\.py/);
    await press(clickOn("file       shop/mail.py"), "Added shop/mail.py");
    await press("u:", at("palette"));
    await press(clickOn("symbols  "), /▸ symbols {2}/);
    await press(clickOn("symbols  "), at("symbols"));
    await press(ESC, at("review"));
    await press("m", "The mouse is off");
  },
};

const table = readFileSync(join(import.meta.dir, "../../docs/terminal.md"), "utf8");
const documented = [...table.matchAll(/^\| ([^|]+?) \|(?=.*\|.*\|.*\|.*\|.*\|)/gm)]
  .map(([, name = ""]) => name)
  .filter((name) => name !== "habit" && !name.startsWith("---"));

test("every row of the table has a test, and every test a row", () => {
  expect(Object.keys(HABITS)).toEqual(documented);
});

describe("habit", () => {
  test.each(Object.entries(HABITS))(
    "%s",
    async (_, habit) => {
      try {
        await home();
        await habit();
      } catch (error) {
        // The next habit begins anew, wherever this one stopped.
        await user[Symbol.asyncDispose]();
        user = await open();
        throw error;
      }
    },
    HANG_MS,
  );

  test("quitting with marks asks nothing, and they are there again", async () => {
    await home();
    await press("+", () => rows()[0]?.includes("[+]") === true);
    user.type("q");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(await user.leftOn()).toEqual([]);
    expect(await leftOver(folder.path)).toEqual([]);
  });
});
