/** A message of several lines takes rows of the screen's body, whose frames stay whole. */
import { expect, test } from "bun:test";
import { hitTest } from "../../../src/tui/state/layout/hit-test.ts";
import type { Size, State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { pathAt, play, reviewing } from "../play.ts";

const SIZES: readonly Size[] = [
  { columns: 120, rows: 36 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 14 },
  { columns: 40, rows: 12 },
  { columns: 40, rows: 8 },
];
const LONG = "The index has changed since round 2 of this task. Another process made round 3; this is round 4. ".repeat(
  2,
);

const said = (state: State): State => play(state, { is: "message", kind: "info", text: LONG }).state;
const linesAt = (state: State, size: Size): readonly string[] =>
  screenLines({ ...state, size }).map((line) => line.map(({ text }) => text).join(""));
/** Whether the frame that begins here has an end in the same column. */
const hasEnd = (lines: readonly string[], row: number, column: number): boolean =>
  lines.slice(row + 1).some((line) => line[column] === "╰");

test("a long message covers no end of a frame, nor that of a box", () => {
  const boxes = [
    ["Package", reviewing(40)],
    ["Keys of this screen", play(reviewing(40), "help.open").state],
    ["Save the package", play(reviewing(40), "save.open").state],
  ] as const;
  for (const size of SIZES)
    for (const [title, state] of boxes) {
      const lines = linesAt(said(state), size);
      expect(lines).toHaveLength(size.rows);
      const message = lines.findIndex((line) => line.includes("The index has changed"));
      expect(lines[message - 1]).toMatch(/╯/);
      const row = lines.findIndex((line) => line.includes(title));
      const column = lines[row]?.lastIndexOf("╭", lines[row]?.indexOf(title)) ?? -1;
      expect([title, size, hasEnd(lines, row, column)]).toEqual([title, size, true]);
    }
});

test("the row of the cursor stays in sight above a long message, and is what a click there means", () => {
  const size = { columns: 40, rows: 12 };
  const last = { ...said(play({ ...reviewing(40), size }, "list.last").state), size };
  const lines = linesAt(last, size);
  const at = lines.findIndex((line) => line.startsWith("│ ▸"));
  expect(lines[at]).toContain(pathAt(39).slice(-11));
  expect(hitTest(last, 10, at)).toEqual({ on: "row", at: 39, onMark: false });
  const message = lines.findIndex((line) => line.includes("The index has changed"));
  expect(hitTest(last, 10, message)).toBeNull();
});

test("a terminal that is too small says what is needed on as many rows as that takes", () => {
  const state = reviewing(2);
  for (const [columns, rows, seen] of [
    [39, 24, "terminal too small (need 40x8)"],
    [20, 6, "terminal too small (need 40x8)"],
    [12, 3, "terminal too small (need"],
    [5, 1, "termi"],
  ] as const) {
    const lines = linesAt(state, { columns, rows });
    expect(lines.map((line) => line.trim()).join(" ")).toStartWith(seen);
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) expect(line).toHaveLength(columns);
  }
});
