/** Linear mode says what is new, once, and nothing again. */
import { expect, test } from "bun:test";
import { NOTHING_SAID, type Said, saidNext } from "../../../src/tui/views/announcements.ts";
import { linearSentences } from "../../../src/tui/views/linear-view.ts";
import { play, reviewing } from "../play.ts";

const textsOf = ({ lines }: Said): readonly string[] => lines.map(({ text }) => text);

test("only what the state before did not say is added, with growing ids", () => {
  const first = saidNext(NOTHING_SAID, ["a", "1. x (current)", "2. y", "keys"]);
  expect(textsOf(first)).toEqual(["a", "1. x (current)", "2. y", "keys"]);
  const moved = saidNext(first, ["a", "1. x", "2. y (current)", "keys"]);
  expect(textsOf(moved).slice(4)).toEqual(["2. y (current)"]);
  expect(moved.lines.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  expect(saidNext(moved, ["a", "1. x", "2. y (current)", "keys"])).toBe(moved);
  // What was gone is said again; equal sentences count as often as they occur.
  const gone = saidNext(moved, ["keys"]);
  expect(textsOf(saidNext(gone, ["a", "a", "keys"])).slice(5)).toEqual(["a", "a"]);
});

test("moving in the list says the file, a mark says the mark, and nothing else is repeated", () => {
  const state = { ...reviewing(6), look: { ascii: true, colour: false, screenReader: "--screen-reader" } };
  const first = saidNext(NOTHING_SAID, linearSentences(state));
  expect(textsOf(first)[0]).toContain("screen reader mode");
  const moved = play(state, "list.next").state;
  const next = saidNext(first, linearSentences(moved));
  expect(textsOf(next).slice(first.lines.length)).toEqual([expect.stringMatching(/^2\. .*file-001\.ts.*\(current\)$/)]);
  const marked = saidNext(next, linearSentences(play(moved, "mark.accept").state));
  const added = textsOf(marked).slice(next.lines.length);
  expect(added[0]).toMatch(/^2\. .*accepted in the next round \(current\)$/);
  expect(added.length).toBeLessThan(4);
});
