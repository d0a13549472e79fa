/** One key makes an experience of a task: what it asks for, and what is said of it. */
import { expect, test } from "bun:test";
import { keysOf } from "../../src/tui/keys/bindings.ts";
import type { State } from "../../src/tui/state/state.ts";
import { noticed, play, reviewIn, reviewing } from "./play.ts";

const KEY = keysOf("package.remember", "review")[0] ?? "";
const press = (state: State) => play(state, { is: "pressed", key: KEY });

test("the key stores the task as an experience, in the list and in the preview", () => {
  for (const state of [reviewing(4), play(reviewing(4), "pane.switch").state]) {
    const asked = press(state);
    expect(noticed(asked)).toEqual([{ do: "remember-task", taskId: "0123456789abcdef", unapplied: null }]);
    expect(asked.state).toMatchObject({ screen: "review", message: { kind: "info", text: "Saving the experience." } });
    expect(reviewIn(asked.state).decisions).toEqual(reviewIn(state).decisions);
  }
});

test("decisions since the round are not included, and a message says so", () => {
  const asked = press(play(reviewing(4), "mark.accept").state);
  expect(noticed(asked)).toEqual([
    {
      do: "remember-task",
      taskId: "0123456789abcdef",
      unapplied: "1 mark is not applied to round 1 yet; press r to refine",
    },
  ]);
});

test("a stopped run cannot be remembered", () => {
  const review = reviewing(4);
  const asked = press({ ...review, review: { ...reviewIn(review), round: null } });
  expect(noticed(asked)).toEqual([]);
  expect(asked.state.message).toMatchObject({
    kind: "error",
    text: expect.stringContaining("No package yet"),
  });
});
