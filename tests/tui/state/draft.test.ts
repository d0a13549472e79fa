import { expect, test } from "bun:test";
import type { Action } from "../../../src/tui/state/actions.ts";
import { CHANGES_MAX, markFiles, NO_DECISIONS, STEPS_MAX, undone } from "../../../src/tui/state/decisions.ts";
import { draftOf, readDraft } from "../../../src/tui/state/draft.ts";
import { symbolKey } from "../../../src/tui/state/marks.ts";
import { problemOf, requestOf } from "../../../src/tui/state/refinement-request.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { beginning, pathAt, pathsIn, play, reviewIn, reviewing, roundOf, typing } from "../play.ts";

test("text typed before the first run is restored with its cursor", () => {
  const typed = play(beginning(), typing("fix"), "text.left");
  const last = typed.effects.findLast((effect) => effect.do === "persist");
  expect(last?.do === "persist" ? last.draft : null).toMatchObject({
    taskId: null,
    round: 0,
    screen: "entry",
    task: "fix",
    taskCursor: 2,
  });
  const again = play(beginning(), {
    is: "resumed",
    taskId: null,
    task: "",
    round: null,
    draft: draftOf(typed.state),
  }).state;
  expect([again.screen, again.entry.task]).toEqual(["entry", { text: "fix", cursor: 2 }]);
});

test("a review is restored: marks, undo, cursor, filter, budget, note", () => {
  const left = play(
    reviewing(9),
    "filter.open",
    typing("'part-1"),
    "filter.keep",
    "list.next",
    "mark.accept",
    "mark.reject",
    "mark.undo",
    "notes.open",
    typing("why"),
    "notes.set",
  ).state;
  const again = play(beginning(), {
    is: "resumed",
    taskId: left.taskId,
    task: "fix it",
    round: roundOf(9),
    draft: draftOf(left),
  }).state;
  expect(reviewIn(again).decisions).toEqual(reviewIn(left).decisions);
  expect([pathsIn(again), reviewIn(again).cursor, reviewIn(again).notes]).toEqual([pathsIn(left), 1, "why"]);
  expect([...reviewIn(play(again, "mark.redo").state).decisions.files]).toEqual([[pathAt(4), "rejected"]]);
});

test("a session that was left from its task opens at its package, with its marks", () => {
  const left = play(reviewing(3), "mark.accept", "app.back").state;
  expect(left.screen).toBe("entry");
  const again = play(left, { is: "resumed", taskId: "x", task: left.task, round: roundOf(3), draft: draftOf(left) });
  expect(again.state.screen).toBe("review");
  expect([...reviewIn(again.state).decisions.files]).toEqual([[pathAt(0), "accepted"]]);
});

test("decisions that a later round applied are not restored", () => {
  const draft = draftOf(play(reviewing(3), "mark.accept").state);
  const again = play(beginning(), {
    is: "resumed",
    taskId: "x",
    task: "t",
    round: roundOf(3, { number: 2 }),
    draft,
  }).state;
  expect(reviewIn(again).decisions).toEqual(NO_DECISIONS);
});

test("decisions on a stopped run are restored; without any, the task is", () => {
  const events: Action = {
    is: "events",
    run: 1,
    events: [{ event: "file_considered", stage: "scope", path: "a", tier: "seed", score: 1, tokens: 1, reason: "" }],
  };
  const stopped = play(beginning({ task: "t" }), events, "run.cancel", { is: "cancelled", run: 1 }).state;
  const again = (state: State) =>
    play(beginning(), { is: "resumed", taskId: "x", task: "t", round: null, draft: draftOf(state) }).state;
  expect([again(stopped).screen, again(stopped).entry.task.text]).toEqual(["entry", "t"]);
  expect(pathsIn(again(play(stopped, "mark.reject").state))).toEqual(["a"]);
  expect(pathsIn(again(play(stopped, "mark.reject", "app.back").state))).toEqual(["a"]);
});

test("a session without a finished round restores its task", () => {
  const again = play(beginning(), { is: "resumed", taskId: "x", task: "t", round: null, draft: null }).state;
  expect([again.screen, again.entry.task.text, again.review]).toEqual(["entry", "t", null]);
});

test("each part of the draft is saved by the action that set it", () => {
  const last = (...steps: Parameters<typeof play>[1][]) => play(reviewing(3), ...steps).effects.at(-1);
  expect(last("notes.open", typing("n"), "notes.set")).toMatchObject({ do: "persist", draft: { notes: "n" } });
  expect(last("budget.open", typing("0"), "budget.set")).toMatchObject({ do: "persist", draft: { budget: 10_000 } });
  expect(last("filter.open", typing("f"))).toMatchObject({ do: "persist", draft: { filter: "f" } });
  expect(last("list.next")).toMatchObject({ do: "persist", draft: { current: pathAt(1) } });
  expect(last("task.new")).toMatchObject({ do: "persist", draft: { screen: "entry" } });
});

test("loading a session does not replace a run in progress", () => {
  const running = play(beginning(), typing("fix"), "task.run").state;
  expect(play(running, { is: "resumed", taskId: "x", task: "t", round: roundOf(1), draft: null }).state).toEqual(
    running,
  );
});

test("invalid data is not a draft", () => {
  const draft = draftOf(reviewing(2));
  expect(readDraft(draft)).toEqual(draft);
  for (const wrong of [
    null,
    1,
    "x",
    {},
    { ...draft, version: 2 },
    { ...draft, extra: 1 },
    { ...draft, files: [["a", "loved"]] },
  ])
    expect(readDraft(wrong)).toBeNull();
});

test("the undo history is bounded and always has the newest step", () => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => [`${name}${at}`, "accepted"] as const);
  const steps = Array.from({ length: STEPS_MAX + 50 }, (_, at) => `f${at}`).reduce(
    (so, path) => markFiles(so, [[path, "accepted"]]),
    NO_DECISIONS,
  );
  expect([steps.undo.length, steps.files.size]).toEqual([STEPS_MAX, STEPS_MAX + 50]);
  const heavy = markFiles(markFiles(NO_DECISIONS, many(10, "a")), many(CHANGES_MAX + 1, "b"));
  expect(heavy.undo.map((step) => step.length)).toEqual([CHANGES_MAX + 1]);
  expect(undone(heavy)?.files.size).toBe(10);
});

test("names that a request cannot carry are refused with a message", () => {
  const review = { decisions: markFiles(NO_DECISIONS, [["a\nb", "accepted"]]), notes: "" };
  expect(problemOf(requestOf(review))).toContain("control characters");
  const symbols = new Map([[symbolKey("a:b.ts", "C.d"), "body"]] as const);
  expect(requestOf({ decisions: { ...NO_DECISIONS, symbols }, notes: " a\n\tb\u0007 " })).toEqual({
    reason: "a b",
    as_body: ["a:b.ts:C.d"],
  });
});
