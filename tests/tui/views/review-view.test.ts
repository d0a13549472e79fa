/** What the status line of the review says of marks. */
import { expect, test } from "bun:test";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { pathAt, play, reviewing } from "../play.ts";

test("a narrow status line counts marked definitions by the sign that files have, not as seconds", () => {
  const outline = [{ qualifiedName: "f0", kind: "function", startLine: 3, endLine: 5, tokens: 10 }];
  const start = { ...reviewing(3), size: { columns: 60, rows: 20 } };
  const marked = play(
    start,
    "symbols.open",
    { is: "outline-loaded", path: pathAt(0), symbols: outline },
    "symbol.cycle",
  );
  const drawn = screenLines(marked.state).map((line) => line.map(({ text }) => text).join(""));
  expect(drawn.join("\n")).toMatch(/ s1 *$/m);
});
