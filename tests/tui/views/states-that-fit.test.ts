/** What the interface says and offers fits the state: decisions of the next round beside facts of this one, and no package to save without one. */
import { expect, test } from "bun:test";
import type { Changes } from "../../../src/retrieval/model/changes.ts";
import { FORMAT_NAMES } from "../../../src/retrieval/render/formats.ts";
import { NO_CONSTRAINTS } from "../../../src/retrieval/requests/refinement.ts";
import type { Action } from "../../../src/tui/state/actions.ts";
import { helpLines, paletteRows } from "../../../src/tui/state/lists/pages.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { linearLines } from "../../../src/tui/views/linear-view.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { beginning, pathAt, play, reviewIn, reviewing, roundOf } from "../play.ts";

const wide = (state: State): State => ({ ...state, size: { columns: 120, rows: 40 } });
const textOf = (state: State): string =>
  screenLines(wide(state))
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");
const footerOfScreen = (state: State): string => textOf(state).split("\n").at(-1) ?? "";

/** The pane that says why the current file is where it is. */
const whyOf = (state: State): readonly string[] => {
  const lines = textOf(state).split("\n");
  const top = lines.findIndex((line) => line.includes("─ Why ─"));
  const column = lines[top]?.indexOf("╭─ Why") ?? 0;
  return lines.slice(top + 1, -3).map((line) => line.slice(column + 1, -1).trim());
};

const accepted = { constraints: { ...NO_CONSTRAINTS, accepted_files: [pathAt(0)] } };

test("a mark against what an earlier round asked for is said apart from the facts of this round", () => {
  const before = reviewing(4, accepted);
  expect(whyOf(before)[0]).toMatch(/^1 of 3 symbols, accepted earlier · 10 tokens/);
  const rejected = play(before, "mark.reject").state;
  expect(whyOf(rejected).slice(0, 2)).toEqual([
    "rejected in the next round",
    expect.stringMatching(/^1 of 3 symbols, accepted earlier · 10 tokens · 1st/),
  ]);
});

test("rejecting is only weighed for a file that the package shows and that is not rejected yet", () => {
  const frees = (state: State, path: string): State => {
    const { requested } = reviewIn(state).dryRun;
    const result = {
      tokens: 900,
      budget: 1_000,
      exact: true,
      enters: [],
      leaves: [],
      nextOut: null,
      nextIn: null,
      rejecting: { path, frees: 10, enters: [] },
    };
    return play(state, { is: "dry-run-finished", id: requested, result }).state;
  };
  expect(whyOf(frees(reviewing(4), pathAt(0))).join("\n")).toContain("rejecting it frees 10 tokens");
  const rejected = frees(play(reviewing(4), "mark.reject").state, pathAt(0));
  expect(whyOf(rejected)[0]).toBe("rejected in the next round, which frees 10 tokens");
  expect(whyOf(rejected).join("\n")).not.toContain("rejecting it");
  const first = (at: number): boolean => at === 0;
  const hidden = frees(play(reviewing(4, {}, first), "leftout.toggle", "list.next").state, pathAt(1));
  expect(whyOf(hidden).join("\n")).not.toContain("frees");
});

/** A run that has found these files. */
const considered = (paths: readonly string[]): Action => ({
  is: "events",
  run: 1,
  events: [
    { event: "stage_started", stage: "scope" },
    ...paths.map((path, at) => ({
      event: "file_considered" as const,
      stage: "scope",
      path,
      tier: "seed",
      score: 1,
      tokens: at === 0 ? 12 : 0,
      reason: "named",
    })),
  ],
});

/** The partial result of a run that was stopped. */
const stoppedAt = (...paths: readonly string[]): State =>
  play(
    beginning({ task: "fix it" }),
    considered(paths),
    "run.cancel",
    { is: "cancelled", run: 1 },
    { is: "tick", now: 60_000 },
  ).state;
const stopped = stoppedAt(pathAt(0), pathAt(1));

test("files of one name are told apart in a list that cuts their paths", () => {
  const names = ["src/retrieval/retrieve.ts", "src/app/retrieval/retrieve.ts", "src/server/tools/retrieve.ts"];
  const paths = [
    ...names,
    "src/retrieval/retrieve-symbols.ts",
    "src/mcp/tools/retrieve.ts",
    "a/src/retrieval/retrieve.ts",
  ];
  const state = { ...stoppedAt(...paths), size: { columns: 100, rows: 30 } };
  const rows = screenLines(state).map((line) => line.map(({ text }) => text).join(""));
  const listed = rows.flatMap((row) => /\[ \] (\S+)/.exec(row)?.[1] ?? []);
  expect(listed.toSorted()).toEqual([
    "a/…/retrieve.ts",
    "app/…/retrieve.ts",
    "mcp/…/retrieve.ts",
    "server/…trieve.ts",
    "src/…/retrieve.ts",
    "…rieve-symbols.ts",
  ]);
});

test("a stopped run offers to run again, and nothing that needs a package", () => {
  expect(footerOfScreen(stopped)).toContain("r run again");
  expect(footerOfScreen(stopped)).not.toMatch(/refine|save|widen|narrow/);
  const help = helpLines(stopped).flatMap((line) => (line.is === "command" ? [line.label] : []));
  expect(help).toContain("run again");
  expect(
    help.filter((label) => /^(?:refine|save|copy the (?:package|command)|widen|narrow|what changed)/.test(label)),
  ).toEqual([]);
  const palette = play(stopped, "palette.open").state;
  expect(paletteRows(palette, "")).not.toContain("save.open");
  expect(
    linearLines({ ...stopped, look: { ...stopped.look, screenReader: "x" } })
      .map(([span]) => span?.text)
      .join("\n"),
  ).toContain("r run again");
  expect(footerOfScreen(reviewing(4))).toMatch(/r refine.*w save/);
});

test("a stopped run says that nothing was packed, and not that a file is left out", () => {
  expect(textOf(stopped)).toContain("stopped before it finished · there is no package; r runs it again");
  for (const state of [stopped, play(stopped, "list.next").state]) expect(textOf(state)).not.toContain("left out");
});

test("nothing is said to have changed only if the texts of the earlier round are known", () => {
  const none = { since_round: 1, added: [], dropped: [], promoted: [], demoted: [], left_out: 0 };
  const { package: pkg } = roundOf(4);
  const headingOf = (changes: Changes): string => {
    const state = reviewing(4, { package: { ...pkg, provenance: { ...pkg.provenance, changes } } });
    return /since round 1: ([\w ]*\w)/.exec(textOf(play(state, "changes.open").state))?.[1] ?? "";
  };
  expect([headingOf({ ...none, edited: [] }), headingOf(none)]).toEqual(["nothing changed", "the same parts"]);
});

test("a change that is alone in its file says which file, and stands under no other one", () => {
  const part = { detail: "body", before: "none" } as const;
  const changes = {
    since_round: 1,
    added: [
      { path: pathAt(0), item: "first", ...part },
      { path: pathAt(0), item: "second", ...part },
      { path: pathAt(1), item: "other", ...part },
    ],
    dropped: [],
    promoted: [],
    demoted: [],
    left_out: 0,
  };
  const { package: pkg } = roundOf(4);
  const state = reviewing(4, { package: { ...pkg, provenance: { ...pkg.provenance, changes } } });
  const rows = textOf(play(state, "changes.open").state).split("\n");
  const column = rows.find((row) => row.includes("─ What changed ─"))?.indexOf("╭─ What changed") ?? 0;
  const shown = rows.map((row) => row.slice(column + 2).replace(/ +│.*$/, ""));
  expect(shown.filter((row) => row.includes("added   "))).toEqual([
    expect.stringMatching(/^ {3}\+ added {4}first +body$/),
    expect.stringMatching(/^ {3}\+ added {4}second +body$/),
    expect.stringMatching(new RegExp(`^ \\+ added {4}other in ${pathAt(1)} +body$`)),
  ]);
});

test("the line that counts what was left out is whole at 100 columns, and as whole as can be in fewer", () => {
  const lineAt = (columns: number): string => {
    const some = reviewing(40, {}, (at) => at < 10);
    const rows = screenLines({ ...some, size: { columns, rows: 30 } }).map((row) =>
      row.map(({ text }) => text).join(""),
    );
    return rows.find((row) => row.includes("30 more"))?.replace(/│ +▸ (.*?) +│.*/, "$1") ?? "";
  };
  expect([120, 100, 40].map(lineAt)).toEqual([
    "30 more files ranked and left out  . lists",
    "30 more files left out  . lists",
    "30 more files left out  . lists",
  ]);
});

test("a run whose task is not known yet is headed by the repository", () => {
  const running = play(beginning({ task: "fix it" }), considered([pathAt(0)])).state;
  const [top = ""] = textOf({ ...running, task: "" }).split("\n");
  expect(top).toContain(`cra · ${running.project.root} `);
  expect(textOf(running)).toContain("cra · fix it ");
});

test("a package that is only a map says so when it comes, and as long as it is shown", () => {
  const { package: pkg } = roundOf(4);
  const map = "the task names nothing, so this is a map of the repository; ask about a part of it, such as src/part-0";
  const round = roundOf(4, { package: { ...pkg, provenance: { ...pkg.provenance, map } } });
  const running = play(beginning({ task: "make it faster" }), considered([pathAt(0)])).state;
  const shown = play(running, { is: "finished", run: running.run?.id ?? 0, round }).state;
  expect(shown.message?.text).toBe(`T${map.slice(1)}.`);
  const later = textOf({ ...shown, message: null });
  expect(later).toContain("a map, as the task is vague: t words it otherwise");
  expect(later).not.toContain("coverage");
  expect(textOf(reviewing(4))).not.toContain("a map");
});

test("while the next round is worked out, nothing is said of what it has", () => {
  const open = play(reviewing(4), "mark.reject", "changes.open").state;
  expect(textOf(open)).toContain("The next round: being worked out");
  expect(textOf(open)).not.toContain("had what you asked for");
});

test.each([73, 80, 90, 100, 120])("in %d columns a run cuts no word of its counts", (columns) => {
  const stage = { status: "done" as const, startedAt: 0, endedAt: 900, considered: 500 };
  const paths = Array.from({ length: 3 }, (_, at) => pathAt(at));
  const { run } = play(beginning({ task: "fix it" }), considered(paths)).state;
  if (run === null) throw new Error("not running");
  const stages = [
    { ...stage, name: "scope", counts: { ranked: 77, excluded: 70 } },
    { ...stage, name: "precision", counts: { primary: 1_423, excluded: 1_001 } },
  ];
  const files = run.files.map((file, at) => ({ ...file, chosen: { count: [3, 38, 138][at] ?? 0, line: 1 } }));
  const state = {
    ...beginning({}),
    screen: "run" as const,
    run: { ...run, stages, files },
    size: { columns, rows: 30 },
  };
  const rows = screenLines(state).map((line) => line.map(({ text }) => text).join(""));
  for (const row of rows.filter((one) => / choosing |file-0/.test(one)))
    expect(row.replace(/src[^ ]*/, "")).not.toContain("…");
});

test.each([true, false])("a narrow terminal shows which format is chosen, with ASCII alone: %p", (ascii) => {
  const small = { ...reviewing(4), size: { columns: 40, rows: 12 } };
  let state: State = { ...small, look: { ...small.look, ascii } };
  state = play(state, "save.open").state;
  for (const format of FORMAT_NAMES) {
    expect(state.overlay).toMatchObject({ is: "save", format });
    expect(
      screenLines(state)
        .map((line) => line.map(({ text }) => text).join(""))
        .join("\n"),
    ).toContain(`[${format}]`);
    state = play(state, { is: "pressed", key: "tab" }).state;
  }
});

test("a reason that does not fit says so, and no heading stands above nothing", () => {
  const share = { signal: "content", share: 1 };
  const before = reviewing(4, { scores: [{ rank: 1, path: pathAt(0), tier: "ranked", score: 1, terms: [share] }] });
  const review = reviewIn(before);
  const reason = Array.from({ length: 40 }, (_, at) => `word${at} in its text`).join("; ");
  const files = review.files.map((file) => ({ ...file, reason }));
  const whyAt = (rows: number, pane: "list" | "preview"): readonly string[] => {
    const state = { ...before, review: { ...review, files, pane }, size: { columns: 80, rows } };
    const lines = screenLines(state).map((line) => line.map(({ text }) => text).join(""));
    const top = lines.findIndex((line) => line.includes("─ Why ─"));
    return lines.slice(top + 1, -3).map((line) => line.slice(1, -1).trim());
  };
  for (let rows = 12; rows <= 40; rows++)
    for (const pane of ["list", "preview"] as const) {
      const lines = whyAt(rows, pane);
      const last = lines.findLast((line) => line.includes("word"));
      expect(last === undefined || last.endsWith("…")).toBe(true);
      expect(lines.findLast((line) => line !== "")).not.toContain("the sum of");
    }
  expect(whyAt(24, "list").length).toBe(5);
  expect(whyAt(24, "preview").length).toBe(2);
});

test("a narrow preview says whole what to do about a file that the index lacks", () => {
  const preview = { path: pathAt(1), language: "", lines: null };
  const state = play(
    reviewing(2, {}, (at) => at === 0),
    "list.last",
    "leftout.toggle",
    "list.last",
    "pane.right",
    {
      is: "preview-loaded",
      preview,
    },
  ).state;
  const rows = screenLines({ ...state, size: { columns: 40, rows: 20 } }).map((row) =>
    row.map(({ text }) => text).join(""),
  );
  expect(rows.map((row) => row.replaceAll("│", "").trim()).join(" ")).toContain(
    "The index does not have this file: update it with ctrl+x on the first screen.",
  );
});
