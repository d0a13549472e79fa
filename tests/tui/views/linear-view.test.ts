/** Linear mode says nothing that is not so. */
import { expect, test } from "bun:test";
import { linearSentences } from "../../../src/tui/views/linear-view.ts";
import { beginning, pathAt, play, reviewIn, reviewing } from "../play.ts";

test("a list that is being read is not said to be empty", () => {
  const inReview = reviewing(3);
  expect(linearSentences(beginning())).toContain("Sessions: loading.");
  expect(linearSentences(play(beginning(), { is: "home-loaded", sessions: [], history: [] }).state)).toContain(
    "Sessions: none.",
  );
  expect(linearSentences(play(inReview, "symbols.open").state)).toContain(`Symbols of ${pathAt(0)}: loading.`);
  expect(linearSentences(play(inReview, "rounds.open").state)).toContain("Rounds: loading.");
  const finder = play(inReview, "finder.open").state;
  expect(linearSentences(finder)).toContain("Matches: loading.");
  const answered = play(finder, { is: "found", query: "", rows: [], matches: 0, of: 9 }).state;
  expect(linearSentences(answered)).toContain("Matches (0 of 9): none.");
});

test("what a rejection frees is said of a file that ships and is not rejected, and the next round only about what is sure", () => {
  const result = { tokens: 40, budget: 1_000, exact: false, enters: [], leaves: [], nextOut: null, nextIn: null };
  const saidOf = (at: number, frees: number, isRejected: boolean): string => {
    const moved = play(
      reviewing(6, {}, (file) => file < 3),
      "leftout.toggle",
      ...Array(at).fill("list.next"),
    );
    const { state } = isRejected ? play(moved.state, "mark.reject") : moved;
    const id = reviewIn(state).dryRun.requested;
    const rejecting = { path: pathAt(at), frees, enters: [] };
    const told = play(state, { is: "dry-run-finished", id, result: { ...result, rejecting } }).state;
    return linearSentences(told).join("\n");
  };
  expect(saidOf(1, 12, false)).toContain("Rejecting it frees 12 tokens.");
  expect(saidOf(1, 12, true)).not.toContain("Rejecting it");
  expect(saidOf(5, 0, false)).not.toContain("Rejecting it");
  expect(saidOf(1, 12, true)).toContain("The next round: about 40 of 1,000 tokens");
});
