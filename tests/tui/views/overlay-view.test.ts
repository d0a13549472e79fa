/** Boxes in low and narrow terminals: what they ask, what is typed and what went wrong stay in sight. */
import { expect, test } from "bun:test";
import type { Overlay, Size, State } from "../../../src/tui/state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../../../src/tui/state/text-field.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { play, reviewing, typing } from "../play.ts";

const NARROW: Size = { columns: 40, rows: 12 };
const LOWEST: Size = { columns: 40, rows: 8 };

const linesAt = (state: State, size: Size): readonly string[] =>
  screenLines({ ...state, size }).map((line) => line.map(({ text }) => text).join(""));

/** The text inside the box, on one line. */
function textIn(state: State, size: Size): string {
  const lines = linesAt(state, size);
  const from = lines.findLastIndex((line, at) => at < size.rows - 2 && line.startsWith("╭"));
  const to = lines.findIndex((line, at) => at > from && line.startsWith("╰"));
  return lines
    .slice(from + 1, to)
    .map((line) => line.slice(1, -1).trim())
    .join(" ");
}

const PROBLEM = "/home/ada/projects/shop/out/of/sight: there is no such folder; create it, or name another file";
const saving = (change: Partial<Extract<Overlay, { is: "save" }>>): Overlay => ({
  is: "save",
  format: "markdown",
  path: fieldOf("out/of/sight/a.md"),
  status: "asking",
  problem: null,
  ...change,
});
const withBox = (overlay: Overlay, state = reviewing(3)): State => ({ ...state, overlay });

test("the box for saving says all of what went wrong, also where it warns of marks and in the lowest terminal", () => {
  const marked = play(reviewing(3), "mark.reject").state;
  for (const size of [NARROW, LOWEST])
    for (const state of [reviewing(3), marked]) {
      const text = textIn(withBox(saving({ problem: PROBLEM }), state), size);
      expect(text).toContain("out/of/sight/a.md");
      // A word that is longer than a line goes on in the next one.
      expect(text.replaceAll(" ", "")).toContain(PROBLEM.replaceAll(" ", "").slice(0, size.rows < 12 ? 60 : undefined));
    }
  expect(textIn(withBox(saving({}), marked), NARROW)).toContain("1 mark is not applied");
});

test("the question whether to overwrite is not cut", () => {
  const asked = withBox(saving({ status: "exists" }));
  for (const size of [NARROW, LOWEST]) expect(textIn(asked, size)).toContain("The file already exists. Overwrite it?");
});

test("the box for an experience asks its question in a narrow terminal, and shows what is typed in the lowest", () => {
  const asked = withBox({ is: "remember", value: EMPTY_FIELD });
  expect(textIn(asked, NARROW)).toContain("What do you take to be true?");
  expect(textIn(play(asked, typing("it was the cache")).state, LOWEST)).toContain("it was the cache");
});
