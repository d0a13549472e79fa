/** A click goes to what is drawn there: the place under each row of a list is the one whose name the row shows. */
import { expect, test } from "bun:test";
import { update } from "../../../../src/tui/reducers/update.ts";
import { labelIn } from "../../../../src/tui/state/key-context.ts";
import { hitTest } from "../../../../src/tui/state/layout/hit-test.ts";
import { changeRows, changeSections } from "../../../../src/tui/state/lists/change-list.ts";
import { sessionsListed, symbolsListed } from "../../../../src/tui/state/lists/filtered-lists.ts";
import { helpLines, historyRows, paletteRows } from "../../../../src/tui/state/lists/pages.ts";
import { nameOf } from "../../../../src/tui/state/review-state.ts";
import type { State } from "../../../../src/tui/state/state.ts";
import { screenLines } from "../../../../src/tui/views/screen.ts";
import { SAMPLES } from "../../views/sample-states.ts";

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

/** The names of the rows of an open list, by index. */
function overlayNames(state: State): readonly string[] {
  const { overlay } = state;
  switch (overlay?.is) {
    case "help":
      return helpLines(state).map((line) => (line.is === "command" ? ` ${line.label}` : "a heading"));
    case "palette":
      return paletteRows(state, overlay.query.text).map((name) => labelIn(state, name));
    case "finder":
      return overlay.rows.map(({ found }) => found.name ?? found.path);
    case "history":
      return historyRows(state.entry, overlay.query.text).map((task) => task.split("\n", 1)[0] ?? "");
    case "changes":
      return changeRows(changeSections(state) ?? [], overlay.query.text).map(({ row }) =>
        row.is === "file" ? row.path : (row.item ?? row.path),
      );
    case "rounds":
      return (overlay.rows ?? []).map(({ round }) => `round ${round}`);
    default:
      return [];
  }
}

const OPEN: readonly (readonly [string, State])[] = [
  ...(["help", "palette", "finder", "history", "changes", "rounds"] as const).map(
    (name) => [name, SAMPLES[name]] as const,
  ),
  ["a scrolled help", { ...SAMPLES.help, overlay: { is: "help", top: 9 } }],
];

for (const [name, sample] of OPEN)
  for (const size of SIZES)
    test(`clicks on rows of ${name} at ${size.columns}x${size.rows}`, () => {
      const state = { ...sample, size };
      const names = overlayNames(state);
      const shown = new Set<number>();
      screenLines(state).forEach((line, row) => {
        const target = hitTest(state, Math.floor(size.columns / 2), row);
        if (target?.on !== "overlay row") return;
        expect(line.map((piece) => piece.text).join("")).toContain((names[target.at] ?? "no such row").slice(0, 20));
        shown.add(target.at);
      });
      expect(shown.size).toBeGreaterThan(1);
    });

test("a click in an open list goes to the row, and a second one does what enter does", () => {
  const { state } = update(SAMPLES.palette, { is: "clicked", target: { on: "overlay row", at: 1 } });
  expect(state.overlay).toMatchObject({ is: "palette", cursor: 1 });
  const again = update(state, { is: "clicked", target: { on: "overlay row", at: 1 } });
  expect(again).toEqual(update(state, { is: "pressed", key: "return" }));
  expect(again.state.overlay?.is).not.toBe("palette");
});

test("two quick clicks on a row do what enter does; slow ones, and those on a mark, do not", () => {
  const clicked = (state: State, onMark = false): State =>
    update(state, { is: "clicked", target: { on: "row", at: 1, onMark } }).state;
  const later = (state: State, ms: number): State => update(state, { is: "tick", now: state.now + ms }).state;
  const once = clicked(SAMPLES.review);
  expect([once.review?.cursor, once.review?.symbols]).toEqual([1, null]);
  expect(clicked(later(once, 200)).review?.symbols).not.toBeNull();
  expect(clicked(later(once, 900)).review?.symbols).toBeNull();
  expect(clicked(clicked(SAMPLES.review, true), true).review?.symbols).toBeNull();
  const away = update(once, { is: "clicked", target: { on: "preview" } }).state;
  expect(clicked(away).review?.symbols).toBeNull();
  const session = update(SAMPLES["entry-sessions"], {
    is: "clicked",
    target: { on: "row", at: 0, onMark: false },
  }).state;
  const again = update(session, { is: "clicked", target: { on: "row", at: 0, onMark: false } });
  expect(again.effects.map((effect) => effect.do)).toContain("resume");
});

test("a click on a command of the help runs it", () => {
  const at = helpLines(SAMPLES.help).findIndex((line) => line.is === "command" && line.name === "save.open");
  const { state } = update(SAMPLES.help, { is: "clicked", target: { on: "overlay row", at } });
  expect(state.overlay?.is).toBe("save");
});
