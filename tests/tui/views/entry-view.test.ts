/** The first screen. */
import { expect, test } from "bun:test";
import type { State } from "../../../src/tui/state/state.ts";
import { linearSentences } from "../../../src/tui/views/linear-view.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { play } from "../play.ts";
import { BASE } from "./sample-screens.ts";

test("sessions were used at a time of the user's clock", () => {
  const before = process.env.TZ ?? "UTC";
  try {
    process.env.TZ = "Asia/Tokyo";
    const text = screenLines(BASE)
      .flatMap((line) => [...line.map((piece) => piece.text), "\n"])
      .join("");
    // In the sample, 10:12 in Greenwich.
    expect(text).toContain("2026-03-01 19:12");
  } finally {
    process.env.TZ = before;
  }
});

test("sessions of one task say what each is for", () => {
  const { sessions } = BASE.entry;
  const first = sessions?.[0];
  const rows = first === undefined ? [] : [first, { ...first, taskId: "77aa", purpose: "plan" } as const];
  const state = { ...BASE, entry: { ...BASE.entry, sessions: rows } };
  const lines = screenLines(state).map((line) => line.map((piece) => piece.text).join(""));
  expect(lines.filter((line) => line.includes("for plan")).map((line) => line.includes("77aa"))).toEqual([true]);
  expect(linearSentences(state).filter((text) => text.includes(", for plan, 2 rounds"))).toHaveLength(1);
});

test("a terminal that is too low for both shows the one of task and sessions that has the focus", () => {
  const low = { ...BASE, size: { columns: 60, rows: 9 } };
  const shown = (state: State): string =>
    screenLines(state)
      .map((line) => line.map(({ text }) => text).join(""))
      .join("\n");
  const [typing, choosing] = [shown(low), shown(play(low, "sessions.focus").state)];
  expect([typing.includes("─ Task "), typing.includes("─ Sessions ")]).toEqual([true, false]);
  expect([choosing.includes("─ Task "), choosing.includes("─ Sessions ")]).toEqual([false, true]);
  expect(choosing).toContain("3fa8c1d2");
});

test("reviews are told apart by what was changed", () => {
  const review = (taskId: string, path: string) => ({
    taskId,
    task: `Please review these changes:\n\n- \`${path}\``,
    title: null,
    rounds: 1,
    lastUsed: null,
    unsaved: false,
  });
  const sessions = [review("0123456789ab", "src/cart.py"), review("ba9876543210", "src/till.py")];
  const text = screenLines({ ...BASE, entry: { ...BASE.entry, sessions } })
    .flatMap((line) => [...line.map((piece) => piece.text), "\n"])
    .join("");
  expect(text).toContain("Please review these changes: - `src/cart.py`");
  expect(text).toContain("Please review these changes: - `src/till.py`");
});

test("while a filter is typed, the scroll mark begins beside the first session", () => {
  const sessions = Array.from({ length: 60 }, (_, at) => ({
    taskId: `${at}`.padStart(12, "0"),
    task: `task ${at}`,
    title: null,
    rounds: 1,
    lastUsed: null,
    unsaved: false,
  }));
  const focused = play({ ...BASE, entry: { ...BASE.entry, sessions } }, "sessions.focus").state;
  const firstMarked = (state: State): string =>
    screenLines(state)
      .map((line) => line.map(({ text }) => text).join(""))
      .find((text) => text.includes("┃")) ?? "";
  expect(firstMarked(focused)).toContain("task 0");
  expect(firstMarked({ ...focused, overlay: { is: "filter", of: "sessions" } })).toContain("task 0");
});
