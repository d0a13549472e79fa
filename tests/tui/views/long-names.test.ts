/** Names and paths that are longer than their column stay distinguishable: they differ at the end, and keep it. */
import { expect, test } from "bun:test";
import type { SymbolRow } from "../../../src/tui/state/review-state.ts";
import type { FinderRow, State } from "../../../src/tui/state/state.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { reviewIn } from "../play.ts";
import { SAMPLES } from "./sample-states.ts";

const drawn = (state: State, columns: number): string =>
  screenLines({ ...state, size: { columns, rows: 24 } })
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");

/** The letters of a line that a search matched. */
const matchedIn = (state: State, columns: number, end: string): string => {
  const lines = screenLines({ ...state, size: { columns, rows: 24 } });
  const found =
    lines.find((line) =>
      line
        .map(({ text }) => text)
        .join("")
        .includes(end),
    ) ?? [];
  return found.flatMap(({ text, role }) => (role === "match" ? [text] : [])).join("");
};

const NAMES = ["CHUNK_KEY_PATTERN", "CHUNK_KEY_PLACEHOLDER_PATTERN", "CHUNK_TAG_PLACEHOLDER_PATTERN"];

const symbols = (): State => {
  const state = SAMPLES.symbols;
  const review = reviewIn(state);
  const rows = NAMES.map(
    (name, at): SymbolRow => ({
      qualifiedName: `Fluent.Plugin.Output.${name}`,
      kind: "property",
      startLine: 44 + at,
      endLine: 44 + at,
      tokens: 20,
      tier: "primary",
      detail: "body",
      why: "named",
    }),
  );
  const shown = review.symbols;
  return shown === null ? state : { ...state, review: { ...review, symbols: { ...shown, rows } } };
};

const finder = (rows: readonly FinderRow[]): State => {
  const state = SAMPLES.finder;
  return state.overlay?.is === "finder" ? { ...state, overlay: { ...state.overlay, rows, cursor: 0 } } : state;
};

test("symbols of one class keep the ends of their names, and a kind is whole or absent", () => {
  expect(drawn(symbols(), 80)).toContain("Fluent.Plugin.Output.CHUNK_KEY_PATTERN ");
  for (const name of NAMES) expect(drawn(symbols(), 80)).toContain(`${name} `);
  expect(drawn(symbols(), 80)).not.toContain("pr…");
  expect(drawn(symbols(), 99)).toContain("Fluent.Plugin.Output.CHUNK_KEY_PATTERN  property");
  for (const end of ["_KEY_PATTERN ", "KEY_PLACEHOLDER_PATTERN", "TAG_PLACEHOLDER_PATTERN"])
    expect(drawn(symbols(), 50)).toContain(end.slice(-16));
});

test("the finder keeps the ends of names and paths, and highlights what it matched there", () => {
  const path = ".github/ISSUE_TEMPLATE/bug_report_for_contributors.yaml";
  const name = "Fluent.Plugin.ForwardOutput.next_flush_time";
  const file = "lib/out.rb";
  const label = `${file}:${name}`;
  const at = [...label].flatMap((_, place) => (place >= label.length - 4 ? [place] : []));
  const state = finder([
    { found: { path, name: null, kind: "file" }, at: [] },
    { found: { path: file, name, kind: "method" }, at },
  ]);
  for (const columns of [40, 60, 80]) {
    expect(drawn(state, columns)).toContain("contributors.yaml");
    expect(drawn(state, columns)).toContain("flush_time");
    expect(matchedIn(state, columns, "flush_time")).toBe("time");
  }
});
