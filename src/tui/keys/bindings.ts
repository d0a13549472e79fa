/**
 * Every key of the terminal interface, once: what it does, where, and in which words.
 *
 * The help, the footer, the palette, the reference and the tests read this table; nothing else names a key. Keys are named
 * as `key-events.ts` names them; a chord is its keys with spaces between. Invariants, each held by a test: in a context a
 * key means one thing; no key is the beginning of another's chord; every context knows the keys of `EVERYWHERE`.
 * Not here: what an action does (`update.ts`), and typing: a printable key that means nothing in a context of `TYPING`
 * is text.
 */

/** Where the keys are. `update.ts` says which it is (`contextOf`). */
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

/** Contexts in which letters are text. */
export const TYPING = ["entry", "filter", "finder", "history", "palette", "budget", "notes", "save"] as const;
/** Text above a list: arrows move in the list. */
const PICKING = ["finder", "history", "palette"] as const;
const LISTS = ["sessions", "run", "review", "symbols"] as const;
const PAGES = ["preview", "help", "changes", "command"] as const;
const SCREENS = ["sessions", "run", "review", "preview", "symbols"] as const;

/** Headings of the help, in its order. */
export const CATEGORIES = ["general", "task", "move", "mark", "look", "package", "text"] as const;
export type Category = (typeof CATEGORIES)[number];

/** `label` finishes "press this to …"; `footer` are the contexts that show it below, in the table's order. */
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

const TABLE = {
  "task.run": row("task", "run", on(["entry"], "return"), ["entry"]),
  "text.new-line": row("task", "new line", on(["entry"], "alt+return", "ctrl+j"), ["entry"]),
  "task.edit": row("task", "open in $EDITOR", on(["entry"], "ctrl+e"), ["entry"]),
  "history.open": row("task", "earlier tasks", on(["entry"], "ctrl+r"), ["entry"]),
  "sessions.focus": row("task", "sessions", on(["entry"], "tab"), ["entry"]),
  "task.focus": row("task", "task", on(["sessions"], "tab", "i"), ["sessions"]),
  "session.resume": row("task", "resume", on(["sessions"], "return"), ["sessions"]),
  "index.refresh": row("task", "refresh the index", { ...on(["entry", "sessions"], "ctrl+x") }, ["entry", "sessions"]),
  "run.cancel": row("task", "stop", on(["run"], "escape"), ["run"]),
  "task.new": row("task", "edit the task", on(["review", "preview"], "t")),

  "mark.cycle": row("mark", "mark", on(["review"], "space"), ["review"]),
  "mark.accept": row("mark", "accept", on(["review"], "+")),
  "mark.reject": row("mark", "reject", on(["review"], "-")),
  "mark.clear": row("mark", "leave to cra", on(["review"], "0")),
  "mark.all": row("mark", "accept all listed", on(["review"], "a")),
  "mark.invert": row("mark", "invert the marks of all listed", on(["review"], "i")),
  "mark.range": row("mark", "begin or end a range", on(["review"], "v")),
  "mark.undo": row("mark", "undo", on(["review", "preview", "symbols"], "u")),
  "mark.redo": row("mark", "redo", on(["review", "preview", "symbols"], "ctrl+r")),
  "symbol.cycle": row("mark", "switch body, signature, out", on(["symbols"], "space"), ["symbols"]),
  "finder.open": row("mark", "add a file or symbol", on(["review", "preview"], "f"), ["review"]),
  "finder.add": row("mark", "add", on(["finder"], "return"), ["finder"]),

  "list.next": row("move", "next", {
    ...on(LISTS, "down", "j"),
    ...on(PICKING, "down", "ctrl+n"),
    ...on(["filter"], "down"),
  }),
  "list.previous": row("move", "previous", { ...on(LISTS, "up", "k"), ...on(PICKING, "up"), ...on(["filter"], "up") }),
  "list.page-down": row("move", "a page down", { ...on(LISTS, "pagedown", "ctrl+d"), ...on(PICKING, "pagedown") }),
  "list.page-up": row("move", "a page up", { ...on(LISTS, "pageup", "ctrl+u"), ...on(PICKING, "pageup") }),
  "list.first": row("move", "first", on(LISTS, "home", "g g")),
  "list.last": row("move", "last", on(LISTS, "end", "G")),
  "page.down": row("move", "a line down", on(PAGES, "down", "j")),
  "page.up": row("move", "a line up", on(PAGES, "up", "k")),
  "page.page-down": row("move", "a page down", on(PAGES, "pagedown", "ctrl+d", "space")),
  "page.page-up": row("move", "a page up", on(PAGES, "pageup", "ctrl+u")),
  "page.top": row("move", "to the top", on(PAGES, "home", "g g")),
  "page.bottom": row("move", "to the bottom", on(PAGES, "end", "G")),

  "symbols.open": row("look", "symbols", on(["review", "preview"], "return"), ["review"]),
  "filter.open": row("look", "filter", on(["review"], "/"), ["review"]),
  "filter.keep": row("look", "keep the filter", on(["filter"], "return"), ["filter"]),
  "preview.down": row("look", "scroll the preview down", on(["review"], "J")),
  "preview.up": row("look", "scroll the preview up", on(["review"], "K")),
  "pane.switch": row("look", "list or preview", on(["review", "preview"], "tab"), ["review", "preview"]),
  "reason.toggle": row("look", "why", on(["review", "preview"], "p"), ["preview"]),
  "changes.open": row("look", "what the round changed", on(["review", "preview"], "d")),

  "package.refine": row("package", "refine", on(["review", "preview", "symbols"], "r"), [
    "review",
    "preview",
    "symbols",
  ]),
  "notes.open": row("package", "a note for the next round", on(["review", "preview"], "n")),
  "notes.set": row("package", "keep the note", on(["notes"], "return"), ["notes"]),
  "budget.open": row("package", "budget", on(["review", "preview"], "b")),
  "budget.set": row("package", "set the budget", on(["budget"], "return"), ["budget"]),
  "save.open": row("package", "save", on(["review", "preview"], "w"), ["review", "preview"]),
  "save.format": row("package", "another format", on(["save"], "tab"), ["save"]),
  "save.write": row("package", "write", on(["save"], "return"), ["save"]),
  "save.overwrite": row("package", "overwrite it", on(["exists"], "y"), ["exists"]),
  "save.rename": row("package", "another name", on(["exists"], "n"), ["exists"]),
  "copy.package": row("package", "copy the package", on(["review", "preview"], "y")),
  "copy.path": row("package", "copy the path", on(["review", "preview", "symbols"], "Y")),
  "command.open": row("package", "the command that gives this", on(["review", "preview"], "c")),
  "copy.command": row("package", "copy it", on(["command"], "y"), ["command"]),
  "package.remember": row("package", "remember it as an experience", on(["review", "preview"], "l")),
  "file.edit": row("package", "open the file in $EDITOR", on(["review", "preview", "symbols"], "e")),

  "text.left": row("text", "left", on(TYPING, "left", "ctrl+b")),
  "text.right": row("text", "right", on(TYPING, "right", "ctrl+f")),
  "text.up": row("text", "a line up, or an earlier task", on(["entry"], "up")),
  "text.down": row("text", "a line down, or a later task", on(["entry"], "down")),
  "text.word-left": row("text", "a word left", on(TYPING, "ctrl+left", "alt+left", "alt+b")),
  "text.word-right": row("text", "a word right", on(TYPING, "ctrl+right", "alt+right", "alt+f")),
  "text.home": row("text", "start of the line", on(TYPING, "home", "ctrl+a")),
  "text.end": row("text", "end of the line", on(TYPING, "end")),
  "text.delete-left": row("text", "delete", on(TYPING, "backspace")),
  "text.delete-right": row("text", "delete forward", on(TYPING, "delete", "ctrl+d")),
  "text.delete-word": row("text", "delete a word", on(TYPING, "ctrl+w", "alt+backspace")),
  "text.delete-before": row("text", "delete to the start", on(TYPING, "ctrl+u")),
  "text.delete-after": row("text", "delete to the end", on(TYPING, "ctrl+k")),

  "palette.run": row("general", "do it", on(["palette"], "return"), ["palette"]),
  "history.take": row("general", "take it", on(["history"], "return"), ["history"]),
  "quit.now": row("general", "quit", on(["quit"], "y", "return"), ["quit"]),
  "app.back": row(
    "general",
    "back",
    {
      ...on(
        ["sessions", "review", "preview", "symbols", ...TYPING, "exists", "help", "changes", "command", "quit"],
        "escape",
      ),
      ...on(["help", "changes", "command"], "escape", "q"),
      ...on(["quit"], "escape", "n"),
    },
    [
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
    ],
  ),
  "help.open": row("general", "help", { ...on(SCREENS, "?"), ...on(["entry"], "ctrl+g") }, [
    "entry",
    "run",
    "review",
    "preview",
    "symbols",
  ]),
  "palette.open": row("general", "commands", { ...on(SCREENS, "ctrl+p", ":"), ...on(["entry"], "ctrl+p") }),
  "mouse.toggle": row("general", "mouse on or off", on(SCREENS, "m")),
  "app.quit": row("general", "quit", { ...on(SCREENS, "q"), ...on(["entry"], "ctrl+q") }, [
    "entry",
    "sessions",
    "review",
    "preview",
  ]),
  "app.interrupt": row("general", "stop; twice: quit", on(CONTEXTS, "ctrl+c")),
  "app.suspend": row("general", "to the shell", on(CONTEXTS, "ctrl+z")),
  "app.redraw": row("general", "draw again", on(CONTEXTS, "ctrl+l")),
} as const satisfies Record<string, Binding>;

export type CommandName = keyof typeof TABLE;

/** The table. Iterate with `COMMAND_NAMES`, whose order is that of the help and the footer. */
export const BINDINGS: Readonly<Record<CommandName, Binding>> = TABLE;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(TABLE, name);
export const COMMAND_NAMES: readonly CommandName[] = Object.keys(TABLE).filter(isCommandName);

/** The keys of an action in a context, the first the one to show; none when it has no meaning there. */
export const keysOf = (name: CommandName, context: Context): readonly string[] => BINDINGS[name].keys[context] ?? [];

/** Actions with a key in a context, in the table's order. */
export const commandsIn = (context: Context): readonly CommandName[] =>
  COMMAND_NAMES.filter((name) => keysOf(name, context).length > 0);

/** Shorter words for the footer, where there are any. */
const SHORT: Readonly<Partial<Record<CommandName, string>>> = {
  "task.edit": "editor",
  "index.refresh": "index",
  "finder.open": "add",
  "symbol.cycle": "switch",
};

/** How the footer of a context calls an action. */
export const footerLabel = (name: CommandName, context: Context): string =>
  name === "pane.switch" ? (context === "preview" ? "files" : "preview") : (SHORT[name] ?? BINDINGS[name].label);

/** What a footer leaves out first when it has no room for all. */
export const DROPPED_FIRST: readonly CommandName[] = [
  "index.refresh",
  "task.edit",
  "history.open",
  "symbols.open",
  "filter.open",
  "text.new-line",
  "finder.open",
];

/** What the footer of a context shows. */
export const footerOf = (context: Context): readonly CommandName[] =>
  COMMAND_NAMES.filter((name) => BINDINGS[name].footer.includes(context));

const COMMANDS_BY_KEY: ReadonlyMap<Context, ReadonlyMap<string, CommandName>> = new Map(
  CONTEXTS.map((context) => [
    context,
    new Map(commandsIn(context).flatMap((name) => keysOf(name, context).map((key) => [key, name] as const))),
  ]),
);

/** What a key or a whole chord means in a context; null when nothing. */
export const commandOf = (keys: string, context: Context): CommandName | null =>
  COMMANDS_BY_KEY.get(context)?.get(keys) ?? null;

/** Whether a chord of the context begins so. */
export const beginsChord = (keys: string, context: Context): boolean =>
  [...(COMMANDS_BY_KEY.get(context)?.keys() ?? [])].some((known) => known.startsWith(`${keys} `));

/** Whether letters are text in a context. */
export const isTyping = (context: Context): boolean => TYPING.some((typing) => typing === context);
