import { expect, test } from "bun:test";
import { initialState } from "../../../src/tui/reducers/initial-state.ts";
import type { SessionRow, State } from "../../../src/tui/state/state.ts";
import { FIELD_CHARS_MAX } from "../../../src/tui/state/text-field.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { beginning, noticed, pathAt, play, reviewing, typing } from "../play.ts";

const SESSIONS: readonly SessionRow[] = ["aa", "bb"].map((taskId) => ({
  taskId,
  task: taskId,
  rounds: 1,
  title: null,
  lastUsed: null,
  unsaved: false,
}));
const HOME = { is: "home-loaded", sessions: SESSIONS, history: ["newest\nof all", "older"] } as const;
const textOf = ({ entry }: State): string => entry.task.text;

test("a task that is run becomes the first of the history", () => {
  const ran = play(beginning(), typing("fix it"), "task.run");
  expect(noticed(ran)).toEqual([{ do: "retrieve", run: 1, task: "fix it", request: {}, budget: null, coverage: null }]);
  expect([ran.state.screen, ran.state.task, ran.state.entry.history]).toEqual(["run", "fix it", ["fix it"]]);
});

test("a repeated task is in the history once", () => {
  const again = play(beginning(), HOME, typing("older"), "task.run").state;
  expect(again.entry.history).toEqual(["older", "newest\nof all"]);
});

test("a blank task is not run", () => {
  const ran = play(beginning(), typing("  "), "text.new-line", "task.run");
  expect(noticed(ran)).toEqual([]);
  expect(ran.state.message?.text).toContain("No task yet");
});

test("after a backslash, enter inserts a new line; two backslashes are one", () => {
  expect(textOf(play(beginning(), typing("a\\"), "task.run", typing("b")).state)).toBe("a\nb");
  expect(noticed(play(beginning(), typing("a\\\\"), "task.run"))).toHaveLength(1);
});

test("pasted text is text, whatever keys it contains", () => {
  const pasted = play(beginning(), { is: "pasted", text: "Traceback:\r\n  q\x1b[A\x03" });
  expect(textOf(pasted.state)).toBe("Traceback:\n  q\x1b[A\x03");
  expect(noticed(pasted)).toEqual([]);
});

test("text that is too long is truncated with a message, also for keys without effect", () => {
  const cut = /^Text truncated to 200,000 characters/;
  const pasted = play(beginning(), { is: "pasted", text: "x".repeat(FIELD_CHARS_MAX + 1) }).state;
  expect([textOf(pasted).length, pasted.message?.text]).toEqual([FIELD_CHARS_MAX, expect.stringMatching(cut)]);
  expect(play(pasted, "text.left", typing("y")).state.message?.text).toMatch(cut);
  expect(play(pasted, "text.delete-left", typing("y")).state.message).toBeNull();
  const edited = play(beginning(), { is: "edited", text: "x".repeat(FIELD_CHARS_MAX + 1) }).state;
  expect(edited.message?.text).toMatch(cut);
  expect(play(beginning(), { is: "pasted", text: "x".repeat(FIELD_CHARS_MAX) }).state.message).toBeNull();
});

test("back stops indexing, and the footer says so", () => {
  const busy = play(beginning(), typing("fix"), "index.refresh").state;
  const last = screenLines(busy)
    .at(-1)
    ?.map(({ text }) => text)
    .join("");
  expect(last).toContain("stop indexing");
  const stopped = play(busy, "app.back");
  expect(noticed(stopped)).toEqual([{ do: "cancel-index" }]);
  const idle = play(stopped.state, { is: "index-known", index: { status: "missing", files: null, headline: "" } });
  expect(noticed(play(idle.state, "app.back"))).toEqual([]);
});

test("back on the entry screen, sessions and earlier tasks are reloaded, and none is lost", () => {
  const start = play(beginning(), HOME, typing("fix it"), "task.run").state;
  const cancelled = play(start, { is: "cancelled", run: 1 });
  expect(cancelled.state.screen).toBe("entry");
  expect(noticed(cancelled)).toEqual([{ do: "load-home" }]);
  const again = play(cancelled.state, "text.up", "text.up", HOME).state;
  expect(again.entry.history).toEqual(["fix it", "newest\nof all", "older"]);
  expect(textOf(play(again, "text.down", "text.down").state)).toBe("fix it");
  const back = play(reviewing(2), "task.new");
  expect(noticed(back)).toEqual([{ do: "load-home" }]);
  expect(noticed(play(back.state, "text.left"))).toEqual([]);
});

test("moving past the first or last line goes to its end, never to another task", () => {
  const start = play(beginning(), HOME, typing("mine")).state;
  const up = play(start, "text.up", "text.up", "text.page-up").state;
  expect([textOf(up), up.entry.task.cursor]).toEqual(["mine", 0]);
  const down = play(up, "text.down", "text.page-down").state;
  expect([textOf(down), down.entry.task.cursor]).toEqual(["mine", 4]);
});

test("edits are undone by words and redone; clearing and an earlier task are edits too", () => {
  const typed = play(beginning(), HOME, typing("fix the bug")).state;
  const undone = ["text.undo", "text.undo"] as const;
  expect(textOf(play(typed, ...undone).state)).toBe("fix the");
  expect(textOf(play(typed, ...undone, "text.redo", "text.redo").state)).toBe("fix the bug");
  const cleared = play(typed, "text.clear").state;
  expect(textOf(cleared)).toBe("");
  expect(textOf(play(cleared, "text.undo").state)).toBe("fix the bug");
  const taken = play(typed, "history.open", "history.take").state;
  expect(textOf(taken)).toBe("newest\nof all");
  expect(textOf(play(taken, "text.undo").state)).toBe("fix the bug");
});

test("select all is replaced by what is typed, deleted by a delete key, and left by a movement", () => {
  const selected = play(beginning(), HOME, typing("one two"), "text.select-all").state;
  expect(textOf(play(selected, typing("x")).state)).toBe("x");
  for (const name of ["text.delete-left", "text.delete-right", "text.delete-word", "text.delete-after"] as const)
    expect(textOf(play(selected, name).state)).toBe("");
  expect(textOf(play(selected, "text.left", typing("x")).state)).toBe("one twxo");
});

test("the history can be searched, and the selected task replaces the text", () => {
  const open = play(beginning(), HOME, typing("x"), "history.open", typing("old"), "history.take").state;
  expect([textOf(open), open.overlay]).toEqual(["older", null]);
  const none = play(beginning(), HOME, typing("x"), "history.open", typing("zzz"), "history.take").state;
  expect([textOf(none), none.overlay?.is]).toEqual(["x", "history"]);
  expect(play(beginning(), "history.open").state.overlay).toBeNull();
});

test("sessions get the focus only if there are any, and the selected one is resumed", () => {
  expect(play(beginning(), "sessions.focus").state.entry.focus).toBe("task");
  const ran = play(beginning(), HOME, "sessions.focus", "list.next", "list.next", "session.resume");
  expect(noticed(ran)).toEqual([{ do: "resume", taskId: "bb" }]);
  const loading = play(ran.state, { is: "tick", now: 99_000 }).state;
  expect(loading.message?.text).toBe("Loading the session.");
  const gone = play(ran.state, { is: "home-loaded", sessions: [], history: [] }).state;
  expect(gone.entry.focus).toBe("task");
});

test("the index is refreshed once at a time, and the interrupt key stops it", () => {
  const once = play(beginning(), "index.refresh", { is: "indexing", step: { phase: "parse", done: 3, total: 9 } });
  expect(noticed(once)).toEqual([{ do: "index" }]);
  expect(once.state.index.step?.done).toBe(3);
  expect(noticed(play(once.state, "index.refresh"))).toEqual([]);
  expect(noticed(play(once.state, "app.interrupt"))).toEqual([{ do: "cancel-index" }]);
  const known = play(once.state, { is: "index-known", index: { status: "ready", files: 9, headline: "now" } }).state;
  expect([known.index.status, known.index.step]).toEqual(["ready", null]);
  expect(play(known, { is: "indexing", step: { phase: "late", done: 1, total: 1 } }).state.index.step).toBeNull();
});

test("typing works while the index is refreshed", () => {
  const start = play(beginning(), "index.refresh", typing("a"), {
    is: "indexing",
    step: { phase: "x", done: 1, total: 2 },
  });
  expect(textOf(play(start.state, typing("b")).state)).toBe("ab");
});

test("the editor gets the text and returns it without its last newline", () => {
  const asked = play(beginning(), typing("a"), "task.edit");
  expect(noticed(asked)).toEqual([{ do: "edit-text", text: "a" }]);
  expect(textOf(play(asked.state, { is: "edited", text: "a\nb\n" }).state)).toBe("a\nb");
  expect(textOf(play(asked.state, { is: "edited", text: null }).state)).toBe("a");
});

test("a task given at the start is run at once; a session to resume is loaded", () => {
  const first = {
    size: { columns: 80, rows: 24 },
    look: { ascii: true, colour: false, screenReader: null },
    now: 0,
    project: { root: "/r", model: null },
    format: "json",
  } as const;
  expect(initialState({ ...first, task: "t", resume: null }).effects).toEqual([
    { do: "load-home" },
    { do: "retrieve", run: 1, task: "t", request: {}, budget: null, coverage: null },
  ]);
  expect(initialState({ ...first, task: null, resume: "ab" }).effects).toEqual([
    { do: "load-home" },
    { do: "resume", taskId: "ab" },
  ]);
  expect(initialState({ ...first, task: null, resume: "ab" }).state.message?.text).toBe("Loading the session.");
  expect(initialState({ ...first, task: null, resume: null }).effects).toEqual([{ do: "load-home" }]);
  // Changes to review need no words.
  expect(initialState({ ...first, task: "", resume: null }).effects).toEqual([
    { do: "load-home" },
    { do: "retrieve", run: 1, task: "", request: {}, budget: null, coverage: null },
  ]);
});

test("from a review, the task can be edited and left again without a loss", () => {
  const start = play(reviewing(3), "mark.accept").state;
  const editing = play(start, "task.new", typing(" now")).state;
  expect([editing.screen, textOf(editing)]).toEqual(["entry", "fix it now"]);
  const back = play(editing, "app.back").state;
  expect([back.screen, back.review?.decisions]).toEqual(["review", start.review?.decisions]);
});

test("running the same task again keeps its decisions; another task starts without any", () => {
  const start = play(reviewing(3), "mark.accept", "task.new").state;
  expect(noticed(play(start, "task.run")).at(-1)).toMatchObject({
    do: "refine",
    request: { accepted_files: [pathAt(0)] },
  });
  const other = play(start, typing("!"), "task.run");
  expect(noticed(other).at(-1)).toEqual({
    do: "retrieve",
    run: 2,
    task: "fix it!",
    request: {},
    budget: null,
    coverage: null,
  });
  expect(other.state.review).toBeNull();
  expect(noticed(play(reviewing(3), "task.new", "task.run")).at(-1)).toMatchObject({ do: "retrieve", task: "fix it" });
});

test("the text of another task is saved apart from the marks of this one", () => {
  const kept = play(reviewing(3), "mark.accept", "task.new", typing("!")).effects.filter(
    (effect) => effect.do === "persist",
  );
  expect(kept.map(({ draft }) => [draft.taskId, draft.task, draft.files.length])).toEqual([
    ["0123456789abcdef", "fix it", 1],
    ["0123456789abcdef", "fix it", 1],
    [null, "fix it!", 0],
  ]);
});

test("the header says of the model what is known, as far as there is room, and a run's answer stays", () => {
  const begun = beginning({ project: { root: "/repo", model: "qwen3:8b" } });
  const headerOf = (state: State): string => (screenLines(state)[0] ?? []).map(({ text }) => text).join("");
  expect(headerOf(begun)).toMatch(/ {2}qwen3:8b $/);
  const home = play(begun, { ...HOME, model: ["127.0.0.1:11434", "77 tokens/s", "qwen3:8b"] }).state;
  expect(headerOf(home)).toContain("  127.0.0.1:11434 · 77 tokens/s · qwen3:8b ");
  const model = ["127.0.0.1:11434", "Ollama 0.31.2", "8192 tokens", "80 tokens/s", "qwen3:8b"];
  const known = play(home, { is: "model-known", model }, HOME).state;
  expect(headerOf(known)).toContain("  8192 tokens · 80 tokens/s · qwen3:8b ");
  const wide = play(known, { is: "resized", size: { columns: 160, rows: 24 } }).state;
  expect(headerOf(wide)).toContain("  127.0.0.1:11434 · Ollama 0.31.2 · 8192 tokens · 80 tokens/s · qwen3:8b ");
  const long = beginning({ project: { root: "/repo", model: "m".repeat(60) } });
  expect(headerOf(long)).toContain("m".repeat(60));
});
