/** Ctrl-C in a bracketed paste, in chunks of every size. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { pasteInterrupter } from "../../../src/tui/terminal/paste.ts";

const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

const filtered = (chunks: readonly string[]): string => chunks.map(pasteInterrupter()).join("");
const inPieces = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

test("a Ctrl-C ends a paste that is open, wherever the chunks are cut", () => {
  const sent = `a${BEGIN}text\x03b`;
  for (let size = 1; size <= sent.length; size += 1)
    expect(filtered(inPieces(sent, size))).toBe(`a${BEGIN}text${END}\x03b`);
  expect(filtered([`${BEGIN}x\x03`, "\x03", `${BEGIN}y\x03`])).toBe(`${BEGIN}x${END}\x03\x03${BEGIN}y${END}\x03`);
});

test("everything else passes as it is", () => {
  const piece = fc.constantFrom("a", "\x1b", "[", "200~", "201~", BEGIN, END, "é", "\x1b[A");
  fc.assert(
    fc.property(fc.array(fc.array(piece).map((parts) => parts.join(""))), (chunks) => {
      expect(filtered(chunks)).toBe(chunks.join(""));
    }),
  );
  expect(filtered([`${BEGIN}x${END}\x03`, "\x03"])).toBe(`${BEGIN}x${END}\x03\x03`);
});
