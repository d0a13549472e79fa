/** The list of a file's symbols. */
import { expect, test } from "bun:test";
import type { State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { SAMPLES } from "./sample-states.ts";

test("while a filter is typed, the scroll mark begins beside the first symbol", () => {
  const { review } = SAMPLES.symbols;
  const symbols = review?.symbols;
  const [row] = symbols?.rows ?? [];
  if (review === null || symbols == null || row === undefined) throw new Error("no sample");
  const rows = Array.from({ length: 80 }, (_, at) => ({ ...row, qualifiedName: `name${at}` }));
  const state: State = { ...SAMPLES.symbols, review: { ...review, symbols: { ...symbols, cursor: 0, rows } } };
  const firstMarked = (shown: State): string =>
    screenLines(shown)
      .map((line) => line.map(({ text }) => text).join(""))
      .find((text) => text.includes("┃")) ?? "";
  expect(firstMarked(state)).toContain("name0");
  expect(firstMarked({ ...state, overlay: { is: "filter", of: "symbols" } })).toContain("name0");
});
