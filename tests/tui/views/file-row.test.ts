/** What the list of files says of its signs. */
import { expect, test } from "bun:test";
import { marksLegend } from "../../../src/tui/views/file-row.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { SAMPLES } from "./sample-states.ts";

test("the signs of marks are explained once each, in the same order wherever the list is scrolled to", () => {
  const legend = "+ accepted  - rejected  ( ) earlier";
  expect(marksLegend(["earlier-rejected", "auto", "accepted", "earlier-accepted"])).toBe(legend);
  expect(marksLegend(["accepted", "earlier-accepted", "rejected"])).toBe(legend);
  expect([marksLegend(["symbols"]), marksLegend(["auto"])]).toEqual(["s symbols", ""]);
});

test("the legend is whole in a terminal of 80 columns or more", () => {
  for (const [name, sample] of Object.entries(SAMPLES).filter(([, { screen }]) => screen === "review"))
    for (const columns of [80, 120, 200]) {
      const lines = screenLines({ ...sample, size: { columns, rows: 40 } }).map((line) =>
        line.map(({ text }) => text).join(""),
      );
      expect([name, columns, lines.filter((line) => /^╰─.*(accepted|rejected|earlier).*…/.test(line))]).toEqual([
        name,
        columns,
        [],
      ]);
    }
});
