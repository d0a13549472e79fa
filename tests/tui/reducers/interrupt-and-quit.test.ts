import { expect, test } from "bun:test";
import { skipByPath } from "../../../src/source/walk/skip.ts";
import { beginning, noticed, pathAt, play, reviewIn, reviewing, typing } from "../play.ts";
import { SAMPLES } from "../views/sample-states.ts";

const running = play(beginning(), typing("fix"), "task.run").state;

test("one interrupt stops what runs, two quit, in any state", () => {
  const once = play(running, "app.interrupt");
  expect([noticed(once), once.state.run?.status]).toEqual([[{ do: "cancel", run: 1 }], "cancelling"]);
  expect(noticed(play(once.state, "app.interrupt"))).toEqual([{ do: "cancel", run: 1 }, { do: "quit" }]);
  const idle = play(play(reviewing(2), "mark.accept", "help.open").state, "app.interrupt");
  expect([noticed(idle), idle.state.message?.text]).toEqual([[], expect.stringContaining("again to quit")]);
  expect(noticed(play(idle.state, "app.interrupt"))).toEqual([{ do: "quit" }]);
});

test("two interrupts do not quit if another key or some seconds are between them", () => {
  const start = reviewing(2);
  expect(noticed(play(start, "app.interrupt", "list.next", "app.interrupt"))).not.toContainEqual({ do: "quit" });
  expect(noticed(play(start, "app.interrupt", { is: "tick", now: 20_000 }, "app.interrupt"))).toEqual([]);
  expect(noticed(play(start, "app.interrupt", { is: "tick", now: 2_000 }, "app.interrupt"))).toEqual([{ do: "quit" }]);
});

test("quitting asks only if something would be lost: marks are kept, a run is not", () => {
  expect(noticed(play(reviewing(2), "app.quit"))).toEqual([{ do: "quit" }]);
  expect(noticed(play(reviewing(2), "mark.accept", "app.quit"))).toEqual([{ do: "quit" }]);
  const running = play(reviewing(2), "mark.accept", "package.refine").state;
  const asking = play(running, "app.quit");
  expect([noticed(asking), asking.state.overlay?.is]).toEqual([[], "quit"]);
  expect(noticed(play(asking.state, "quit.now")).at(-1)).toEqual({ do: "quit" });
  expect(play(asking.state, "app.back").state.overlay).toBeNull();
  expect(noticed(play(running, "app.quit", "quit.now"))).toEqual([{ do: "cancel", run: 2 }, { do: "quit" }]);
});

const OPEN = Object.entries(SAMPLES).filter(([, state]) => state.overlay !== null);

test.each(OPEN)("ctrl+q quits or asks, and esc closes, with %s open", (_, state) => {
  const quit = play(state, { is: "pressed", key: "ctrl+q" });
  const isAsking = quit.state.overlay?.is === "quit";
  expect(isAsking || noticed(quit).some((effect) => effect.do === "quit")).toBe(true);
  // A question inside the dialog to save is a step of its own.
  const steps = state.overlay?.is === "save" && state.overlay.status === "exists" ? 2 : 1;
  const back = Array.from({ length: steps }, () => ({ is: "pressed", key: "escape" }) as const);
  expect(play(state, back).state.overlay).toBeNull();
});

test("the key that opens the help closes it", () => {
  const help = play(reviewing(2), { is: "pressed", key: "?" }).state;
  expect([help.overlay?.is, play(help, { is: "pressed", key: "?" }).state.overlay]).toEqual(["help", null]);
});

test("a package too long for the clipboard opens the dialog to save it", () => {
  const { state } = play(reviewing(2), { is: "copy-too-long", what: "the package" });
  expect([state.overlay?.is, state.message?.text]).toEqual(["save", expect.stringContaining("Save it to a file")]);
});

test("a message disappears at the next key or after some seconds", () => {
  const start = play(reviewing(2), { is: "message", kind: "info", text: "Copied." }).state;
  expect(play(start, { is: "tick", now: 2_000 }).state.message?.text).toBe("Copied.");
  expect(play(start, { is: "tick", now: 9_000 }).state.message).toBeNull();
  const failed = play(start, { is: "message", kind: "error", text: "It failed." }, { is: "tick", now: 99_000 }).state;
  expect(failed.message?.text).toBe("It failed.");
  expect(play(failed, typing("x")).state.message).toBeNull();
  expect(play(start, "list.next").state.message).toBeNull();
});

test("in a terminal that is too small, only the keys that quit work", () => {
  const small = play(reviewing(3), { is: "resized", size: { columns: 39, rows: 24 } }).state;
  expect(reviewIn(play(small, typing(" a+")).state).decisions.files.size).toBe(0);
  const press = { is: "pressed", key: "ctrl+c" } as const;
  expect(noticed(play(small, press, press))).toEqual([{ do: "quit" }]);
  const large = play(small, { is: "resized", size: { columns: 40, rows: 8 } }, typing("+")).state;
  expect(reviewIn(large).decisions.files.size).toBe(1);
});

test("the help scrolls within its lines, and the wheel moves what is under the pointer", () => {
  const help = play(reviewing(3), "help.open", "page.bottom").state;
  expect(help.overlay).toMatchObject({ is: "help", top: expect.any(Number) });
  const far = play(help, { is: "wheel", by: 1_000, target: { on: "overlay" } }).state;
  expect(play(far, { is: "wheel", by: 5, target: { on: "overlay" } }).state).toEqual(far);
  expect(play(far, "page.top").state.overlay).toEqual({ is: "help", top: 0 });
  expect(reviewIn(play(reviewing(9), { is: "wheel", by: 4, target: { on: "list" } }).state).cursor).toBe(4);
  expect(
    reviewIn(play(reviewing(9), { is: "clicked", target: { on: "row", at: 7, onMark: false } }).state).cursor,
  ).toBe(7);
});

test("a command that is longer than the screen scrolls, another does not", () => {
  const top = (command: string) =>
    play(reviewing(2, { command }), "command.open", "page.down", "page.down").state.overlay;
  expect([top("x".repeat(9_000)), top("x".repeat(500))]).toEqual([
    { is: "command", top: 2 },
    { is: "command", top: 0 },
  ]);
});

test("mouse, suspend and redraw are effects of the terminal", () => {
  const on = play(reviewing(2), "mouse.toggle");
  expect([noticed(on), on.state.input.mouse]).toEqual([[{ do: "mouse", on: true }], true]);
  expect(noticed(play(on.state, "mouse.toggle", "app.suspend", "app.redraw"))).toEqual([
    { do: "mouse", on: false },
    { do: "suspend" },
    { do: "redraw" },
  ]);
});

test("saving takes a path and a format, and overwrites only after confirmation", () => {
  const open = play(reviewing(2), "save.open").state;
  expect(open.overlay).toMatchObject({ format: "markdown", path: { text: "cra-0123456789ab.md" } });
  const other = play(open, "save.format", "save.format").state;
  expect([other.overlay, other.format]).toEqual([
    expect.objectContaining({ path: expect.objectContaining({ text: "cra-0123456789ab.json" }) }),
    "json",
  ]);
  const wrote = play(open, "save.write");
  const save = { do: "save", format: "markdown", path: "cra-0123456789ab.md", overwrite: false } as const;
  expect(noticed(wrote)).toEqual([save]);
  expect(noticed(play(wrote.state, "save.write"))).toEqual([]);
  const exists = play(wrote.state, { is: "save-exists", path: save.path }).state;
  expect(noticed(play(exists, "save.overwrite"))).toEqual([{ ...save, overwrite: true }]);
  expect(noticed(play(exists, "save.rename", typing("x"), "save.write"))).toEqual([{ ...save, path: `${save.path}x` }]);
  const done = play(exists, "save.overwrite", {
    is: "saved",
    path: "/r/x.md",
    bytes: 1_234_567,
    untracked: false,
  }).state;
  expect([done.overlay, done.message?.text]).toEqual([null, "Wrote /r/x.md (1,234,567 bytes)."]);
});

test("a save error is shown in the dialog, or as a message after it was closed", () => {
  const saving = play(reviewing(2), "save.open", "save.write").state;
  const failed = { is: "save-failed", message: "the disk is full" } as const;
  expect(play(saving, failed).state.overlay).toMatchObject({ status: "asking", problem: "the disk is full" });
  expect(play(saving, "app.back", failed).state.message?.text).toBe("the disk is full");
  expect(play(saving, "app.back", { is: "save-exists", path: "x" }).state.message?.text).toContain(
    "nothing was written",
  );
  const empty = play(reviewing(2), "save.open", "text.clear", "save.write");
  expect([noticed(empty), empty.state.overlay]).toEqual([[], expect.objectContaining({ problem: "Enter a path." })]);
});

test("the package, its path and its equivalent command can be copied", () => {
  const copied = play(reviewing(2), "copy.package", "copy.path", "command.open", "copy.command");
  expect(noticed(copied)).toEqual([
    { do: "copy-package", format: "markdown", what: "the package" },
    { do: "copy", text: pathAt(0), what: "the path" },
    { do: "copy", text: "cra retrieve 'fix it'", what: "the command" },
  ]);
});

test("saving or copying a package names the changes that it lacks", () => {
  const marked = play(
    reviewing(2),
    "mark.reject",
    "list.next",
    "mark.accept",
    "budget.open",
    typing("0"),
    "budget.set",
  );
  const lack = "2 marks and the new budget are not applied to round 1 yet; press r to refine";
  expect(noticed(play(marked.state, "copy.package", "command.open", "copy.command"))).toMatchObject([
    { what: `the package (${lack})` },
    { what: `the command (${lack})` },
  ]);
  const one = play(reviewing(2), "mark.reject", "copy.package");
  expect(noticed(one)).toMatchObject([
    { what: "the package (1 mark is not applied to round 1 yet; press r to refine)" },
  ]);
  const before = play(reviewing(2), "notes.open", typing("n"), "notes.set", "copy.package");
  expect(noticed(before)).toMatchObject([{ what: "the package" }]);
});

test("the suggested file name of a package is one that is not indexed", () => {
  for (const formats of [0, 1, 2, 3]) {
    const { overlay } = play(
      reviewing(2),
      "save.open",
      Array.from({ length: formats }, () => ({ is: "named", name: "save.format" }) as const),
    ).state;
    const name = overlay?.is === "save" ? overlay.path.text : "";
    expect([name, skipByPath(name, 1, { bytesMax: 10, vendoredIsMain: false })]).toEqual([name, "package"]);
  }
});

test("a stopped run has no package to save or copy", () => {
  const partial = play(
    running,
    {
      is: "events",
      run: 1,
      events: [{ event: "file_considered", stage: "scope", path: "a", tier: "seed", score: 1, tokens: 1, reason: "" }],
    },
    "run.cancel",
    { is: "cancelled", run: 1 },
  ).state;
  const tried = play(partial, "save.open", "copy.package", "command.open");
  expect([noticed(tried), tried.state.overlay, tried.state.message?.kind]).toEqual([[], null, "error"]);
});
