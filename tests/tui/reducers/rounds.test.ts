import { describe, expect, test } from "bun:test";
import type { ContextPackage } from "../../../src/retrieval/model/package-schema.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { OPEN_CHANGES } from "../../../src/tui/reducers/changes.ts";
import { taskToResume } from "../../../src/tui/reducers/sessions.ts";
import type { Action } from "../../../src/tui/state/actions.ts";
import { draftOf } from "../../../src/tui/state/draft.ts";
import { unappliedChanges } from "../../../src/tui/state/refinement-request.ts";
import type { Round } from "../../../src/tui/state/review-state.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { beginning, noticed, pathAt, pathIn, pathsIn, play, reviewIn, reviewing, roundOf, typing } from "../play.ts";

const CHANGES = { since_round: 1, added: [], dropped: [], promoted: [], demoted: [], left_out: 0 };

function changed(change: Partial<Round>): Round {
  const round = roundOf(6, { number: 2, ...change });
  const pkg: ContextPackage = { ...round.package, provenance: { ...round.package.provenance, changes: CHANGES } };
  return { ...round, package: pkg };
}

const screenText = (state: State): string =>
  screenLines(state)
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");

const finish = (state: State, round: Round): State =>
  play(state, { is: "finished", run: state.run?.id ?? 0, round }).state;

test("marks, additions, the note and the budget are one request", () => {
  const found = { path: "lib/new.ts", name: "Shop.open", kind: "method" };
  const asked = play(
    reviewing(6),
    "mark.accept",
    "list.next",
    "mark.reject",
    "finder.open",
    { is: "found", query: "", rows: [{ found, at: [] }], matches: 1, of: 1 },
    "finder.add",
    "notes.open",
    typing("too much of the  view"),
    "notes.set",
    "budget.open",
    "text.clear",
    typing("2_000"),
    "budget.set",
    "package.refine",
  );
  expect(noticed(asked).at(-1)).toEqual({
    do: "refine",
    run: 2,
    taskId: "0123456789abcdef",
    request: {
      reason: "too much of the view",
      accepted_files: [pathAt(0)],
      rejected_files: [pathAt(1)],
      missing_symbols: ["lib/new.ts:Shop.open"],
    },
    budget: 2_000,
    coverage: null,
  });
  expect([asked.state.screen, asked.state.run?.kind]).toEqual(["run", "refine"]);
});

test("the names of a request are sorted, in whatever order they were marked", () => {
  const asked = play(reviewing(4), "list.last", "mark.accept", "list.first", "mark.accept", "package.refine");
  expect(noticed(asked).at(-1)).toMatchObject({ request: { accepted_files: [pathAt(0), pathAt(3)] } });
});

test("an empty request is not sent", () => {
  const asked = play(reviewing(3), "mark.accept", "mark.undo", "package.refine");
  expect(noticed(asked)).toEqual([]);
  expect(asked.state.message?.text).toContain("Nothing to refine");
  expect(asked.state.message?.kind).toBe("info");
  // Whoever has edited a file wants the same task again.
  expect(asked.state.message?.text).toContain("After an edit, t and enter run the task again.");
  const noted = play(reviewing(3), "notes.open", typing("n"), "notes.set", "package.refine");
  expect([noticed(noted), noted.state.message?.text]).toEqual([
    [],
    expect.stringMatching(/^A note alone changes nothing: /),
  ]);
  const budget = play(reviewing(3), "budget.open", typing("0"), "budget.set", "package.refine");
  expect(noticed(budget).at(-1)).toMatchObject({ do: "refine", request: {}, budget: 10_000 });
});

test("an invalid request is refused with a message, and the marks stay", () => {
  const many = play(reviewing(1_200), "mark.all", "package.refine");
  expect(noticed(many)).toEqual([]);
  expect([many.state.screen, many.state.message?.text]).toEqual([
    "review",
    expect.stringContaining("accepted_files has more than 1000 entries"),
  ]);
  expect(reviewIn(many.state).decisions.files.size).toBe(1_200);
});

test("a new round applies the decisions, shows its changes, and keeps the layout", () => {
  const asked = play(
    reviewing(6),
    "reason.toggle",
    "filter.open",
    typing("'part-1"),
    "filter.keep",
    "list.next",
    "mark.accept",
    "package.refine",
  ).state;
  const constraints = { ...roundOf(1).constraints, accepted_files: [pathAt(4)] };
  const next = finish(asked, changed({ constraints }));
  const review = reviewIn(next);
  expect([next.screen, next.overlay]).toEqual(["review", OPEN_CHANGES]);
  expect([review.decisions.files.size, review.decisions.undo.length, review.constraints.accepted_files]).toEqual([
    0,
    0,
    [pathAt(4)],
  ]);
  expect([review.filter.text, review.shows.reasons, pathIn(next)]).toEqual(["'part-1", false, pathAt(4)]);
  expect(pathsIn(next)).toEqual([pathAt(1), pathAt(4)]);
});

test("what earlier rounds asked for is named after a plain run, and applied or forgotten on request", () => {
  const plain = reviewing(6, { number: 3, notApplied: "rejected: a.py" });
  expect(plain.message?.text).toBe(
    "Earlier rounds asked for more (rejected: a.py). Press A to apply it, D to forget it.",
  );
  expect(play(plain, "changes.open").state.message?.text).toBe(
    "Nothing to compare: round 3 did not refine an earlier one. Mark files, and it says what the next one would change.",
  );
  const asked = play(plain, "mark.accept", "constraints.keep");
  expect(noticed(asked).at(-1)).toMatchObject({
    do: "refine",
    standing: "keep",
    request: { accepted_files: [pathAt(0)] },
  });
  expect(noticed(play(plain, "constraints.drop")).at(-1)).toMatchObject({
    do: "refine",
    standing: "drop",
    request: {},
  });
  const none = play(reviewing(6), "constraints.keep");
  expect([noticed(none), none.state.message?.text]).toEqual([
    [],
    "Earlier rounds asked for nothing that this one does not apply.",
  ]);
  expect(play(reviewing(6), "changes.open").state.message?.text).toBe(
    "Nothing to compare: this is the first round. Mark files, and it says what the next one would change.",
  );
});

test("any number of rounds can follow, each from the one before", () => {
  let state = reviewing(6);
  for (let number = 2; number < 8; number += 1) {
    const asked = play({ ...state, overlay: null }, "mark.cycle", "package.refine");
    expect(noticed(asked).at(-1)).toMatchObject({ do: "refine", run: number });
    state = finish(asked.state, changed({ number }));
  }
  expect(reviewIn(state).round?.number).toBe(7);
});

test("a budget is undone and redone like a mark", () => {
  const set = play(reviewing(3), "mark.accept", "budget.open", "text.clear", typing("5000"), "budget.set").state;
  const undone = play(set, "mark.undo").state;
  expect([undone.message?.text, unappliedChanges(reviewIn(undone))]).toEqual([
    "The budget of the next round is 1,000 tokens.",
    "1 mark is not applied to round 1 yet; press r to refine",
  ]);
  const redone = play(undone, "mark.redo", "package.refine");
  expect(noticed(redone).at(-1)).toMatchObject({ do: "refine", budget: 5_000 });
  expect(reviewIn(play(undone, "mark.undo").state).decisions.files.size).toBe(0);
});

test("the budget must be a number of tokens not below the floor", () => {
  const open = play(reviewing(2), "budget.open").state;
  expect(open.overlay).toMatchObject({ value: { text: "1000" } });
  const typed = (text: string) => play(open, "text.clear", typing(text), "budget.set").state;
  for (const wrong of ["", "abc", "0", "1.5", "10000001", "-5"])
    expect([wrong, typed(wrong).overlay]).toEqual([
      wrong,
      expect.objectContaining({ problem: expect.stringContaining("whole number") }),
    ]);
  expect(typed("99").overlay).toMatchObject({ problem: expect.stringContaining("is 100") });
  expect([typed("5,000").overlay, reviewIn(typed("5,000")).decisions.budget]).toEqual([null, 5_000]);
  expect(reviewIn(typed("1000")).decisions.budget).toBeNull();
  expect(play(typed("99"), typing("9")).state.overlay).toMatchObject({ problem: null });
});

test("a note that is not saved is dropped", () => {
  const left = play(reviewing(2), "notes.open", typing("x"), "app.back").state;
  expect([left.overlay, reviewIn(left).notes]).toEqual([null, ""]);
});

test("the symbols pane shows how the package includes each symbol, and cycles its mark", () => {
  const outline = [
    { qualifiedName: "f0", kind: "function", startLine: 3, endLine: 5, tokens: 99 },
    { qualifiedName: "other", kind: "function", startLine: 9, endLine: 9, tokens: null },
  ];
  const open = play(reviewing(2), "symbols.open", { is: "outline-loaded", path: pathAt(0), symbols: outline });
  expect(noticed(open)).toEqual([{ do: "load-outline", path: pathAt(0) }]);
  expect(
    reviewIn(open.state).symbols?.rows?.map(({ qualifiedName, tier, detail, tokens }) => [
      qualifiedName,
      tier,
      detail,
      tokens,
    ]),
  ).toEqual([
    ["f0", "primary", "body", 10],
    ["other", null, null, null],
  ]);
  const inner = { qualifiedName: "f0.inner", kind: "function", startLine: 4, endLine: 4, tokens: 5 };
  const nested = play(open.state, { is: "outline-loaded", path: pathAt(0), symbols: [...outline, inner] });
  expect(reviewIn(nested.state).symbols?.rows?.at(-1)).toMatchObject({ tier: null, detail: "body", tokens: 5 });
  const wished = play(
    open.state,
    "symbol.cycle",
    "symbol.cycle",
    "list.next",
    "symbol.cycle",
    "symbol.cycle",
    "symbol.cycle",
  );
  expect(noticed(play(wished.state, "package.refine")).at(-1)).toMatchObject({
    request: { as_signature: [`${pathAt(0)}:f0`], left_out: [`${pathAt(0)}:other`] },
  });
  expect(reviewIn(play(wished.state, "symbol.cycle").state).decisions.symbols.size).toBe(1);
  expect(reviewIn(play(wished.state, "mark.undo", "mark.undo").state).decisions.symbols.size).toBe(2);
  expect(reviewIn(play(wished.state, "app.back").state).symbols).toBeNull();
});

test("the finder searches at each change of the query, and adds only results for it", () => {
  const row = { found: { path: "new.ts", name: null, kind: "file" }, at: [] };
  const open = play(reviewing(3), "finder.open", typing("ne"));
  expect(noticed(open).map((effect) => (effect.do === "find" ? effect.query : effect.do))).toEqual(["", "n", "ne"]);
  const late = play(open.state, { is: "found", query: "n", rows: [row], matches: 1, of: 9 }, "finder.add").state;
  expect(late.overlay?.is).toBe("finder");
  const added = play(late, { is: "found", query: "ne", rows: [row], matches: 1, of: 9 }).state;
  expect([added.overlay, pathIn(added), added.message?.text]).toEqual([null, "new.ts", "Added new.ts."]);
  expect(pathsIn(play(added, "mark.undo").state)).not.toContain("new.ts");
});

test("while it searches, the finder says so", () => {
  const open = play(reviewing(3), "finder.open", typing("n")).state;
  expect(screenText(open)).toContain("searching…");
  const answered = play(open, { is: "found", query: "n", rows: [], matches: 0, of: 2 }).state;
  expect(screenText(answered)).not.toContain("searching");
  expect(screenText(answered)).toContain("Nothing in the index matches");
});

test("an older result never replaces that of the current query", () => {
  const row = (path: string) => ({ found: { path, name: null, kind: "file" }, at: [] });
  const open = play(reviewing(3), "finder.open", typing("n"), {
    is: "found",
    query: "n",
    rows: [row("n")],
    matches: 1,
    of: 2,
  });
  const after = play(open.state, { is: "found", query: "", rows: [row("a"), row("n")], matches: 2, of: 2 }).state;
  expect(after).toEqual(open.state);
});

test("a task that is run again has the marks that were left without being applied", () => {
  const left = play(reviewing(3), "mark.accept", "filter.open", typing("file"), "filter.keep").state;
  const draft = draftOf(left);
  const again = (begun: State, number: number): State =>
    play(begun, { is: "finished", run: 1, round: roundOf(3, { number }), draft }).state;
  const next = again(beginning({ task: "fix it" }), 3);
  expect([...reviewIn(next).decisions.files]).toEqual([[pathAt(0), "accepted"]]);
  expect([reviewIn(next).filter.text, next.message?.text]).toEqual([
    "",
    "The marks that you left are back. Press r to apply them, u to take them back.",
  ]);
  expect(reviewIn(play(next, "mark.undo").state).decisions.files.size).toBe(0);
  // What is decided about a run that was stopped comes first.
  const considered = {
    event: "file_considered",
    stage: "scope",
    tier: "ranked",
    score: 1,
    tokens: 9,
    reason: "",
  } as const;
  const events = [0, 1].map((at) => ({ ...considered, path: pathAt(at) }));
  const stopped = play(beginning({ task: "fix it" }), { is: "events", run: 1, events }, { is: "cancelled", run: 1 });
  const rerun = play(stopped.state, "mark.reject", "package.refine", {
    is: "finished",
    run: 2,
    round: roundOf(3),
    draft,
  });
  expect(reviewIn(rerun.state).decisions.files.size).toBe(0);
});

test("rounds made by another process in the meantime are reported", () => {
  const messageOf = (number: number): string | undefined =>
    finish(play(reviewing(3), "mark.accept", "package.refine").state, changed({ number })).message?.text;
  expect([2, 3, 5].map(messageOf)).toEqual([
    undefined,
    "Another process made round 2; this is round 3.",
    "Another process made rounds 2 to 4; this is round 5.",
  ]);
});

test("what a run noticed stays to be read when it has ended, apart from what the review shows anyway", () => {
  const notices = [
    ["refinement-unknown", 'the symbol "Shop.opne" is not in the index'],
    ["enrichment-missing", "enrichment not found; the metadata tier is skipped"],
    ["secrets-redacted", "1 secret is redacted: API key in shop/keys.py; to show them: --allow-secrets"],
  ] as const;
  const events = notices.map(([code, message]) => ({ event: "notice", code, message }) as const);
  const noticing = (state: State): State => play(state, { is: "events", run: state.run?.id ?? 0, events }).state;
  const said =
    'The symbol "Shop.opne" is not in the index. 1 secret is redacted: API key in shop/keys.py; to show them: --allow-secrets.';
  const first = finish(noticing(play(beginning(), typing("fix it"), "task.run").state), roundOf(6));
  expect(first.message).toEqual({ kind: "info", text: said, at: 1_000 });
  expect(play(first, { is: "tick", now: 1_000 + 9_000 }).state.message).not.toBeNull();
  expect(play(first, { is: "tick", now: 1_000 + 11_000 }).state.message).toBeNull();
  const refined = finish(noticing(play(reviewing(3), "mark.accept", "package.refine").state), changed({ number: 3 }));
  expect(refined.message?.text).toBe(`Another process made round 2; this is round 3. ${said}`);
  // What the round before noticed too is no news.
  const { package: pkg } = roundOf(3);
  const known = reviewing(3, { package: { ...pkg, warnings: notices.slice(2).map(([, message]) => message) } });
  const again = finish(noticing(play(known, "mark.accept", "package.refine").state), changed({}));
  expect(again.message?.text).toBe('The symbol "Shop.opne" is not in the index.');
});

test("a stopped run says so, and after an interrupt also what a second one does", () => {
  const asked = play(reviewing(3), "mark.accept", "package.refine").state;
  const messageAfter = (state: State): string => play(state, { is: "cancelled", run: 2 }).state.message?.text ?? "";
  expect(messageAfter(play(asked, "run.cancel").state)).toBe("Stopped.");
  expect(messageAfter(play(asked, "app.interrupt").state)).toBe("Stopped. Press ctrl+c again to quit.");
});

test("far below the budget, no next item to add or evict is shown", () => {
  const next = { path: "next.ts", item: null, tokens: 9 };
  const nothing = { exact: true, enters: [], leaves: [], rejecting: null };
  const shownAt = (tokens: number): string => {
    const result = { ...nothing, tokens, budget: 1_000, nextOut: next, nextIn: next };
    const { state } = play(reviewing(3), { is: "dry-run-finished", id: 1, result });
    return screenText({ ...state, size: { columns: 120, rows: 40 } });
  };
  expect(shownAt(899)).not.toContain("drops first");
  expect(shownAt(900)).toContain("drops first");
});

test("from a hundred columns on, the result of the marks is shown in full next to their counts", () => {
  const marked = play(reviewing(9), "mark.accept", "list.next", "mark.reject").state;
  const move = { path: "next.ts", item: null, tokens: 9 };
  const result = {
    tokens: 32_467,
    budget: 32_768,
    exact: true,
    leaves: [move],
    nextOut: null,
    nextIn: null,
    rejecting: null,
  };
  const id = reviewIn(marked).dryRun.requested;
  const answered = play(marked, { is: "dry-run-finished", id, result: { ...result, enters: [move, move] } }).state;
  for (const columns of [100, 110, 119, 120])
    expect(screenText({ ...answered, size: { columns, rows: 30 } })).toMatch(
      / next (?:round )?32,467.* · 2 in, 1 out.* +1 accepted, 1 rejected /,
    );
});

test("keys pressed before their rows arrive are buffered, and all count", () => {
  const row = (path: string) => ({ found: { path, name: null, kind: "file" }, at: [] });
  const answer = { is: "found", query: "ne", rows: [row("a"), row("b")], matches: 2, of: 9 } as const;
  const burst = play(reviewing(3), "finder.open", typing("ne"), "list.next", "finder.add", typing("-"));
  expect([burst.state.overlay?.is, reviewIn(burst.state).decisions.files.size]).toEqual(["finder", 0]);
  const early = play(burst.state, { ...answer, query: "n" }).state;
  expect(reviewIn(early).decisions.files.size).toBe(0);
  const after = play(early, answer).state;
  expect([after.overlay, [...reviewIn(after).decisions.files], after.input.queue]).toEqual([
    null,
    [["b", "rejected"]],
    [],
  ]);
  const slow = play(reviewing(3), "finder.open", typing("ne"), answer, "list.next", "finder.add", typing("-")).state;
  expect(reviewIn(after)).toEqual(reviewIn(slow));
});

test("keys for the symbols of a file wait for its outline; back drops them", () => {
  const symbols = ["a", "b"].map((name) => ({
    qualifiedName: name,
    kind: "function",
    startLine: 1,
    endLine: 1,
    tokens: 1,
  }));
  const burst = play(reviewing(2), "symbols.open", typing("j "), "app.redraw").state;
  const after = play(burst, { is: "outline-loaded", path: pathAt(0), symbols }).state;
  expect([...reviewIn(after).decisions.symbols.values()]).toEqual(["body"]);
  expect(reviewIn(after).symbols?.cursor).toBe(1);
  const left = play(burst, "app.back").state;
  expect([left.input.queue, reviewIn(left).symbols]).toEqual([[], null]);
});

test("after a refinement, the cursor keeps its position on a rejected file and follows any other file", () => {
  const asked = play(reviewing(6), "list.next", "mark.reject", "package.refine").state;
  expect(pathIn(asked)).toBe(pathAt(1));
  const constraints = { ...NO_CONSTRAINTS, rejected_files: [pathAt(1)] };
  const ranked = roundOf(6);
  const scores = ranked.scores.filter(({ path }) => path !== pathAt(1));
  const ships = ranked.ships.filter(({ path }) => path !== pathAt(1));
  const after = finish(asked, changed({ scores, ships, constraints }));
  expect(pathsIn(after).at(-1)).toBe(pathAt(1));
  expect([reviewIn(after).cursor, pathIn(after)]).toEqual([1, pathAt(2)]);
  const other = play(reviewing(6), "list.next", "mark.reject", "list.last", "package.refine").state;
  expect(pathIn(finish(other, changed({ scores, ships, constraints })))).toBe(pathAt(5));
});

describe("a first answer", () => {
  const provisional = {
    files_counted: 9,
    files_parsed: 2,
    index: "none",
    state: "0",
    note: "this is a first answer",
  } as const;
  const firstRound = (): Round => {
    const round = roundOf(6);
    return {
      ...round,
      package: { ...round.package, provenance: { ...round.package.provenance, provisional } },
    };
  };
  const asked = play(beginning(), typing("fix it"), "task.run").state;
  const first = play(asked, { is: "finished", run: 1, round: firstRound() });
  const READY: Action = { is: "index-known", index: { status: "ready", files: 9, headline: "" } };

  test("is shown, and the index is made behind it", () => {
    expect(noticed(first).map((effect) => effect.do)).toContain("index");
    expect(screenText(first.state)).toContain("first answer · indexing");
    const more = play(first.state, { is: "indexing", step: { phase: "parse", done: 3, total: 6 } }).state;
    expect(screenText(more)).toContain("indexing · parsing");
    const again = play(more, "package.refine");
    expect([noticed(again), again.state.message?.text]).toEqual([[], expect.stringContaining("Nothing to refine")]);
  });

  test("becomes final by one key when the index is ready, with the marks", () => {
    const ready = play(first.state, READY).state;
    expect(ready.message?.text).toBe("The index is ready. Press r for the final answer.");
    expect(screenText(play(ready, "list.next").state)).toContain("first answer: r for the final one");
    const wide = play(ready, { is: "resized", size: { columns: 120, rows: 30 } }).state;
    expect(screenText(play(wide, "list.next").state)).toContain(
      "first answer, the index is ready: r for the final one",
    );
    const run = { do: "retrieve", run: 2, task: "fix it", budget: null, coverage: null } as const;
    expect(noticed(play(ready, "package.refine")).at(-1)).toEqual({ ...run, request: {} });
    const marked = play(ready, "mark.accept", "package.refine");
    expect(noticed(marked).at(-1)).toEqual({ ...run, request: { accepted_files: [pathAt(0)] } });
    const final = finish(marked.state, roundOf(6));
    expect([final.index.status, screenText(final).includes("first answer")]).toEqual(["ready", false]);
  });

  test("that is resumed has the index made behind it too", () => {
    const { taskId } = firstRound();
    const resumed = (round: Round) => play(beginning(), { is: "resumed", taskId, task: "fix it", round, draft: null });
    expect(noticed(resumed(firstRound())).map((effect) => effect.do)).toContain("index");
    expect(screenText(resumed(firstRound()).state)).toContain("first answer · indexing");
    expect(noticed(resumed(roundOf(6))).map((effect) => effect.do)).not.toContain("index");
  });

  test("starts no second update, and one that was refused leaves it a first answer", () => {
    const during = play(asked, "app.back").state;
    const indexing = { ...during, index: { ...during.index, status: "indexing" as const } };
    const ended = play(indexing, { is: "finished", run: 1, round: firstRound() });
    expect(noticed(ended).map((effect) => effect.do)).not.toContain("index");
    const index = { status: "failed", files: null, headline: "disk full" } as const;
    const failed = play(first.state, { is: "index-known", index }).state;
    expect(failed.message?.text).toBe("The index is not made: disk full. Press r to run again.");
    expect(screenText(play(failed, "list.next").state)).toContain("first answer, disk full: r runs again");
    expect(noticed(play(failed, "package.refine")).map((effect) => effect.do)).toContain("retrieve");
  });
});

describe("a round that is not recorded", () => {
  const constraints = { ...NO_CONSTRAINTS, accepted_files: [pathAt(0)], rejected_files: [pathAt(4)] };
  const shown = reviewing(6, { isRecorded: false, constraints });

  test("is followed by a run that asks for all that it asked for, and the marks", () => {
    const next = play(shown, "list.next", "mark.reject", "package.refine");
    expect(noticed(next).at(-1)).toEqual({
      do: "retrieve",
      run: 2,
      task: "fix it",
      request: { accepted_files: [pathAt(0)], rejected_files: [pathAt(1), pathAt(4)] },
      budget: shown.review?.round?.package.budget ?? 0,
      coverage: "auto",
    });
  });

  test("leaves no task to resume", () => {
    expect([taskToResume(shown), taskToResume(reviewing(6))]).toEqual([null, "0123456789abcdef"]);
  });
});
