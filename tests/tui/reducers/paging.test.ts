/** Paging shows every line once or more, ends at the end, and the first step back from there moves. */
import { expect, test } from "bun:test";
import type { CommandName } from "../../../src/tui/keys/bindings.ts";
import type { PreviewLine } from "../../../src/tui/state/review-state.ts";
import type { Size, State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { pathAt, play, reviewIn, reviewing, roundOf } from "../play.ts";

const SIZES: readonly Size[] = [
  { columns: 40, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 100, rows: 30 },
  { columns: 200, rows: 50 },
];
const COUNT = 130;

/** Every other line is longer than a pane. */
const LINES: readonly PreviewLine[] = Array.from({ length: COUNT }, (_, at) => ({
  kind: "code",
  number: at + 1,
  text: `<${at + 1}> ${at % 2 === 0 ? "" : "words of a long line, 日本語, ".repeat(9)}`,
}));

/** The preview of a file that is left out, at its top. */
function preview(size: Size, isWrapped: boolean): State {
  const { package: pkg } = roundOf(2);
  const loaded = { path: pathAt(0), language: "python", lines: LINES };
  const state = reviewing(2, { package: { ...pkg, files: [] }, ships: [] });
  const { state: opened } = play(state, "leftout.toggle", { is: "preview-loaded", preview: loaded }, "pane.switch");
  return play({ ...opened, size }, "page.top", ...(isWrapped ? (["preview.wrap"] as const) : [])).state;
}

const seen = (state: State): readonly string[] =>
  screenLines(state).flatMap(
    (line) =>
      line
        .map(({ text }) => text)
        .join("")
        .match(/<\d+>/g) ?? [],
  );

/** All that is seen in turn until nothing moves. */
function seenBy(start: State, command: CommandName): ReadonlySet<string> {
  const all = new Set(seen(start));
  let [before, state] = [start, play(start, command).state];
  while (state !== before && reviewIn(state).preview.top !== reviewIn(before).preview.top) {
    for (const line of seen(state)) all.add(line);
    [before, state] = [state, play(state, command).state];
  }
  return all;
}

for (const size of SIZES)
  for (const isWrapped of [false, true])
    test(`a preview of ${size.columns} by ${size.rows}${isWrapped ? ", wrapped" : ""}`, () => {
      const start = preview(size, isWrapped);
      expect(seenBy(start, "page.page-down").size).toBe(COUNT);
      const end = play(start, "page.bottom").state;
      expect(seen(end)).toContain(`<${COUNT}>`);
      expect(seen(play(end, "page.down").state)).toEqual(seen(end));
      expect(seen(play(end, "page.up").state)).not.toEqual(seen(end));
      expect(seenBy(end, "page.page-up").size).toBe(COUNT);
      const hit = play(start, "preview.search", { is: "pasted", text: `<${COUNT - 2}>` }, "filter.keep").state;
      expect(seen(hit)).toContain(`<${COUNT - 2}>`);
    });

test("a list moves by what is in sight", () => {
  for (const size of SIZES) {
    const start = { ...play(reviewing(300), "leftout.toggle").state, size };
    const rows = (state: State): readonly string[] =>
      screenLines(state).flatMap(
        (line) =>
          line
            .map(({ text }) => text)
            .join("")
            .match(/file-\d+/g) ?? [],
      );
    const all = new Set(rows(start));
    let state = play(start, "list.page-down").state;
    for (let page = 0; page < 300 && reviewIn(state).cursor < 299; page += 1) {
      for (const name of rows(state)) all.add(name);
      state = play(state, "list.page-down").state;
    }
    for (const name of rows(state)) all.add(name);
    expect([size.rows, all.size]).toEqual([size.rows, 300]);
  }
});

test("the help goes back from its end with the first key", () => {
  for (const size of SIZES.slice(0, 3)) {
    const text = (state: State): string =>
      screenLines(state)
        .map((line) => line.map((part) => part.text).join(""))
        .join("\n");
    const end = play({ ...reviewing(3), size }, "help.open", "page.bottom", "page.down").state;
    expect(text(play(end, "page.up").state)).not.toBe(text(end));
  }
});
