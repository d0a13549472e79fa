/**
 * The key table: which key runs which command in which context, and how help, footer and palette label the command.
 *
 * Nothing else names a key. Tests check that a key has one meaning per context and that no key is a prefix of a chord.
 */

/** What has the keyboard focus (`contextOf`). */
export const CONTEXTS = [
  "entry",
  "sessions",
  "run",
  "review",
  "preview",
  "symbols",
  "filter",
  "finder",
  "history",
  "palette",
  "budget",
  "notes",
  "remember",
  "rename",
  "rounds",
  "save",
  "exists",
  "help",
  "changes",
  "command",
  "delete",
  "quit",
] as const;
export type Context = (typeof CONTEXTS)[number];

const TYPED_OVERLAYS = [
  "filter",
  "finder",
  "history",
  "palette",
  "budget",
  "notes",
  "remember",
  "rename",
  "save",
] as const;
/** Contexts in which a printable key without a command is text. */
export const TYPING = ["entry", ...TYPED_OVERLAYS] as const;
/** A query above a list: arrows move in the list. */
const PICKING = ["finder", "history", "palette"] as const;
const LISTS = ["sessions", "run", "review", "symbols", "rounds", "changes"] as const;
const PAGES = ["preview", "help", "command"] as const;
const DIALOGS = ["exists", "help", "changes", "command", "rounds", "delete", "quit"] as const;
const SCREENS = ["sessions", "run", "review", "preview", "symbols"] as const;

/** Headings of the help, in order. */
export const CATEGORIES = ["general", "task", "move", "mark", "view", "package", "text"] as const;
export type Category = (typeof CATEGORIES)[number];

/** `keys`: the first of a context is the one to show; a chord is its keys joined by spaces. `footer`: contexts whose footer shows it. */
export type Binding = {
  readonly label: string;
  readonly category: Category;
  readonly footer: readonly Context[];
  readonly keys: Readonly<Partial<Record<Context, readonly string[]>>>;
};

const on = (contexts: readonly Context[], ...keys: readonly string[]): Binding["keys"] =>
  Object.fromEntries(contexts.map((context) => [context, keys]));
const row = (category: Category, label: string, keys: Binding["keys"], footer: readonly Context[] = []): Binding => ({
  category,
  label,
  keys,
  footer,
});

export const TABLE = {
  "task.run": row("task", "run", on(["entry"], "return"), ["entry"]),
  "text.new-line": row("task", "new line", on(["entry"], "alt+return", "ctrl+j", "shift+return"), ["entry"]),
  "task.edit": row("task", "edit in $EDITOR", on(["entry"], "ctrl+e"), ["entry"]),
  "history.open": row("task", "task history", on(["entry"], "ctrl+r"), ["entry"]),
  "sessions.focus": row("task", "sessions", on(["entry"], "tab"), ["entry"]),
  "task.focus": row("task", "task", on(["sessions"], "tab", "i"), ["sessions"]),
  "session.resume": row("task", "resume", on(["sessions"], "return", "l", "right"), ["sessions"]),
  "session.rename": row("task", "rename the session", on(["sessions"], "r"), ["sessions"]),
  "session.delete": row("task", "delete the session", on(["sessions"], "d"), ["sessions"]),
  "rename.set": row("task", "rename", on(["rename"], "return"), ["rename"]),
  "delete.now": row("task", "delete", on(["delete"], "y", "return"), ["delete"]),
  "index.refresh": row("task", "update the index", { ...on(["entry", "sessions"], "ctrl+x") }, ["entry", "sessions"]),
  "run.cancel": row("task", "stop", on(["run"], "escape"), ["run"]),
  "task.new": row("task", "edit the task", on(["review", "preview"], "t")),

  "mark.cycle": row("mark", "mark", on(["review"], "space"), ["review"]),
  "mark.accept": row("mark", "accept", on(["review"], "+")),
  "mark.reject": row("mark", "reject", on(["review"], "-")),
  "mark.clear": row("mark", "clear the mark", on(["review"], "0")),
  "mark.all": row("mark", "accept all listed files", on(["review"], "a", "ctrl+a")),
  "mark.invert": row("mark", "invert all listed marks", on(["review"], "i")),
  "mark.range": row("mark", "start or end a range", on(["review"], "v")),
  "mark.undo": row("mark", "undo", on(["review", "preview", "symbols"], "u", "z")),
  "mark.redo": row("mark", "redo", on(["review", "preview", "symbols"], "ctrl+r", "Z")),
  "symbol.cycle": row("mark", "cycle body, signature, omit", on(["symbols"], "space"), ["symbols"]),
  "finder.open": row("mark", "add a file or symbol", on(["review", "preview"], "f"), ["review"]),
  "finder.add": row("mark", "add", on(["finder"], "return"), ["finder"]),

  "list.next": row("move", "next", {
    ...on(LISTS, "down", "j"),
    ...on(PICKING, "down", "ctrl+n"),
    ...on(["filter"], "down", "ctrl+n"),
  }),
  "list.previous": row("move", "previous", {
    ...on(LISTS, "up", "k"),
    ...on(PICKING, "up", "ctrl+p"),
    ...on(["filter"], "up", "ctrl+p"),
  }),
  "list.page-down": row("move", "page down", {
    ...on(LISTS, "pagedown", "ctrl+d", "ctrl+f"),
    ...on([...PICKING, "filter"], "pagedown"),
  }),
  "list.page-up": row("move", "page up", {
    ...on(LISTS, "pageup", "ctrl+u", "ctrl+b"),
    ...on([...PICKING, "filter"], "pageup"),
  }),
  "list.first": row("move", "first", on(LISTS, "home", "g g")),
  "list.last": row("move", "last", on(LISTS, "end", "G")),
  "page.down": row("move", "line down", on(PAGES, "down", "j"), ["help", "command"]),
  "page.up": row("move", "line up", on(PAGES, "up", "k")),
  "page.page-down": row("move", "page down", on(PAGES, "pagedown", "ctrl+d", "space", "ctrl+f")),
  "page.page-up": row("move", "page up", on(PAGES, "pageup", "ctrl+u", "ctrl+b")),
  "page.top": row("move", "top", on(PAGES, "home", "g g")),
  "page.bottom": row("move", "bottom", on(PAGES, "end", "G")),

  "symbols.open": row("view", "symbols", on(["review", "preview"], "return"), ["review"]),
  "filter.open": row("view", "filter", on(["review", "symbols", "sessions", "changes"], "/"), [
    "review",
    "symbols",
    "sessions",
    "changes",
  ]),
  "filter.keep": row("view", "apply the filter", on(["filter"], "return"), ["filter"]),
  "leftout.toggle": row("view", "list or fold what was left out", on(["review", "preview"], "."), ["review"]),
  "preview.search": row("view", "search the preview", on(["preview"], "/"), ["preview"]),
  "match.next": row("view", "next match in the preview", on(["review", "preview"], "n"), ["preview"]),
  "match.previous": row("view", "previous match in the preview", on(["review", "preview"], "N")),
  "preview.whole": row("view", "whole file, or what ships of it", on(["review", "preview"], "o"), ["preview"]),
  "preview.wrap": row("view", "wrap long lines", on(["review", "preview"], "W"), ["preview"]),
  "preview.right": row("view", "scroll right", on(["preview"], "right", "l")),
  "preview.left": row("view", "scroll left, or back to the list", on(["preview"], "left", "h")),
  "pane.right": row("view", "go to the preview", on(["review"], "right", "l")),
  "preview.down": row("view", "scroll the preview down", on(["review"], "J")),
  "preview.up": row("view", "scroll the preview up", on(["review"], "K")),
  "pane.switch": row("view", "switch pane", on(["review", "preview"], "tab"), ["review", "preview"]),
  "reason.toggle": row("view", "show or hide the reasons", on(["review", "preview"], "p"), ["preview"]),
  "changes.open": row("view", "what changed, or would change", on(["review", "preview"], "d")),
  "changes.go": row("view", "go to the file", on(["changes"], "return"), ["changes"]),
  "rounds.open": row("view", "earlier rounds", on(["review", "preview"], "H")),
  "rounds.look": row("view", "look at it", on(["rounds"], "return", "l", "right"), ["rounds"]),
  "rounds.return": row("view", "go back to this round", on(["review", "preview"], "B")),

  "package.refine": row("package", "refine", on(["review", "preview", "symbols"], "r"), [
    "review",
    "preview",
    "symbols",
  ]),
  "constraints.keep": row("package", "apply what earlier rounds asked", on(["review", "preview"], "A")),
  "constraints.drop": row("package", "forget what earlier rounds asked", on(["review", "preview"], "D")),
  "notes.open": row("package", "add a note for the next round", on(["review", "preview"], "C")),
  "notes.set": row("package", "save the note", on(["notes"], "return"), ["notes"]),
  "coverage.widen": row("package", "widen: more coverage", on(["review", "preview"], ">")),
  "coverage.narrow": row("package", "narrow: less coverage", on(["review", "preview"], "<")),
  "budget.open": row("package", "change the budget", on(["review", "preview"], "b")),
  "budget.set": row("package", "set the budget", on(["budget"], "return"), ["budget"]),
  "save.open": row("package", "save", on(["review", "preview"], "w", "ctrl+s"), ["review", "preview"]),
  "save.format": row("package", "next format", on(["save"], "tab"), ["save"]),
  "save.write": row("package", "save", on(["save"], "return"), ["save"]),
  "save.overwrite": row("package", "overwrite", on(["exists"], "y"), ["exists"]),
  "save.rename": row("package", "change the name", on(["exists"], "n"), ["exists"]),
  "copy.package": row("package", "copy the package", on(["review", "preview"], "y")),
  "copy.path": row("package", "copy the path", on(["review", "preview", "symbols"], "Y")),
  "command.open": row("package", "show the equivalent command", on(["review", "preview"], "c")),
  "copy.command": row("package", "copy the command", on(["command"], "y"), ["command"]),
  "package.remember": row("package", "remember as an experience", on(["review", "preview"], "R")),
  "remember.set": row("package", "remember", on(["remember"], "return"), ["remember"]),
  "file.edit": row("package", "edit the file in $EDITOR", on(["review", "preview", "symbols"], "e")),

  "text.left": row("text", "left", on(TYPING, "left", "ctrl+b")),
  "text.right": row("text", "right", on(TYPING, "right", "ctrl+f")),
  "text.up": row("text", "line up", on(["entry"], "up")),
  "text.down": row("text", "line down", on(["entry"], "down")),
  "text.page-up": row("text", "page up", on(["entry"], "pageup")),
  "text.page-down": row("text", "page down", on(["entry"], "pagedown")),
  "text.word-left": row("text", "word left", on(TYPING, "ctrl+left", "alt+left", "alt+b")),
  "text.word-right": row("text", "word right", on(TYPING, "ctrl+right", "alt+right", "alt+f")),
  "text.home": row("text", "start of line", on(TYPING, "home", "ctrl+a")),
  // In the task, ctrl+e is the editor.
  "text.end": row("text", "end of line", { ...on(TYPED_OVERLAYS, "end", "ctrl+e"), ...on(["entry"], "end") }),
  "text.start": row("text", "start of text", on(TYPING, "ctrl+home", "alt+<")),
  "text.finish": row("text", "end of text", on(TYPING, "ctrl+end", "alt+>")),
  "text.select-all": row("text", "select all", on(TYPING, "alt+a")),
  "text.undo": row("text", "undo", on(["entry"], "ctrl+_", "ctrl+/", "alt+u")),
  "text.redo": row("text", "redo", on(["entry"], "ctrl+y", "alt+r")),
  "text.delete-left": row("text", "delete left", on(TYPING, "backspace")),
  "text.delete-right": row("text", "delete right", on(TYPING, "delete", "ctrl+d")),
  "text.delete-word": row("text", "delete word", on(TYPING, "ctrl+w", "alt+backspace")),
  "text.clear": row("text", "clear", on(TYPING, "ctrl+u")),
  "text.delete-after": row("text", "delete to end of line", on(TYPING, "ctrl+k")),

  "palette.run": row("general", "run", on(["palette"], "return"), ["palette"]),
  "history.take": row("general", "use this task", on(["history"], "return"), ["history"]),
  "quit.now": row("general", "quit", on(["quit"], "y", "return"), ["quit"]),
  "app.back": row(
    "general",
    "back",
    {
      ...on(["sessions", "review", "preview", ...TYPING, "exists"], "escape"),
      ...on(["symbols"], "escape", "h", "left"),
      ...on(["rounds"], "escape", "q", "h", "left", "H"),
      ...on(["help"], "escape", "q", "?", "ctrl+g"),
      ...on(["changes"], "escape", "q", "d"),
      ...on(["command"], "escape", "q", "c"),
      ...on(["quit", "delete"], "escape", "n", "q"),
    },
    ["symbols", ...TYPED_OVERLAYS, ...DIALOGS],
  ),
  "help.open": row("general", "help", { ...on([...SCREENS, "rounds"], "?", "ctrl+g"), ...on(["entry"], "ctrl+g") }, [
    "entry",
    "run",
    "review",
    "preview",
    "symbols",
  ]),
  "palette.open": row("general", "commands", { ...on(SCREENS, "ctrl+p", ":"), ...on(["entry"], "ctrl+p") }),
  "mouse.toggle": row("general", "toggle the mouse", on(SCREENS, "m")),
  "app.quit": row("general", "quit", { ...on(CONTEXTS, "ctrl+q"), ...on(SCREENS, "q", "ctrl+q") }, [
    "entry",
    "sessions",
    "review",
    "preview",
  ]),
  "app.interrupt": row("general", "stop; press twice to quit", on(CONTEXTS, "ctrl+c")),
  "app.suspend": row("general", "suspend to the shell", on(CONTEXTS, "ctrl+z")),
  "app.redraw": row("general", "redraw", on(CONTEXTS, "ctrl+l")),
} as const satisfies Record<string, Binding>;
