import { expect, test } from "bun:test";
import {
  BINDINGS,
  CATEGORIES,
  COMMAND_NAMES,
  CONTEXTS,
  type Context,
  commandOf,
  commandsIn,
  footerOf,
  isTyping,
  keysOf,
} from "../../../src/tui/keys/bindings.ts";
import { keysFromInput, textOfKey } from "../../../src/tui/keys/key-events.ts";
import { update } from "../../../src/tui/reducers/update.ts";
import { contextOf } from "../../../src/tui/state/key-context.ts";
import { helpLines, paletteRows } from "../../../src/tui/state/lists/pages.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { beginning, pathAt, play, reviewIn, reviewing, roundOf, typing } from "../play.ts";

/** A state in each context, with something to do for every key. */
const start = reviewing(8);
const sessions = [
  { taskId: "aa", task: "one", title: null, rounds: 1, lastUsed: null, unsaved: false },
  { taskId: "bb", task: "two", title: null, rounds: 1, lastUsed: null, unsaved: false },
];
const home = play(beginning(), { is: "home-loaded", sessions, history: ["one", "two", "three"] }, typing("a b")).state;
const inSessions = play(home, "sessions.focus").state;
const saving = play(start, "save.open").state;
const OUTLINE = ["a", "b", "c"].map((name, at) => ({
  qualifiedName: name,
  kind: "function",
  startLine: at + 1,
  endLine: at + 1,
  tokens: 3,
}));
const changes = {
  since_round: 1,
  added: [1, 2, 3].map((at) => ({ path: pathAt(at), item: null, detail: "body" as const, before: "none" as const })),
  dropped: [],
  promoted: [],
  demoted: [],
  left_out: 0,
};
const changedRound = roundOf(8, { number: 2, command: "x".repeat(400) });
const refined = play(play(start, "mark.accept", "package.refine").state, {
  is: "finished",
  run: 2,
  round: {
    ...changedRound,
    package: { ...changedRound.package, provenance: { ...changedRound.package.provenance, changes } },
  },
}).state;
const refinedReview = play(refined, "app.back").state;
const ROUNDS = [2, 1].map((round) => ({
  round,
  startedAt: "2026-03-01T10:12:44.000Z",
  finished: true,
  tokens: 40,
  budget: 1_000,
  asked: "",
}));
const found = ["x.ts", "y.ts"].map((path) => ({ found: { path, name: null, kind: "file" }, at: [] }));

const AT: Readonly<Record<Context, State>> = {
  entry: home,
  sessions: inSessions,
  run: play(start, "mark.cycle", "package.refine").state,
  review: start,
  preview: play(start, "pane.switch").state,
  symbols: play(start, "symbols.open", { is: "outline-loaded", path: pathAt(0), symbols: OUTLINE }).state,
  filter: play(start, "filter.open", typing("fi")).state,
  finder: play(start, "finder.open", { is: "found", query: "", rows: found, matches: 2, of: 2 }).state,
  history: play(home, "history.open").state,
  palette: play(start, "palette.open").state,
  budget: play(start, "budget.open").state,
  notes: play(start, "notes.open", typing("a b")).state,
  remember: play(start, "package.remember", typing("a b")).state,
  rename: play(inSessions, "session.rename").state,
  delete: play(inSessions, "session.delete").state,
  rounds: play(refinedReview, "rounds.open", { is: "rounds-loaded", rows: ROUNDS }).state,
  save: saving,
  exists: play(saving, "save.write", { is: "save-exists", path: "x" }).state,
  help: play(start, "help.open").state,
  changes: refined,
  command: play(refinedReview, "command.open").state,
  quit: play(start, "mark.accept", "package.refine", "app.quit").state,
};

test("every context can be reached", () => {
  for (const context of CONTEXTS) expect(contextOf(AT[context])).toBe(context);
});

test("in a context, a key has one meaning and is not the prefix of another", () => {
  for (const context of CONTEXTS) {
    const keys = commandsIn(context).flatMap((name) => keysOf(name, context));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    expect(keys.filter((key) => keys.some((other) => other.startsWith(`${key} `)))).toEqual([]);
  }
});

test("what opens help and commands over a text opens them everywhere else too", () => {
  for (const context of ["sessions", "run", "review", "preview", "symbols"] as const)
    for (const name of ["help.open", "palette.open"] as const)
      expect([context, ...keysOf(name, context)]).toContain(keysOf(name, "entry")[0] ?? "none");
});

test("a key runs its action in its context; elsewhere the action does nothing", () => {
  for (const context of CONTEXTS)
    for (const name of COMMAND_NAMES) {
      const at = AT[context];
      const byName = update(at, { is: "named", name });
      if (keysOf(name, context).length === 0)
        expect([context, name, byName.effects, byName.state]).toEqual([context, name, [], { ...at, message: null }]);
      for (const key of keysOf(name, context)) {
        const byKey = play(at, ...key.split(" ").map((press) => ({ is: "pressed", key: press }) as const));
        expect([context, name, byKey]).toEqual([context, name, byName]);
      }
    }
});

/** What prepares a state so that the other actions have something to do. */
const BEFORE = ["mark.accept", "list.next", "text.left", "page.page-down", "preview.down"] as const;

test("every action has an effect in some context", () => {
  const states = CONTEXTS.flatMap((context) => [AT[context], ...BEFORE.map((name) => play(AT[context], name).state)]);
  const undone = play(AT.review, "mark.accept", "mark.undo").state;
  const plain = reviewing(4, { number: 3, notApplied: "rejected: a.py" }, (at) => at < 2);
  const searched = play(AT.preview, "preview.search", typing("n"), "filter.keep").state;
  const edited = play(AT.entry, "text.undo").state;
  const lookedBack = play(refinedReview, { is: "round-loaded", round: roundOf(8) }).state;
  const idle = COMMAND_NAMES.filter((name) =>
    [...states, undone, plain, play(AT.changes, "app.back").state, searched, edited, lookedBack].every((state) => {
      const { state: after, effects } = update(state, { is: "named", name });
      const silent = { ...after, message: null };
      return effects.length === 0 && JSON.stringify(silent) === JSON.stringify({ ...state, message: null });
    }),
  );
  expect(idle).toEqual([]);
});

test("in a text field, no letter, digit or space is bound", () => {
  for (const context of CONTEXTS.filter(isTyping))
    for (const key of commandsIn(context).flatMap((name) => keysOf(name, context)))
      expect([context, key, textOfKey(key)]).toEqual([context, key, null]);
});

test("interrupt, suspend and redraw are bound everywhere; back everywhere except in the task and a run", () => {
  for (const context of CONTEXTS) {
    for (const name of ["app.interrupt", "app.suspend", "app.redraw"] as const)
      expect(keysOf(name, context)).not.toEqual([]);
    if (context !== "run") expect([context, ...keysOf("app.back", context)]).toContain("escape");
  }
});

test("a footer has a few keys, all of its context", () => {
  for (const context of CONTEXTS) {
    const footer = footerOf(context);
    expect([context, footer.length > 0 && footer.length <= 11]).toEqual([context, true]);
    for (const name of footer) expect([context, name, keysOf(name, context).length > 0]).toEqual([context, name, true]);
  }
});

test("labels are short, and the help of a context lists each key once", () => {
  for (const name of COMMAND_NAMES) expect(BINDINGS[name].label).toMatch(/^.{1,32}$/);
  for (const context of CONTEXTS) {
    const lines = helpLines(AT[context], context).flatMap((line) => (line.is === "command" ? [line.name] : []));
    expect(lines.toSorted()).toEqual(commandsIn(context).toSorted());
  }
  expect(new Set(COMMAND_NAMES.map((name) => BINDINGS[name].category))).toEqual(new Set(CATEGORIES));
});

test("the palette offers the commands of the screen below, finds them by words, and runs them", () => {
  const open = play(start, "palette.open", typing("refine")).state;
  expect(paletteRows(open, "refine")[0]).toBe("package.refine");
  // Hands type `:w` and `:q`.
  expect(["w", "q", "W", "ctrl+s"].map((key) => paletteRows(open, key)[0])).toEqual([
    "save.open",
    "app.quit",
    "preview.wrap",
    "save.open",
  ]);
  const moved = play(start, "palette.open", typing("symbols"), "palette.run").state;
  expect(contextOf(moved)).toBe("symbols");
  expect(paletteRows(play(home, "palette.open").state, "")).not.toContain("package.refine");
});

test("a burst that Ink delivers as one input is one key press per character", () => {
  expect(keysFromInput("jjp", {})).toEqual(["j", "j", "p"]);
  expect(keysFromInput("fix it\r", {})).toEqual(["f", "i", "x", "space", "i", "t", "return"]);
  expect(keysFromInput("é𝄞", {})).toEqual(["é", "𝄞"]);
  expect(keysFromInput("", { upArrow: true })).toEqual(["up"]);
  expect(keysFromInput("", { return: true, meta: true })).toEqual(["alt+return"]);
  expect(keysFromInput("\n", {})).toEqual(["ctrl+j"]);
  expect(keysFromInput("c", { ctrl: true })).toEqual(["ctrl+c"]);
  expect(keysFromInput("b", { meta: true })).toEqual(["alt+b"]);
  expect(keysFromInput("", { tab: true, shift: true })).toEqual(["shift+tab"]);
  expect(keysFromInput("", { leftArrow: true, ctrl: true })).toEqual(["ctrl+left"]);
  expect(keysFromInput("a", { eventType: "release" })).toEqual([]);
  expect(keysFromInput("\x00\x9b", {})).toEqual([]);
});

test("a letter that a terminal names by its key and shift is upper case", () => {
  expect(["g", "G", "ä", "9"].map((letter) => keysFromInput(letter, { shift: true }))).toEqual([
    ["G"],
    ["G"],
    ["Ä"],
    ["9"],
  ]);
  expect(keysFromInput("r", { shift: true, ctrl: true })).toEqual(["ctrl+r"]);
  expect(keysFromInput("\r", { shift: true, return: true }).map((key) => commandOf(key, "entry"))).toEqual([
    "text.new-line",
  ]);
});

test("a printable key is its own text, a named key has none", () => {
  expect(["a", "space", "é", "𝄞", "up", "ctrl+a"].map(textOfKey)).toEqual(["a", " ", "é", "𝄞", null, null]);
});

test("an incomplete chord is dropped, and its last key counts", () => {
  const chord = play(AT.review, "list.last", ...typing("g").map((one) => [one])).state;
  expect(chord.input.chord).toBe("g");
  const broken = play(chord, typing("k")).state;
  expect([broken.input.chord, commandOf("g g", "review")]).toEqual([null, "list.first"]);
  const { visible, cursor } = reviewIn(broken);
  expect(cursor).toBe(visible.length - 2);
});
