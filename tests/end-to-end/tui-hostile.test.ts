/** Names and contents with terminal control sequences are plain text on every screen of the interface. */
import { expect, test } from "bun:test";
import { HANG_MS } from "../support/hang.ts";
import { HOSTILE } from "../support/hostile-text.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { shared } from "../support/shared.ts";
import { at, openTui, type User } from "../support/terminal-user.ts";

const TOWER = `a${"\u0301".repeat(100_000)}`;
const ALL = HOSTILE.join(" ");

const repo = shared(
  tempRepo(
    {
      "hostile.py": `# because ${ALL}\ndef evil_total(items):\n    """Adds ${ALL}."""\n    return "${HOSTILE.join("")}"\n`,
      "tower.py": `def evil_tower():\n    """${TOWER}"""\n    return 1\n`,
      "wide.py": `def evil_wide():\n    return "${"漢字".repeat(200)}${"x".repeat(1500)}"\n`,
      ...Object.fromEntries(
        HOSTILE.map((text, at) => [`evil_${at}_${text}.py`, `def evil_total_${at}():\n    return "${text}"\n`]),
      ),
      "evil\nname.py": "def evil_total():\n    pass\n",
    },
    { git: true },
  ),
);
repo.commit(`Message ${ALL}`);
await indexIn(repo);

/** What Ink and the interface send to draw: cursor moves, erasing, colours of the sixteen, and the modes they use. */
const OWN = /\x1b\[\d*(?:;\d*)*[ABCDEFGHJKfm]|\x1b\[\?(?:7|25|1049|2004|2026|1000|1002|1006)[hl]|\x1b\[[<>]\d*u|\r|\n/g;
const ACTS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{M}{9}/u;

/** The first thing in the output that is not drawing, and every text as it stands in a name or in code, quoted. */
const actsIn = (user: User): readonly string[] => {
  const output = user.output();
  const rest = output.replaceAll(OWN, "");
  const found = ACTS.exec(rest);
  return [
    ...(found === null ? [] : [rest.slice(Math.max(0, found.index - 20), found.index + 20)]),
    ...HOSTILE.filter((text) => output.includes(`_${text}`) || output.includes(`"${text}`)),
  ].map((text) => JSON.stringify(text));
};

/** Has what is on the screen drawn in a wide window, and again in the narrow one. */
async function inBoth(user: User): Promise<void> {
  for (const [columns, rows] of [
    [160, 45],
    [80, 24],
  ] as const) {
    user.resize(columns, rows);
    await user.still(40);
  }
}

test(
  "hostile text has no effect on any screen, in a narrow or wide window",
  async () => {
    const task = `fix evil_total, evil_tower and evil_wide in hostile.py ${ALL}`;
    await using user = await openTui([task], { cwd: repo.path });
    await user.until(at("review"));
    // Down the list in the wide window, file by file with its preview, and up again in the narrow one, which shows the list alone.
    for (const [columns, rows, step, steps] of [
      [160, 45, "list.next", HOSTILE.length + 5],
      [80, 24, "list.page-up", 4],
    ] as const) {
      user.resize(columns, rows);
      await user.still(40);
      for (let press = 0; press < steps; press++) {
        user.press("review", step);
        await user.still(40);
      }
    }
    user.press("review", "pane.switch");
    await inBoth(user);
    user.press("preview", "reason.toggle");
    await inBoth(user);
    user.press("preview", "pane.switch");
    user.press("review", "list.first", "mark.reject", "symbols.open");
    await user.until(at("symbols"));
    await inBoth(user);
    user.press("symbols", "app.back");
    await user.until(at("review"));
    user.press("review", "filter.open");
    user.type("evil");
    await user.until((text) => at("filter")(text) && text.includes("/ evil"));
    await inBoth(user);
    user.press("filter", "app.back");
    await user.until(at("review"));
    user.press("review", "finder.open");
    await user.until(at("finder"));
    user.type("evil");
    await user.until(/evil_total/);
    await inBoth(user);
    user.press("finder", "app.back");
    await user.until(at("review"));
    user.press("review", "command.open");
    await user.until(at("command"));
    await inBoth(user);
    user.press("command", "app.back");
    await user.until(at("review"));
    expect(user.text()).toContain("\\x1b");
    user.press("review", "package.refine");
    await user.until(at("changes"));
    await inBoth(user);
    expect(actsIn(user)).toEqual([]);
    expect(user.screen.commands).toEqual([]);
    user.press("changes", "app.back");
    await user.until(at("review"));
    user.press("review", "app.quit");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });
    expect(await user.leftOn()).toEqual([]);

    await using home = await openTui([], { cwd: repo.path });
    await home.until(at("entry"));
    await inBoth(home);
    expect(actsIn(home)).toEqual([]);
    expect(home.screen.commands).toEqual([]);
  },
  HANG_MS,
);
