/** A task becomes an experience only after a question, with a sentence of the user's: what it asks for, and what is said of it. */
import { expect, test } from "bun:test";
import { keysOf } from "../../src/tui/keys/bindings.ts";
import type { State } from "../../src/tui/state/state.ts";
import { noticed, play, reviewIn, reviewing, typing } from "./play.ts";

const KEY = keysOf("package.remember", "review")[0] ?? "";
const press = (state: State) =>
  play(state, { is: "pressed", key: KEY }, typing("rounds are lost"), { is: "pressed", key: "return" });

test("the key stores the task as an experience, in the list and in the preview", () => {
  for (const state of [reviewing(4), play(reviewing(4), "pane.switch").state]) {
    const asked = press(state);
    expect(noticed(asked)).toEqual([
      { do: "remember-task", taskId: "0123456789abcdef", hypothesis: "rounds are lost", unapplied: null },
    ]);
    expect(asked.state).toMatchObject({ screen: "review", message: { kind: "info", text: "Saving the experience." } });
    expect(reviewIn(asked.state).decisions).toEqual(reviewIn(state).decisions);
  }
});

test("nothing is stored before the answer, nor without a sentence", () => {
  const asked = play(reviewing(4), { is: "pressed", key: KEY });
  expect(noticed(asked)).toEqual([]);
  expect(asked.state.overlay).toMatchObject({ is: "remember" });
  expect(noticed(play(asked.state, { is: "pressed", key: "return" }))).toEqual([]);
  const left = play(asked.state, typing("no"), { is: "pressed", key: "escape" });
  expect([noticed(left), left.state.overlay]).toEqual([[], null]);
});

test("decisions since the round are not included, and a message says so", () => {
  const asked = press(play(reviewing(4), "mark.accept").state);
  expect(noticed(asked)).toEqual([
    {
      do: "remember-task",
      taskId: "0123456789abcdef",
      hypothesis: "rounds are lost",
      unapplied: "1 mark is not applied to round 1 yet; press r to refine",
    },
  ]);
});

test("a stopped run cannot be remembered", () => {
  const review = reviewing(4);
  const asked = play({ ...review, review: { ...reviewIn(review), round: null } }, { is: "pressed", key: KEY });
  expect(noticed(asked)).toEqual([]);
  expect(asked.state.message).toMatchObject({
    kind: "error",
    text: expect.stringContaining("No package yet"),
  });
});
