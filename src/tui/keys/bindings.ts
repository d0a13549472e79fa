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
  "save",
  "exists",
  "help",
  "changes",
  "command",
  "quit",
] as const;
export type Context = (typeof CONTEXTS)[number];

const TYPED_OVERLAYS = ["filter", "finder", "history", "palette", "budget", "notes", "save"] as const;
/** Contexts in which a printable key without a command is text. */
const TYPING = ["entry", ...TYPED_OVERLAYS] as const;
/** A query above a list: arrows move in the list. */
const PICKING = ["finder", "history", "palette"] as const;
const LISTS = ["sessions", "run", "review", "symbols"] as const;
const PAGES = ["preview", "help", "changes", "command"] as const;
const DIALOGS = ["exists", "help", "changes", "command", "quit"] as const;
const SCREENS = ["sessions", "run", "review", "preview", "symbols"] as const;

/** Headings of the help, in order. */
export const CATEGORIES = ["general", "task", "move", "mark", "view", "package", "text"] as const;
export type Category = (typeof CATEGORIES)[number];

/** `keys`: the first of a context is the one to show; a chord is its keys joined by spaces. `footer`: contexts whose footer shows it. */
type Binding = {
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

const TABLE = {
  "task.run": row("task", "run", on(["entry"], "return"), ["entry"]),
  "text.new-line": row("task", "new line", on(["entry"], "alt+return", "ctrl+j"), ["entry"]),
  "task.edit": row("task", "edit in $EDITOR", on(["entry"], "ctrl+e"), ["entry"]),
  "history.open": row("task", "task history", on(["entry"], "ctrl+r"), ["entry"]),
  "sessions.focus": row("task", "sessions", on(["entry"], "tab"), ["entry"]),
  "task.focus": row("task", "task", on(["sessions"], "tab", "i"), ["sessions"]),
  "session.resume": row("task", "resume", on(["sessions"], "return"), ["sessions"]),
  "index.refresh": row("task", "update the index", { ...on(["entry", "sessions"], "ctrl+x") }, ["entry", "sessions"]),
  "run.cancel": row("task", "stop", on(["run"], "escape"), ["run"]),
  "task.new": row("task", "edit the task", on(["review", "preview"], "t")),

  "mark.cycle": row("mark", "mark", on(["review"], "space"), ["review"]),
  "mark.accept": row("mark", "accept", on(["review"], "+")),
  "mark.reject": row("mark", "reject", on(["review"], "-")),
  "mark.clear": row("mark", "clear the mark", on(["review"], "0")),
  "mark.all": row("mark", "accept all listed files", on(["review"], "a")),
  "mark.invert": row("mark", "invert all listed marks", on(["review"], "i")),
  "mark.range": row("mark", "start or end a range", on(["review"], "v")),
  "mark.undo": row("mark", "undo", on(["review", "preview", "symbols"], "u")),
  "mark.redo": row("mark", "redo", on(["review", "preview", "symbols"], "ctrl+r")),
  "symbol.cycle": row("mark", "cycle body, signature, omit", on(["symbols"], "space"), ["symbols"]),
  "finder.open": row("mark", "add a file or symbol", on(["review", "preview"], "f"), ["review"]),
  "finder.add": row("mark", "add", on(["finder"], "return"), ["finder"]),

  "list.next": row("move", "next", {
    ...on(LISTS, "down", "j"),
    ...on(PICKING, "down", "ctrl+n"),
    ...on(["filter"], "down"),
  }),
  "list.previous": row("move", "previous", { ...on(LISTS, "up", "k"), ...on(PICKING, "up"), ...on(["filter"], "up") }),
  "list.page-down": row("move", "page down", { ...on(LISTS, "pagedown", "ctrl+d"), ...on(PICKING, "pagedown") }),
  "list.page-up": row("move", "page up", { ...on(LISTS, "pageup", "ctrl+u"), ...on(PICKING, "pageup") }),
  "list.first": row("move", "first", on(LISTS, "home", "g g")),
  "list.last": row("move", "last", on(LISTS, "end", "G")),
  "page.down": row("move", "line down", on(PAGES, "down", "j")),
  "page.up": row("move", "line up", on(PAGES, "up", "k")),
  "page.page-down": row("move", "page down", on(PAGES, "pagedown", "ctrl+d", "space")),
  "page.page-up": row("move", "page up", on(PAGES, "pageup", "ctrl+u")),
  "page.top": row("move", "top", on(PAGES, "home", "g g")),
  "page.bottom": row("move", "bottom", on(PAGES, "end", "G")),

  "symbols.open": row("view", "symbols", on(["review", "preview"], "return"), ["review"]),
  "filter.open": row("view", "filter", on(["review"], "/"), ["review"]),
  "filter.keep": row("view", "apply the filter", on(["filter"], "return"), ["filter"]),
  "preview.down": row("view", "scroll the preview down", on(["review"], "J")),
  "preview.up": row("view", "scroll the preview up", on(["review"], "K")),
  "pane.switch": row("view", "switch pane", on(["review", "preview"], "tab"), ["review", "preview"]),
  "reason.toggle": row("view", "show or hide the reasons", on(["review", "preview"], "p"), ["preview"]),
  "changes.open": row("view", "changes in this round", on(["review", "preview"], "d")),

  "package.refine": row("package", "refine", on(["review", "preview", "symbols"], "r"), [
    "review",
    "preview",
    "symbols",
  ]),
  "constraints.keep": row("package", "apply what earlier rounds asked", on(["review", "preview"], "A")),
  "constraints.drop": row("package", "forget what earlier rounds asked", on(["review", "preview"], "D")),
  "notes.open": row("package", "add a note for the next round", on(["review", "preview"], "n")),
  "notes.set": row("package", "save the note", on(["notes"], "return"), ["notes"]),
  "coverage.widen": row("package", "widen: more coverage", on(["review", "preview"], ">"), ["review", "preview"]),
  "coverage.narrow": row("package", "narrow: less coverage", on(["review", "preview"], "<"), ["review", "preview"]),
  "budget.open": row("package", "change the budget", on(["review", "preview"], "b")),
  "budget.set": row("package", "set the budget", on(["budget"], "return"), ["budget"]),
  "save.open": row("package", "save", on(["review", "preview"], "w"), ["review", "preview"]),
  "save.format": row("package", "next format", on(["save"], "tab"), ["save"]),
  "save.write": row("package", "save", on(["save"], "return"), ["save"]),
  "save.overwrite": row("package", "overwrite", on(["exists"], "y"), ["exists"]),
  "save.rename": row("package", "change the name", on(["exists"], "n"), ["exists"]),
  "copy.package": row("package", "copy the package", on(["review", "preview"], "y")),
  "copy.path": row("package", "copy the path", on(["review", "preview", "symbols"], "Y")),
  "command.open": row("package", "show the equivalent command", on(["review", "preview"], "c")),
  "copy.command": row("package", "copy the command", on(["command"], "y"), ["command"]),
  "package.remember": row("package", "remember as an experience", on(["review", "preview"], "l")),
  "file.edit": row("package", "edit the file in $EDITOR", on(["review", "preview", "symbols"], "e")),

  "text.left": row("text", "left", on(TYPING, "left", "ctrl+b")),
  "text.right": row("text", "right", on(TYPING, "right", "ctrl+f")),
  "text.up": row("text", "line up, or previous task", on(["entry"], "up")),
  "text.down": row("text", "line down, or next task", on(["entry"], "down")),
  "text.word-left": row("text", "word left", on(TYPING, "ctrl+left", "alt+left", "alt+b")),
  "text.word-right": row("text", "word right", on(TYPING, "ctrl+right", "alt+right", "alt+f")),
  "text.home": row("text", "start of line", on(TYPING, "home", "ctrl+a")),
  "text.end": row("text", "end of line", on(TYPING, "end")),
  "text.delete-left": row("text", "delete left", on(TYPING, "backspace")),
  "text.delete-right": row("text", "delete right", on(TYPING, "delete", "ctrl+d")),
  "text.delete-word": row("text", "delete word", on(TYPING, "ctrl+w", "alt+backspace")),
  "text.delete-before": row("text", "delete to start of line", on(TYPING, "ctrl+u")),
  "text.delete-after": row("text", "delete to end of line", on(TYPING, "ctrl+k")),

  "palette.run": row("general", "run", on(["palette"], "return"), ["palette"]),
  "history.take": row("general", "use this task", on(["history"], "return"), ["history"]),
  "quit.now": row("general", "quit", on(["quit"], "y", "return"), ["quit"]),
  "app.back": row(
    "general",
    "back",
    {
      ...on(["sessions", "review", "preview", "symbols", ...TYPING, "exists"], "escape"),
      ...on(["help", "changes", "command"], "escape", "q"),
      ...on(["quit"], "escape", "n"),
    },
    ["symbols", ...TYPED_OVERLAYS, ...DIALOGS],
  ),
  "help.open": row("general", "help", { ...on(SCREENS, "?"), ...on(["entry"], "ctrl+g") }, [
    "entry",
    "run",
    "review",
    "preview",
    "symbols",
  ]),
  "palette.open": row("general", "commands", { ...on(SCREENS, "ctrl+p", ":"), ...on(["entry"], "ctrl+p") }),
  "mouse.toggle": row("general", "toggle the mouse", on(SCREENS, "m")),
  "app.quit": row("general", "quit", { ...on(SCREENS, "q"), ...on(["entry"], "ctrl+q") }, [
    "entry",
    "sessions",
    "review",
    "preview",
  ]),
  "app.interrupt": row("general", "stop; press twice to quit", on(CONTEXTS, "ctrl+c")),
  "app.suspend": row("general", "suspend to the shell", on(CONTEXTS, "ctrl+z")),
  "app.redraw": row("general", "redraw", on(CONTEXTS, "ctrl+l")),
} as const satisfies Record<string, Binding>;

export type CommandName = keyof typeof TABLE;

export const BINDINGS: Readonly<Record<CommandName, Binding>> = TABLE;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(TABLE, name);

/** In table order, which is the order of help, palette and footer. */
export const COMMAND_NAMES: readonly CommandName[] = Object.keys(TABLE).filter(isCommandName);

/** The keys of a command in a context; empty when it has none there. */
export const keysOf = (name: CommandName, context: Context): readonly string[] => BINDINGS[name].keys[context] ?? [];

/** Commands with a key in a context. */
export const commandsIn = (context: Context): readonly CommandName[] =>
  COMMAND_NAMES.filter((name) => keysOf(name, context).length > 0);

const SHORT_LABELS: Readonly<Partial<Record<CommandName, string>>> = {
  "task.edit": "editor",
  "index.refresh": "index",
  "finder.open": "add",
  "coverage.widen": "widen",
  "coverage.narrow": "narrow",
  "symbol.cycle": "cycle",
  "reason.toggle": "why",
  "filter.keep": "apply",
  "notes.set": "save",
  "budget.set": "set",
  "copy.command": "copy",
  "history.take": "use",
};

/** How the footer of a context labels a command. */
export const footerLabel = (name: CommandName, context: Context): string =>
  name === "pane.switch" ? (context === "preview" ? "files" : "preview") : (SHORT_LABELS[name] ?? BINDINGS[name].label);

/** What needs a package, which the partial result of a stopped run is not. */
export const NEEDS_PACKAGE: readonly CommandName[] = [
  "changes.open",
  "constraints.keep",
  "constraints.drop",
  "coverage.widen",
  "coverage.narrow",
  "save.open",
  "copy.package",
  "command.open",
  "package.remember",
];

/** What a footer drops first when it is too narrow. */
export const DROPPED_FIRST: readonly CommandName[] = [
  "index.refresh",
  "task.edit",
  "history.open",
  "symbols.open",
  "filter.open",
  "text.new-line",
  "coverage.narrow",
  "finder.open",
];

/** The commands in the footer of a context. */
export const footerOf = (context: Context): readonly CommandName[] =>
  COMMAND_NAMES.filter((name) => BINDINGS[name].footer.includes(context));

const COMMANDS_BY_KEY: ReadonlyMap<Context, ReadonlyMap<string, CommandName>> = new Map(
  CONTEXTS.map((context) => [
    context,
    new Map(commandsIn(context).flatMap((name) => keysOf(name, context).map((key) => [key, name] as const))),
  ]),
);

/** The command of a key or a whole chord in a context; null when it has none. */
export const commandOf = (keys: string, context: Context): CommandName | null =>
  COMMANDS_BY_KEY.get(context)?.get(keys) ?? null;

/** Whether a chord of the context starts with these keys. */
export const beginsChord = (keys: string, context: Context): boolean =>
  [...(COMMANDS_BY_KEY.get(context)?.keys() ?? [])].some((known) => known.startsWith(`${keys} `));

/** Whether printable keys are text in a context. */
export const isTyping = (context: Context): boolean => TYPING.some((typing) => typing === context);
