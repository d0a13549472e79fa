/** Tests the terminal session of the tests with a small program. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { FOR_BRIEF_RUNS } from "./run-cra.ts";
import { pressOf } from "./terminal-presses.ts";
import { openTerminal, type TerminalSession } from "./terminal-session.ts";

const TOY = join(import.meta.dir, "../fixtures/terminal/toy.tsx");
const openToy = (mode = ""): TerminalSession =>
  openTerminal({
    command: [process.execPath, TOY, mode],
    cwd: import.meta.dir,
    columns: 40,
    rows: 10,
    env: FOR_BRIEF_RUNS,
  });

describe("a program on a terminal", () => {
  test("can be read, typed to, resized, suspended and resumed, and restores the terminal", async () => {
    await using toy = openToy();
    await toy.until("typed []");
    expect(toy.screen.isAlternate).toBe(true);
    expect(toy.screen.switched()).toContain("hidden cursor");
    toy.type(`jjk${pressOf("down")}`);
    await toy.until("typed [jjk<down>]");
    toy.type(pressOf("escape"));
    await toy.until("typed [jjk<down><esc>]");
    toy.resize(60, 12);
    await toy.until("size 60x12");
    expect(toy.screen.rows()[3]).toBe(`│漢字|ends${" ".repeat(49)}│`);
    expect(toy.screen.cells()[1]?.[1]).toMatchObject({ text: "t", foreground: 2, isBold: false });
    // Suspended and resumed.
    toy.type(pressOf("ctrl+z"));
    while (toy.processState() !== "T") await Bun.sleep(5);
    // What it wrote before arrives a little later.
    while ((await toy.leftOn()).length > 0) await Bun.sleep(5);
    toy.signal("SIGCONT");
    await toy.until("typed [jjk<down><esc>]");
    toy.type("b");
    await toy.until("typed [jjk<down><esc>b]");
    toy.type("q");
    expect(await toy.ended).toEqual({ exitCode: 0, signal: null });
    expect(await toy.leftOn()).toEqual([]);
  });

  test("is detected if it does not restore the terminal", async () => {
    await using toy = openToy("rude");
    await toy.ended;
    expect(await toy.leftOn()).toEqual([
      "alternate screen",
      "bracketed paste",
      "hidden cursor",
      "mouse motion",
      "colours",
    ]);
    expect(toy.screen.commands).toEqual(["0;mine"]);
  });

  test("that does not show the expected text is reported with its screen, and what a kill leaves on is shown", async () => {
    await using toy = openToy();
    await toy.until("typed []");
    expect(toy.until("never", 50)).rejects.toThrow(/not within 50 ms: never\n\|╭─+╮\n\|│typed \[\]/);
    toy.signal("SIGKILL");
    expect(toy.until("never")).rejects.toThrow(/ended before it showed never/);
    expect(await toy.ended).toEqual({ exitCode: null, signal: "SIGKILL" });
    expect(await toy.leftOn()).toContain("alternate screen");
    expect(toy.processState()).toBe("X");
  });

  test("is not looked at while it draws a frame", async () => {
    const draws = String.raw`printf '\033[?2026hfirst '; sleep 0.2; printf 'second\033[?2026l'; read -r _`;
    await using drawing = openTerminal({ command: ["sh", "-c", draws], cwd: import.meta.dir });
    expect(await drawing.until("first")).toBe("first second");
  });
});

test.each([
  ["j", "j"],
  ["G", "G"],
  ["space", " "],
  ["ctrl+s", "\x13"],
  ["ctrl+space", "\0"],
  ["alt+return", "\x1b\r"],
  ["shift+down", "\x1b[1;2B"],
  ["ctrl+left", "\x1b[1;5D"],
  ["ctrl+pageup", "\x1b[5;5~"],
  ["g g", "gg"],
])("the key %s", (name, bytes) => expect(pressOf(name)).toBe(bytes));

test("a key that no terminal sends is refused", () => {
  expect(() => pressOf("ctrl+1")).toThrow("no terminal sends ctrl+1");
  expect(() => pressOf("hyper+x")).toThrow("no such key: hyper+x");
});
