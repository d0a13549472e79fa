/** A click goes to what is drawn there: the place under each row of a list is the one whose name the row shows. */
import { expect, test } from "bun:test";
import { hitTest } from "../../../src/tui/state/hit-test.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { SAMPLES } from "../views/sample-states.ts";

/** Names of the list that has the keys, as far as they are unlike each other. */
function namesOf({ screen, entry, run, review }: State): readonly string[] {
  if (screen === "entry") return (entry.sessions ?? []).map(({ taskId }) => taskId.slice(0, 8));
  if (screen === "run") return (run?.files ?? []).map(({ path }) => endOf(path));
  if (review?.symbols) return (review.symbols.rows ?? []).map(({ qualifiedName }) => ` ${qualifiedName} `);
  return (review?.visible ?? []).map((at) => endOf(review?.files[at]?.path ?? ""));
}

const endOf = (path: string): string => `${path.slice(-9)} `;

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 140, rows: 45 },
];

for (const sample of ["entry-sessions", "run-stages", "run-model", "review", "review-range", "symbols"] as const)
  for (const size of SIZES)
    test(`clicks on ${sample} at ${size.columns}x${size.rows}`, () => {
      const state = { ...SAMPLES[sample], size };
      const names = namesOf(state);
      let clicked = 0;
      screenLines(state).forEach((line, row) => {
        const text = line.map((piece) => piece.text).join("");
        for (const column of [2, size.columns - 3]) {
          const at = hitTest(state, column, row);
          if (at === null) continue;
          expect(text).toContain(names[at] ?? "no such place");
          clicked += 1;
        }
      });
      expect(clicked).toBeGreaterThan(2);
    });

test("clicks next to a list or under an overlay hit nothing", () => {
  expect(hitTest(SAMPLES.review, 2, 0)).toBeNull();
  expect(hitTest(SAMPLES.review, 60, 18)).toBeNull();
  expect(hitTest({ ...SAMPLES.review, size: { columns: 140, rows: 45 } }, 100, 5)).toBeNull();
  expect(hitTest(SAMPLES.help, 2, 5)).toBeNull();
});
