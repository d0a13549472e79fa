/** Reports of the mouse among keys: told apart whole or cut, and nothing else is taken for one. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type MouseEvent, mouseReader } from "../../../src/tui/terminal/mouse.ts";

function readAll(chunks: readonly string[]): { readonly rest: string; readonly events: readonly MouseEvent[] } {
  const read = mouseReader();
  const parts = chunks.map(read);
  return { rest: parts.map(({ rest }) => rest).join(""), events: parts.flatMap(({ events }) => events) };
}

test("the wheel and a press are events; a release and other buttons are not", () => {
  const { rest, events } = readAll(["a\x1b[<64;10;5Mb\x1b[<65;1;1M\x1b[<0;3;4M\x1b[<0;3;4mc\x1b[<2;3;4M\x1b[<35;9;9M"]);
  expect(rest).toBe("abc");
  expect(events).toEqual([
    { is: "wheel", direction: "up", column: 9, row: 4 },
    { is: "wheel", direction: "down", column: 0, row: 0 },
    { is: "press", column: 2, row: 3 },
  ]);
});

test("modifier keys do not change a mouse event", () => {
  expect(readAll(["\x1b[<80;2;2M\x1b[<4;2;2M"]).events).toEqual([
    { is: "wheel", direction: "up", column: 1, row: 1 },
    { is: "press", column: 1, row: 1 },
  ]);
});

test("a terminal without the SGR form sends three characters, none of which is a key", () => {
  const { rest, events } = readAll(["a\x1b[M qq\x1b[M#qq\x1b[M`!!b", "\x1b[M", " !", "\ufffdc"]);
  expect(rest).toBe("abc");
  expect(events).toEqual([
    { is: "press", column: 80, row: 80 },
    { is: "wheel", direction: "up", column: 0, row: 0 },
    { is: "press", column: 0, row: 0xfffd - 33 },
  ]);
});

const piece = fc.constantFrom(
  "\x1b[M !q",
  "\x1b[<64;10;5M",
  "\x1b[<0;3;4M",
  "\x1b[<0;3;4m",
  "j",
  "\x1b[A",
  "ü",
  "\x1b[<",
  "1;",
  "0",
);

test("a report can arrive in parts, and other input passes through in order", () =>
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(60)), (pieces, cuts) => {
      const text = `${pieces.join("")}.`;
      const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
      // A report that is cut right behind its escape passes as a key would.
      const chunks = places.slice(1).map((to, at) => text.slice(places[at], to));
      fc.pre(chunks.every((chunk) => !/\x1b\[?$/.test(chunk)));
      expect(readAll(chunks)).toEqual(readAll([text]));
    }),
  ));

test("an incomplete report is not held back forever", () => {
  expect(readAll([`\x1b[<${"1".repeat(40)}`, "x"]).rest).toBe(`\x1b[<${"1".repeat(40)}x`);
});
