/** A click goes to what is drawn there: the place under each row of a list is the one whose name the row shows. */
import { expect, test } from "bun:test";
import { sessionsListed, symbolsListed } from "../../../src/tui/state/filtered-lists.ts";
import { hitTest } from "../../../src/tui/state/hit-test.ts";
import { nameOf } from "../../../src/tui/state/review-state.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { SAMPLES } from "../views/sample-states.ts";

/** Names of the screen's list, as far as they are unlike each other. */
function namesOf({ screen, entry, run, review }: State): readonly string[] {
  if (screen === "entry") return sessionsListed(entry).map(({ row }) => row.taskId.slice(0, 8));
  if (screen === "run") return (run?.files ?? []).map(({ path }) => endOf(path));
  if (review?.symbols) return symbolsListed(review.symbols).map(({ row }) => ` ${row.qualifiedName} `);
  return (review?.visible ?? []).map((at) => {
    const file = review?.files[at];
    return file === undefined ? "" : endOf(nameOf(file));
  });
}

const endOf = (path: string): string => `${path.slice(-9)} `;

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 140, rows: 45 },
];

for (const sample of [
  "entry-sessions",
  "run-stages",
  "run-model",
  "review",
  "review-left-out",
  "review-filter",
  "review-range",
  "symbols",
] as const)
  for (const size of SIZES)
    test(`clicks on ${sample} at ${size.columns}x${size.rows}`, () => {
      const state = { ...SAMPLES[sample], size };
      const names = namesOf(state);
      let clicked = 0;
      screenLines(state).forEach((line, row) => {
        const text = line.map((piece) => piece.text).join("");
        for (const column of [2, size.columns - 3]) {
          const target = hitTest(state, column, row);
          if (target?.on !== "row") continue;
          expect(text).toContain(names[target.at] ?? "no such place");
          clicked += 1;
        }
      });
      expect(clicked).toBeGreaterThan(2);
    });

test("a click on the sign of a mark, on the count of folded files, and on the preview is each its own", () => {
  const state = { ...SAMPLES.review, size: { columns: 140, rows: 45 } };
  const rows = screenLines(state).map((line) => line.map((piece) => piece.text).join(""));
  const marked = rows.findIndex((row) => row.includes("[+]"));
  expect(hitTest(state, rows[marked]?.indexOf("[+]") ?? 0, marked)).toMatchObject({ on: "row", onMark: true });
  const folded = rows.findIndex((row) => row.includes("left out"));
  expect(hitTest(state, 8, folded)).toEqual({ on: "folded" });
  expect(hitTest(state, 100, 5)).toEqual({ on: "preview" });
});

test("clicks on the header hit nothing, and under an overlay only that", () => {
  expect(hitTest(SAMPLES.review, 2, 0)).toBeNull();
  expect(hitTest(SAMPLES.help, 2, 5)).toEqual({ on: "overlay" });
});
