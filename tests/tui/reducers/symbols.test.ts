/** The symbols of one file: when they arrive, and what marking one says. */
import { expect, test } from "bun:test";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import { pathAt, play, reviewing } from "../play.ts";

test("an outline that arrives after its file was left changes nothing", () => {
  const left = play(reviewing(2), "symbols.open", "app.back").state;
  const other = play(reviewing(2), "symbols.open").state;
  expect(play(other, { is: "outline-loaded", path: pathAt(1), symbols: [] }).state).toEqual(other);
  expect(play(left, { is: "outline-loaded", path: pathAt(0), symbols: [] }).state).toEqual(left);
});

test("a definition of a rejected file that is asked for is said to stay out, in the finder and among the symbols", () => {
  const rejected = "Its file is rejected, so nothing of it ships: + in the list accepts the file.";
  const rows = [{ found: { path: pathAt(0), name: "f0", kind: "function" }, at: [] }];
  const answer = { is: "found", query: "", rows, matches: 1, of: 9 } as const;
  const outline = [{ qualifiedName: "f0", kind: "function", startLine: 3, endLine: 5, tokens: 10 }];
  const open = ["symbols.open", { is: "outline-loaded", path: pathAt(0), symbols: outline }] as const;
  const marked = play(reviewing(3), "mark.reject").state;
  const earlier = reviewing(3, { constraints: { ...NO_CONSTRAINTS, rejected_files: [pathAt(0)] } });
  for (const state of [marked, earlier]) {
    const added = play(state, "finder.open", answer, "finder.add").state;
    expect(added.message?.text).toBe(`Added ${pathAt(0)}:f0. ${rejected}`);
    expect(play(added, "mark.accept", "finder.open", answer, "finder.add").state.message?.text).not.toContain(rejected);
    const body = play(state, ...open, "symbol.cycle");
    expect(body.state.message?.text).toBe(rejected);
    expect(play(body.state, "symbol.cycle", "symbol.cycle").state.message).toBeNull();
  }
  expect(play(reviewing(3), ...open, "symbol.cycle").state.message).toBeNull();
});
