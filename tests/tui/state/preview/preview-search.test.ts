/** The preview opens at the task's words, finds what is typed, and knows the line that is looked at. */
import { describe, expect, test } from "bun:test";
import { lookedAtLine, matcherOf, previewTop } from "../../../../src/tui/state/preview/preview-search.ts";
import type { PreviewLine } from "../../../../src/tui/state/review-state.ts";
import type { State } from "../../../../src/tui/state/state.ts";
import { fieldOf } from "../../../../src/tui/state/text-field.ts";
import { screenLines } from "../../../../src/tui/views/screen.ts";
import { beginning, play, reviewIn, reviewing, roundOf, typing } from "../../play.ts";

const LINES: readonly PreviewLine[] = Array.from({ length: 80 }, (_, at) => ({
  kind: "code",
  number: at + 1,
  text: at === 40 ? "the Voucher of a cart" : at === 60 ? "one more voucher" : `line ${at + 1}`,
}));

/** A file that is left out, with the text above; its task has the word "voucher". */
function opened() {
  const { package: pkg } = roundOf(2);
  const task_query = { ...pkg.task_query, keywords: ["voucher", "of"] };
  const state = reviewing(2, { package: { ...pkg, files: [], task_query }, ships: [] });
  const preview = { path: "src/part-0/file-000.ts", language: "python", lines: LINES };
  return play(state, "leftout.toggle", { is: "preview-loaded", preview }).state;
}

describe("a preview", () => {
  test("opens with the first match in sight, and at the top where that is", () => {
    expect(previewTop(reviewIn(opened()), 20)).toBe(37);
    expect(previewTop(reviewIn(opened()), 60)).toBe(0);
  });

  test("opens at the line that a stack trace names, and so does the editor; what is searched for comes first", () => {
    const { review, ...state } = opened();
    const [score] = review?.round?.scores ?? [];
    if (review?.round == null || score === undefined) throw new Error("there is no scored file");
    const round = { ...review.round, scores: [{ ...score, tracedLine: 61 }] };
    const traced = { ...state, review: { ...review, round } };
    expect([previewTop(reviewIn(traced), 20), lookedAtLine(reviewIn(traced), 20)]).toEqual([57, 61]);
    const scrolled = play(traced, "pane.switch", "page.down").state;
    expect(lookedAtLine(reviewIn(scrolled), 20)).toBe(59);
    const typed = play(traced, "pane.switch", "preview.search", typing("the vou")).state;
    expect(lookedAtLine(reviewIn(typed), 20)).toBe(41);
    const gone = { ...state, review: { ...review, round: { ...round, scores: [{ ...score, tracedLine: 400 }] } } };
    expect(previewTop(reviewIn(gone), 20)).toBe(37);
  });

  test("of a stopped run opens at the first definition that was chosen, and so does the editor", () => {
    const path = "src/part-0/file-000.ts";
    const considered = { event: "file_considered", stage: "scope", path, tier: "ranked", score: 1, tokens: 9 } as const;
    const placed = { event: "symbol_placed", stage: "precision", path, kind: "function", score: 1 } as const;
    const chosen = [61, 51].map((line) => ({ ...placed, name: `f${line}`, line, tier: "primary", reason: "" }));
    const events = [
      { ...considered, reason: "" },
      { ...placed, name: "f", line: 5, tier: "excluded", reason: "" },
    ];
    const stopped = play(
      beginning({ task: "fix it" }),
      { is: "events", run: 1, events: [...events, ...chosen] },
      { is: "cancelled", run: 1 },
      { is: "preview-loaded", preview: { path, language: "python", lines: LINES } },
    ).state;
    expect([previewTop(reviewIn(stopped), 20), lookedAtLine(reviewIn(stopped), 20)]).toEqual([47, 51]);
    const none = play(stopped, "match.next").state;
    expect(none.message?.text).toBe("There is no package yet, so there are no matches: / searches for a text.");
  });

  test("marks words of three letters or more, in any case; a query in lower case too", () => {
    const review = reviewIn(opened());
    expect(matcherOf(review)("of a Voucher")).toEqual([{ from: 5, to: 12 }]);
    const asked = (text: string) => matcherOf({ ...review, preview: { ...review.preview, query: fieldOf(text) } });
    expect(asked("of")("OF of")).toEqual([
      { from: 0, to: 2 },
      { from: 3, to: 5 },
    ]);
    expect(asked("Of")("of Of")).toEqual([{ from: 3, to: 5 }]);
  });

  test("goes from match to match and around, and the editor opens where it is", () => {
    const first = play(opened(), "match.next").state;
    expect(lookedAtLine(reviewIn(first), 20)).toBe(41);
    const second = play(first, "match.next").state;
    expect(lookedAtLine(reviewIn(second), 20)).toBe(61);
    expect(lookedAtLine(reviewIn(play(second, "match.next").state), 20)).toBe(41);
    expect(lookedAtLine(reviewIn(play(first, "match.previous").state), 20)).toBe(61);
    expect(play(second, "file.edit").effects).toContainEqual({
      do: "edit-file",
      path: "src/part-0/file-000.ts",
      line: 61,
    });
  });

  test("scrolls sideways to a match beyond the edge, and back where one is in sight without", () => {
    const lines = LINES.map((line, at) =>
      at === 40 ? { ...line, text: `${"\t".repeat(30)}the Voucher of a cart` } : line,
    );
    const preview = { path: "src/part-0/file-000.ts", language: "python", lines };
    const far = play(opened(), { is: "preview-loaded", preview }, "match.next", "pane.switch").state;
    const seen = (state: State): boolean =>
      screenLines(state).some((line) => line.some(({ text }) => text === "Voucher" || text === "voucher"));
    expect([lookedAtLine(reviewIn(far), 20), seen(far)]).toEqual([41, true]);
    const near = play(far, "match.next").state;
    expect([lookedAtLine(reviewIn(near), 20), reviewIn(near).preview.left, seen(near)]).toEqual([61, 0, true]);
    expect(reviewIn(play(far, "preview.wrap", "match.next", "match.previous").state).preview.left).toBe(0);
  });

  test("searches what is typed as it is typed, keeps it, and esc clears it before it goes back", () => {
    const typed = play(opened(), "pane.switch", "preview.search", typing("line 7")).state;
    expect(lookedAtLine(reviewIn(typed), 20)).toBe(7);
    const kept = play(typed, "filter.keep", "match.next").state;
    expect(lookedAtLine(reviewIn(kept), 20)).toBe(70);
    const cleared = play(kept, "app.back").state;
    expect([reviewIn(cleared).preview.query.text, reviewIn(cleared).pane]).toEqual(["", "preview"]);
    expect(reviewIn(play(cleared, "app.back").state).pane).toBe("list");
    expect(play(opened(), "pane.switch", "preview.search", typing("zzz"), "filter.keep").state.message?.text).toContain(
      'no "zzz"',
    );
  });
});
