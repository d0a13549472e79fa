import { expect, test } from "bun:test";
import { fileMarkOf } from "../../../src/tui/state/marks.ts";
import { previewOf } from "../../../src/tui/state/preview/preview.ts";
import { requestOf } from "../../../src/tui/state/refinement-request.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { noticed, pathAt, pathIn, pathsIn, play, reviewIn, reviewing, roundOf, typing } from "../play.ts";

const marksIn = (state: State) => pathsIn(state).map((path) => fileMarkOf(reviewIn(state), path) ?? "auto");
const held = { ...roundOf(1).constraints, accepted_files: [pathAt(0)], rejected_files: [pathAt(9)] };

test("a file whose name a request cannot carry is not marked, and an error says so", () => {
  const state = reviewing(4);
  const { review } = state;
  const odd = "src/a\u001bb.ts";
  const files = (review?.files ?? []).map((file, at) => (at === 1 ? { ...file, path: odd } : file));
  const listed: State = { ...state, review: review === null ? null : { ...review, files } };
  const rejected = play(listed, "list.next", "mark.reject").state;
  expect(rejected.review?.decisions.files.size).toBe(0);
  expect(rejected.message?.kind).toBe("error");
  expect(rejected.message?.text).toContain(`${odd} cannot be marked`);
  const all = play(listed, "mark.all").state;
  expect([...(all.review?.decisions.files.keys() ?? [])].toSorted()).toEqual(
    [pathAt(0), pathAt(2), pathAt(3)].toSorted(),
  );
  expect(all.message?.kind).toBe("error");
});

test("marks beyond the limit of a request stay, and each shows an error", () => {
  const all = play(reviewing(1_001), "mark.all");
  expect(reviewIn(all.state).decisions.files.size).toBe(1_001);
  expect(all.state.message?.text).toContain("accepted_files has more than 1000 entries");
  expect(all.effects.some((effect) => effect.do === "dry-run")).toBe(false);
  const fewer = play({ ...all.state, message: null }, "mark.reject");
  expect(fewer.state.message).toBeNull();
  expect(fewer.effects.filter((effect) => effect.do === "dry-run")).toHaveLength(1);
});

test("the mark key cycles from auto to accepted to rejected and back, and moves on", () => {
  const once = play(reviewing(3), "mark.cycle").state;
  expect(marksIn(once)).toEqual(["accepted", "auto", "auto"]);
  expect(pathIn(once)).toBe(pathAt(1));
  const twice = play(once, "list.previous", "mark.cycle").state;
  expect(marksIn(twice)).toEqual(["rejected", "auto", "auto"]);
  expect(marksIn(play(twice, "list.previous", "mark.cycle").state)).toEqual(["auto", "auto", "auto"]);
});

test("a file accepted in an earlier round can only be rejected", () => {
  const start = reviewing(2, { constraints: held });
  expect(marksIn(start)).toEqual(["accepted", "auto", "rejected"]);
  const rejected = play(start, "mark.cycle").state;
  expect(marksIn(rejected)[0]).toBe("rejected");
  const back = play(rejected, "list.first", "mark.cycle").state;
  expect(marksIn(back)[0]).toBe("accepted");
  expect(reviewIn(back).decisions.files.size).toBe(0);
});

test("a file rejected in an earlier round stays listed, so it can be accepted again", () => {
  const start = reviewing(2, { constraints: held });
  expect(pathsIn(start)).toEqual([pathAt(0), pathAt(1), pathAt(9)]);
  const taken = play(start, "list.last", "mark.accept").state;
  expect(requestOf(reviewIn(taken))).toEqual({ accepted_files: [pathAt(9)] });
});

test("the mark key accepts a rejected file and rejects it again", () => {
  const start = play(reviewing(2, { constraints: held }), "list.last", "mark.cycle").state;
  expect(marksIn(start).at(-1)).toBe("accepted");
  expect(reviewIn(play(start, "list.last", "mark.cycle").state).decisions.files.size).toBe(0);
});

test("after marking a range, the cursor stays at its end", () => {
  const start = play(reviewing(6), "mark.range", "list.next", "list.next", "mark.cycle").state;
  expect([reviewIn(start).cursor, marksIn(start).slice(0, 4)]).toEqual([
    2,
    ["accepted", "accepted", "accepted", "auto"],
  ]);
});

test("a range is marked in one undo step, in either direction, and then ends", () => {
  const start = play(reviewing(6), "list.last", "mark.range", "list.previous", "list.previous", "mark.reject").state;
  expect(marksIn(start)).toEqual(["auto", "auto", "auto", "rejected", "rejected", "rejected"]);
  expect(reviewIn(start).rangeFrom).toBeNull();
  expect(marksIn(play(start, "mark.undo").state)).toEqual(Array(6).fill("auto"));
});

test("one key accepts all listed files and clears them again; other files are unchanged", () => {
  const filtered = play(reviewing(6), "filter.open", typing("'part-0"), "filter.keep", "mark.all").state;
  expect(marksIn(filtered)).toEqual(["accepted", "accepted"]);
  const shown = play(filtered, "app.back").state;
  expect(marksIn(shown)).toEqual(["accepted", "auto", "auto", "accepted", "auto", "auto"]);
  expect(marksIn(play(filtered, "mark.all", "app.back").state)).toEqual(Array(6).fill("auto"));
});

test("text pasted into the filter is one line", () => {
  const pasted = play(reviewing(9), "filter.open", { is: "pasted", text: "'part-0\n!6" }).state;
  expect([reviewIn(pasted).filter.text, pathsIn(pasted)]).toEqual(["'part-0 !6", [pathAt(0), pathAt(3)]]);
});

test("inverting swaps accepted and rejected and leaves the rest", () => {
  const start = play(reviewing(3), "mark.accept", "list.next", "mark.reject", "mark.invert").state;
  expect(marksIn(start)).toEqual(["rejected", "accepted", "auto"]);
});

test("the filter puts the best match first with the cursor on it, and is cleared by back", () => {
  const start = play(reviewing(9), "list.next", "list.next", "list.next", "filter.open", typing("'part-0 !6")).state;
  expect(pathsIn(start)).toEqual([pathAt(0), pathAt(3)]);
  expect(pathIn(start)).toBe(pathAt(0));
  const best = play(reviewing(9), "filter.open", typing("7.ts")).state;
  expect([pathIn(best), reviewIn(best).cursor]).toEqual([pathAt(7), 0]);
  const left = play(start, "list.next", "app.back").state;
  expect(left.overlay).toBeNull();
  expect(pathsIn(left)).toHaveLength(9);
  expect(pathIn(left)).toBe(pathAt(3));
});

test("in the filter, arrows move in the list and letters are text", () => {
  const start = play(reviewing(9), "filter.open", typing("j"), "list.next").state;
  expect(reviewIn(start).filter.text).toBe("j");
  const moved = play(reviewing(9), "filter.open", typing("file"), "list.next", "filter.keep").state;
  expect(moved.overlay).toBeNull();
  expect(reviewIn(moved).cursor).toBe(1);
});

test("undo moves to what it changed, and says when there is nothing", () => {
  const start = play(reviewing(5), "list.last", "mark.accept", "list.first", "mark.undo").state;
  expect(pathIn(start)).toBe(pathAt(4));
  expect(marksIn(start)).toEqual(Array(5).fill("auto"));
  expect(play(start, "mark.undo").state.message?.text).toBe("Nothing to undo.");
  expect(marksIn(play(start, "mark.redo").state).at(-1)).toBe("accepted");
});

test("undoing a change that the filter hides shows a message", () => {
  const start = play(reviewing(6), "mark.accept", "filter.open", typing("'part-1"), "filter.keep", "mark.undo").state;
  expect(start.message?.text).toBe(`Changed ${pathAt(0)}, which is not in the list.`);
  expect(reviewIn(start).decisions.files.size).toBe(0);
});

test("back ends one thing at a time: the range, then the filter, then nothing", () => {
  const start = play(reviewing(6), "filter.open", typing("file"), "filter.keep", "mark.range").state;
  const once = play(start, "app.back").state;
  expect([reviewIn(once).rangeFrom, reviewIn(once).filter.text]).toEqual([null, "file"]);
  expect(reviewIn(play(once, "app.back").state).filter.text).toBe("");
});

test("the preview of a file outside the package is requested once", () => {
  const moved = play(
    play(
      reviewing(4, {}, (at) => at !== 1),
      "leftout.toggle",
    ).state,
    "list.last",
  );
  expect(noticed(moved)).toEqual([{ do: "load-preview", path: pathAt(1) }]);
  const loaded = play(moved.state, {
    is: "preview-loaded",
    preview: { path: pathAt(1), language: "typescript", lines: [{ kind: "code", number: 1, text: "x" }] },
  });
  expect(noticed(play(loaded.state, "mark.accept", "list.previous", "list.next"))).toEqual([]);
});

test("a preview that comes late does not replace that of the file under the cursor", () => {
  const loaded = (at: number) =>
    ({
      is: "preview-loaded",
      preview: { path: pathAt(at), language: "typescript", lines: [{ kind: "code", number: 1, text: `${at}` }] },
    }) as const;
  const files = reviewing(4, {}, (at) => at !== 1 && at !== 2);
  const last = play(play(files, "leftout.toggle").state, "list.last", loaded(2)).state;
  const back = play(last, "list.previous", "list.next", loaded(1)).state;
  expect(previewOf(reviewIn(back))?.lines.map(({ text }) => text)).toEqual(["2"]);
});

test("the preview scrolls within its lines and starts at the top for another file", () => {
  const start = play(reviewing(3), "preview.down", "preview.down", "preview.down", "preview.down").state;
  expect(reviewIn(start).preview.top).toBe(3);
  expect(reviewIn(play(start, "preview.up").state).preview.top).toBe(2);
  expect(reviewIn(play(start, "list.next").state).preview.top).toBeNull();
});

test("every change of the request starts a dry run; moving starts one for the file", () => {
  const start = reviewing(4);
  const asked = play(start, "mark.reject", "list.next").effects.filter((effect) => effect.do === "dry-run");
  expect(asked.map(({ request, rejecting }) => [request, rejecting])).toEqual([
    [{ rejected_files: [pathAt(0)] }, pathAt(0)],
    [{ rejected_files: [pathAt(0)] }, pathAt(1)],
  ]);
  expect(play(start, "reason.toggle", "pane.switch").effects).toEqual([]);
});

test("a dry run of older marks is shown until the newest result arrives, and never after it", () => {
  const start = play(reviewing(4), "mark.reject", "mark.reject", "list.next").state;
  const newest = reviewIn(start).dryRun.requested;
  const result = {
    tokens: 1,
    budget: 2,
    exact: true,
    enters: [],
    leaves: [],
    nextOut: null,
    nextIn: null,
    rejecting: null,
  };
  const older = play(start, { is: "dry-run-finished", id: newest - 1, result }).state;
  expect(reviewIn(older).dryRun.result?.tokens).toBe(1);
  const answered = play(older, { is: "dry-run-finished", id: newest, result: { ...result, tokens: 3 } }).state;
  const late = play(answered, { is: "dry-run-finished", id: newest - 1, result }).state;
  expect(reviewIn(late).dryRun.result?.tokens).toBe(3);
});

test("a file opens in the editor at the first line that the package shows", () => {
  expect(noticed(play(reviewing(2), "file.edit"))).toEqual([{ do: "edit-file", path: pathAt(0), line: 3 }]);
  expect(noticed(play(reviewing(2), "copy.path"))).toEqual([{ do: "copy", text: pathAt(0), what: "the path" }]);
});

test("where nothing is left out, there is nothing to list", () => {
  const whole = reviewing(3);
  const asked = play(whole, "leftout.toggle").state;
  expect([asked.message?.text, reviewIn(asked).shows.leftOut]).toEqual(["Nothing that matches is left out.", false]);
  const part = reviewing(3, {}, (at) => at < 2);
  expect(reviewIn(play(part, "leftout.toggle").state).shows.leftOut).toBe(true);
});
