/** What holds for every sequence of actions. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { COMMAND_NAMES, CONTEXTS, commandsIn, keysOf } from "../../src/tui/keys/bindings.ts";
import { focusedField } from "../../src/tui/reducers/typing.ts";
import { update } from "../../src/tui/reducers/update.ts";
import type { Action } from "../../src/tui/state/actions.ts";
import { Draft, draftOf, readDraft } from "../../src/tui/state/draft.ts";
import { contextOf } from "../../src/tui/state/key-context.ts";
import type { Target } from "../../src/tui/state/layout/hit-test.ts";
import { fileMarkOf, symbolMarkOf } from "../../src/tui/state/marks.ts";
import { requestOf } from "../../src/tui/state/refinement-request.ts";
import type { State } from "../../src/tui/state/state.ts";
import { anyCharacter } from "../support/any-character.ts";
import { beginning, pathAt, pathIn, play, reviewIn, reviewing, roundOf } from "./play.ts";

const BINDINGS = [
  ...new Set(CONTEXTS.flatMap((context) => commandsIn(context).flatMap((name) => keysOf(name, context)))),
].flatMap((key) => key.split(" "));

const press = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...BINDINGS) },
  { weight: 1, arbitrary: fc.constantFrom("a", "1", "/", "é", "\u{1F468}\u{200D}\u{1F469}", "\u0301", "space") },
);
const pressed = press.map((key): Action => ({ is: "pressed", key }));
const files = fc.integer({ min: 0, max: 9 });
const step = { phase: "parse", done: 1, total: null };
const moved = { path: "a", item: null, tokens: 1 };

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ on: fc.constant("row" as const), at: fc.integer({ min: -3, max: 20 }), onMark: fc.boolean() }),
  fc.record({ on: fc.constantFrom("folded" as const, "list", "preview", "task", "sessions", "overlay") }),
);

/** Things from outside, in time and late. */
const fromOutside: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ is: fc.constant("tick" as const), now: fc.nat(100_000) }),
  fc.record({
    is: fc.constant("resized" as const),
    size: fc.record({ columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) }),
  }),
  fc.record({ is: fc.constant("pasted" as const), text: fc.string({ unit: anyCharacter, maxLength: 40 }) }),
  fc.record({ is: fc.constant("wheel" as const), by: fc.integer({ min: -5, max: 5 }), target: fc.option(target) }),
  fc.record({ is: fc.constant("clicked" as const), target }),
  fc.record({ is: fc.constant("cancelled" as const), run: fc.nat(4) }),
  fc.record({ is: fc.constant("failed" as const), run: fc.nat(4), message: fc.string() }),
  fc.tuple(fc.nat(4), files).map(([run, count]): Action => ({ is: "finished", run, round: roundOf(count) })),
  fc.tuple(fc.nat(4), fc.nat(20)).map(
    ([run, at]): Action => ({
      is: "events",
      run,
      events: [
        { event: "stage_started", stage: "scope" },
        { event: "file_considered", stage: "scope", path: pathAt(at), tier: "seed", score: at, tokens: 1, reason: "" },
        { event: "judgement_text", stage: "scope", text: "x" },
      ],
    }),
  ),
  fc.nat(4).map((run): Action => ({ is: "refreshing", run, step })),
  fc.constantFrom<Action>(
    { is: "indexing", step },
    { is: "index-known", index: { status: "ready", files: 3, headline: "" } },
    {
      is: "home-loaded",
      sessions: [{ taskId: "a", task: null, title: null, rounds: 0, lastUsed: null, unsaved: true }],
      history: ["x", "y"],
    },
    { is: "home-loaded", sessions: [], history: [] },
    { is: "edited", text: "new\ntext\n" },
    { is: "preview-loaded", preview: { path: pathAt(1), language: "", lines: null } },
    {
      is: "outline-loaded",
      path: pathAt(0),
      symbols: [{ qualifiedName: "f", kind: "function", startLine: 1, endLine: 2, tokens: null }],
    },
    { is: "outline-loaded", path: pathAt(0), symbols: [] },
    {
      is: "found",
      query: "",
      rows: [{ found: { path: "new.ts", name: null, kind: "file" }, at: [] }],
      matches: 1,
      of: 1,
    },
    {
      is: "found",
      query: "a",
      rows: [{ found: { path: "n.ts", name: "f", kind: "function" }, at: [0] }],
      matches: 1,
      of: 1,
    },
    { is: "rounds-loaded", rows: [] },
    { is: "round-loaded", round: roundOf(3) },
    { is: "session-deleted", taskId: "a" },
    { is: "saved", path: "x", bytes: 1, untracked: false },
    { is: "save-exists", path: "x" },
    { is: "save-failed", message: "no" },
    { is: "message", kind: "error", text: "x" },
    {
      is: "dry-run-finished",
      id: 1,
      result: {
        tokens: 1,
        budget: 1,
        exact: true,
        enters: [],
        leaves: [moved],
        nextOut: null,
        nextIn: moved,
        rejecting: null,
      },
    },
  ),
);
const anything = fc.oneof({ weight: 3, arbitrary: pressed }, { weight: 1, arbitrary: fromOutside });
const sequence = fc.array(anything, { maxLength: 60, size: "max" });
const starts = fc.oneof(
  fc.constant(beginning()),
  fc.constant(beginning({ task: "fix it" })),
  files.map((count) => reviewing(count)),
);

/** What must hold of every state. */
function expectSound(state: State): void {
  const at = (cursor: number, length: number) => cursor >= 0 && (length === 0 ? cursor === 0 : cursor < length);
  expect(at(state.entry.sessionAt, state.entry.sessions?.length ?? 0)).toBe(true);
  const field = focusedField(state);
  if (field !== null)
    expect(field.cursor >= 0 && field.cursor <= field.text.length && field.text.isWellFormed()).toBe(true);
  if (state.run !== null) expect(at(state.run.cursor, state.run.files.length)).toBe(true);
  const { review } = state;
  if (review === null) return;
  expect(at(review.cursor, review.visible.length)).toBe(true);
  expect(
    review.visible.every((place, index) => place < review.files.length && place > (review.visible[index - 1] ?? -1)),
  ).toBe(true);
  expect(review.rangeFrom === null || at(review.rangeFrom, review.visible.length)).toBe(true);
  expect(review.symbols === null || at(review.symbols.cursor, review.symbols.rows?.length ?? 0)).toBe(true);
  expect(new Set(review.files.map(({ path }) => path)).size).toBe(review.files.length);
  for (const [path, mark] of review.decisions.files) {
    expect(fileMarkOf({ ...review, decisions: { ...review.decisions, files: new Map() } }, path)).not.toBe(mark);
    expect(review.files.some((file) => file.path === path)).toBe(true);
  }
  for (const [key, wish] of review.decisions.symbols) expect(symbolMarkOf(review, key)).toBe(wish);
}

test("no sequence of actions throws, and every state on the way is valid", () => {
  fc.assert(
    fc.property(starts, sequence, (start, actions) => {
      let state = start;
      for (const action of actions) {
        state = update(state, action).state;
        expectSound(state);
      }
    }),
    { numRuns: 300 },
  );
});

test("for any decisions, the request states exactly them, and the draft restores them", () => {
  fc.assert(
    fc.property(starts, sequence, (start, actions) => {
      const { state } = play(start, actions);
      const draft = draftOf(state);
      expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(Draft.parse(draft));
      const { review } = state;
      if (review === null || state.screen !== "review") return;
      const request = requestOf(review);
      expect([request.accepted_files ?? [], request.rejected_files ?? []].flat().toSorted()).toEqual(
        [...review.decisions.files.keys()].toSorted(),
      );
      const again = play(beginning(), {
        is: "resumed",
        taskId: state.taskId,
        task: state.task,
        round: review.round,
        draft: readDraft(JSON.parse(JSON.stringify(draft))),
      }).state;
      const isStopped = review.round === null && draft.files.length + draft.symbols.length === 0;
      expect(again.screen).toBe(isStopped ? "entry" : "review");
      if (isStopped) return;
      const back = reviewIn(again);
      expect([back.decisions, back.notes, back.filter.text]).toEqual([
        review.decisions,
        review.notes,
        review.filter.text,
      ]);
      // Of a run that was stopped only what was decided is left, so that its cursor may have been elsewhere.
      const current = review.round === null ? pathIn(again) : pathIn(state);
      expect(draftOf(again)).toEqual({ ...draft, current });
    }),
    { numRuns: 200 },
  );
});

test("an action that changes the draft saves it", () => {
  fc.assert(
    fc.property(starts, sequence, (start, actions) => {
      let state = start;
      let kept = draftOf(start);
      for (const action of actions) {
        const outcome = update(state, action);
        state = outcome.state;
        for (const effect of outcome.effects) if (effect.do === "persist") kept = effect.draft;
        expect(draftOf(state)).toEqual(kept);
      }
    }),
    { numRuns: 100 },
  );
});

const deciding = fc.array(
  fc.constantFrom(
    ...COMMAND_NAMES.filter(
      (name) => (name.startsWith("mark.") || name.startsWith("list.")) && !/undo|redo/.test(name),
    ),
  ),
  { maxLength: 30, size: "max" },
);

test("undoing and redoing everything gives the same decisions", () => {
  fc.assert(
    fc.property(files, deciding, (count, names) => {
      const done = play(reviewing(count), ...names).state;
      const { decisions } = reviewIn(done);
      const steps = decisions.undo.length;
      const undone = play(done, ...Array.from({ length: steps }, () => "mark.undo" as const)).state;
      expect(reviewIn(undone).decisions.files.size).toBe(0);
      const redone = play(undone, ...Array.from({ length: steps }, () => "mark.redo" as const)).state;
      expect(reviewIn(redone).decisions).toEqual(decisions);
    }),
    { numRuns: 100 },
  );
});

test("filtering changes no decision, and clearing it lists everything again", () => {
  fc.assert(
    fc.property(files, deciding, fc.string({ maxLength: 6 }), (count, names, query) => {
      const done = play(reviewing(count), ...names).state;
      const filtered = play(done, "filter.open", { is: "pasted", text: query }).state;
      expect(reviewIn(filtered).decisions).toBe(reviewIn(done).decisions);
      const cleared = play(filtered, "app.back").state;
      expect(reviewIn(cleared).visible).toEqual(reviewIn(done).visible);
    }),
    { numRuns: 100 },
  );
});

test("a burst of key presses equals single presses, whatever arrives in between", () => {
  fc.assert(
    fc.property(starts, fc.array(pressed, { maxLength: 30, size: "max" }), (start, presses) => {
      const single = presses.reduce((state, action) => update(state, action).state, start);
      const tick = presses.reduce(
        (state, action) => update(update(state, { is: "tick", now: state.now }).state, action).state,
        start,
      );
      expect(tick).toEqual(single);
      expect(contextOf(tick)).toBe(contextOf(single));
    }),
    { numRuns: 100 },
  );
});
