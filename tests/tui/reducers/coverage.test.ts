/** Widening and narrowing: the next coverage, what it changes, undo, the next round, and the draft. */
import { expect, test } from "bun:test";
import { OPEN_CHANGES } from "../../../src/tui/reducers/changes.ts";
import { draftOf, readDraft } from "../../../src/tui/state/draft.ts";
import type { DryRun } from "../../../src/tui/state/review-state.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { noticed, pathAt, play, reviewIn, reviewing as reviewingAll, roundOf } from "../play.ts";

/** The package shows every second file. */
const reviewing = (files: number): State => reviewingAll(files, {}, (at) => at % 2 === 0);
const coverageIn = (state: State) => reviewIn(state).decisions.coverage;
const screenText = (state: State): string =>
  screenLines({ ...state, size: { columns: 120, rows: 30 } })
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");

const GIVES: DryRun = {
  tokens: 90,
  budget: 1_000,
  exact: true,
  enters: [
    { path: pathAt(1), item: "f1", tokens: 31 },
    { path: "lib/new.ts", item: null, tokens: 29 },
  ],
  leaves: [],
  nextOut: null,
  nextIn: null,
  rejecting: null,
};
const answered = (state: State, result: DryRun = GIVES): State =>
  play(state, { is: "dry-run-finished", id: reviewIn(state).dryRun.requested, result }).state;

test("a key widens and one narrows by a level, which a dry run packs and the next round applies", () => {
  const wider = play(reviewing(6), "coverage.widen");
  expect(coverageIn(wider.state)).toBe(0.9);
  expect(wider.effects).toContainEqual({
    do: "dry-run",
    id: 2,
    request: {},
    budget: null,
    coverage: 0.9,
    rejecting: pathAt(0),
  });
  expect(coverageIn(play(wider.state, "coverage.widen").state)).toBe(1);
  expect(coverageIn(play(reviewing(6), "coverage.narrow").state)).toBe(0.5);
  // That of the round is nothing to apply.
  expect(coverageIn(play(wider.state, "coverage.narrow").state)).toBeNull();
  const asked = play(wider.state, "package.refine");
  expect(noticed(asked).at(-1)).toMatchObject({ do: "refine", request: {}, budget: null, coverage: 0.9 });
});

test("at either end, a message says that there is no more", () => {
  const widest = play(reviewing(6), "coverage.widen", "coverage.widen", "coverage.widen").state;
  expect([coverageIn(widest), widest.message?.text]).toEqual([1, expect.stringContaining("no wider coverage")]);
  const narrowest = play(reviewing(6), "coverage.narrow", "coverage.narrow").state;
  expect([coverageIn(narrowest), narrowest.message?.text]).toEqual([0.5, "There is no narrower coverage."]);
});

test("once it is packed, the level, its tokens and what comes and goes are told; then the status line has them", () => {
  const wider = play(reviewing(6), "coverage.widen").state;
  expect(screenText(wider)).toContain("next round … of 1,000 · coverage 0.9");
  const told = answered(wider);
  expect(told.message?.text).toBe(
    "Coverage 0.9: 90 of 1,000 tokens, 60 more. In: f1 (file-001.ts), 31; lib/new.ts, 29. Press r to apply, u to undo, d for all changes.",
  );
  expect(screenText(answered(play(told, "list.next").state))).toContain(
    "next round 90 of 1,000 · coverage 0.9 · 2 in, 0 out: r applies",
  );
  const less = answered(play(reviewing(6), "coverage.narrow").state, {
    ...GIVES,
    tokens: 10,
    enters: [],
    leaves: GIVES.enters,
  });
  expect(less.message?.text).toContain("Coverage 0.5: 10 of 1,000 tokens, 20 less. Out: f1 (file-001.ts), 31;");
  const same = answered(wider, { ...GIVES, tokens: 30, enters: [] });
  expect(same.message?.text).toBe("Coverage 0.9: the same package, 30 tokens.");
  // A mark is not told; its effect is in the status line.
  expect(answered(play(reviewing(6), "mark.reject").state).message).toBeNull();
});

test("all changes are listed before they are applied, apart from those of the round", () => {
  const open = play(answered(play(reviewing(6), "coverage.widen").state), "changes.open").state;
  expect(open.overlay).toEqual(OPEN_CHANGES);
  const text = screenText(open);
  expect(text).toContain("The next round, not applied yet");
  expect(text).toMatch(/\+ added +f1 in src\/part-1\/file-001\.ts +31 tokens/);
  expect(play(reviewing(6), "changes.open").state.message?.text).toContain("this is the first round");
});

test("it is undone and redone like a mark, and told again", () => {
  const back = play(answered(play(reviewing(6), "mark.accept", "coverage.widen").state), "mark.undo").state;
  expect([coverageIn(back), reviewIn(back).decisions.files.size]).toEqual([null, 1]);
  expect(answered(back, { ...GIVES, tokens: 30, enters: [] }).message?.text).toStartWith("Coverage auto: ");
  expect(coverageIn(play(back, "mark.redo").state)).toBe(0.9);
  // Without another decision, it is the package of the round.
  for (const by of ["mark.undo", "coverage.narrow"] as const)
    expect(play(reviewing(6), "coverage.widen", by).state.message?.text).toBe(
      "Coverage auto again: the package of round 1, 30 tokens.",
    );
});

test("an unapplied coverage is named where the package is taken away, and survives in the draft", () => {
  const wider = play(reviewing(6), "mark.accept", "coverage.widen").state;
  expect(screenText(play(wider, "save.open").state)).toContain(
    "1 mark and the new coverage are not applied to round 1 yet",
  );
  const draft = draftOf(wider);
  expect(draft.coverage).toBe(0.9);
  const resumed = { is: "resumed", taskId: "0123456789abcdef", task: "fix it", round: roundOf(6), draft } as const;
  expect(coverageIn(play(reviewing(6), resumed).state)).toBe(0.9);
  const { coverage: _, ...old } = draft;
  expect(readDraft(JSON.parse(JSON.stringify(old)))?.coverage).toBeNull();
});

test("the line below the package says where packing stopped and why, and what comes next", () => {
  expect(screenText(reviewing(6))).toContain("enough at 30 of 1,000 · next: f1, 31 tokens");
  expect(screenText(reviewing(6))).toContain("30 of 1,000 tokens (3%) · coverage auto, > more < less");
});
