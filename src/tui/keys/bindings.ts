/** Looks up the key table: keys of commands, commands of keys, and what footers show. */
import { type Binding, CATEGORIES, type Category, CONTEXTS, type Context, TABLE, TYPING } from "./key-table.ts";

export { CATEGORIES, type Category, CONTEXTS, type Context };

export type CommandName = keyof typeof TABLE;

export const BINDINGS: Readonly<Record<CommandName, Binding>> = TABLE;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(TABLE, name);

/** In table order, which is the order of help, palette and footer. */
export const COMMAND_NAMES: readonly CommandName[] = Object.keys(TABLE).filter(isCommandName);

/** The keys of a command in a context; empty when it has none there. */
export const keysOf = (name: CommandName, context: Context): readonly string[] => BINDINGS[name].keys[context] ?? [];

/** The first key of a command in a context, for texts that name it; "" when it has none there. */
export const firstKey = (name: CommandName, context: Context): string => keysOf(name, context)[0] ?? "";

/** Commands with a key in a context. */
export const commandsIn = (context: Context): readonly CommandName[] =>
  COMMAND_NAMES.filter((name) => keysOf(name, context).length > 0);

const SHORT_LABELS: Readonly<Partial<Record<CommandName, string>>> = {
  "task.edit": "editor",
  "index.refresh": "index",
  "finder.open": "add",
  "page.down": "scroll",
  "symbol.cycle": "mark symbol",
  "reason.toggle": "why",
  "filter.keep": "apply",
  "notes.set": "save",
  "budget.set": "set",
  "copy.command": "copy",
  "history.take": "use",
  "leftout.toggle": "left out",
  "session.rename": "rename",
  "session.delete": "delete",
  "preview.search": "search",
  "match.next": "next",
  "preview.whole": "whole file",
  "preview.wrap": "wrap",
  "changes.go": "go to file",
};

/** How the footer of a context labels a command. */
export const footerLabel = (name: CommandName, context: Context): string =>
  name === "pane.switch" ? (context === "preview" ? "list" : "preview") : (SHORT_LABELS[name] ?? BINDINGS[name].label);

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
  "leftout.toggle",
  "rounds.open",
  "rounds.return",
];

/** What a footer drops first when it is too narrow. */
export const DROPPED_FIRST: readonly CommandName[] = [
  "index.refresh",
  "task.edit",
  "history.open",
  "symbols.open",
  "filter.open",
  "text.new-line",
  "preview.wrap",
  "session.rename",
  "session.delete",
  "match.next",
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
