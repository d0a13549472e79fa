/**
 * The content of the overlays: lines of the help, and rows of the palette and the history.
 */
import {
  BINDINGS,
  CATEGORIES,
  type Category,
  COMMAND_NAMES,
  type CommandName,
  type Context,
  commandsIn,
  keysOf,
} from "../../keys/bindings.ts";
import { contextBelow, isOffered, labelIn } from "../key-context.ts";
import type { EntryState, State } from "../state.ts";
import { type Fuzzy, fuzzyOf } from "./fuzzy.ts";

/** A category, or a command with its keys. */
export type HelpLine =
  | { readonly is: "heading"; readonly category: Category }
  | { readonly is: "command"; readonly name: CommandName; readonly keys: readonly string[]; readonly label: string };

/** The commands of a context by category, general ones last; by default of the screen under the overlay. */
export function helpLines(state: State, context: Context = contextBelow(state)): readonly HelpLine[] {
  const present = new Set(commandsIn(context).filter((name) => isOffered(state, name)));
  const ordered = [...CATEGORIES.filter((category) => category !== "general"), "general" as const];
  return ordered.flatMap((category): readonly HelpLine[] => {
    const names = COMMAND_NAMES.filter((name) => present.has(name) && BINDINGS[name].category === category);
    if (names.length === 0) return [];
    return [
      { is: "heading", category },
      ...names.map((name) => ({
        is: "command" as const,
        name,
        keys: keysOf(name, context),
        label: labelIn(state, name),
      })),
    ];
  });
}

const NOT_IN_PALETTE: readonly CommandName[] = ["palette.open", "app.interrupt"];

/**
 * The commands that match a query, of those with a key under the palette, without typing; moving comes last. One whose key is the query
 * comes first: hands type `:w` and `:q`.
 */
export function paletteRows(state: State, query: string): readonly CommandName[] {
  const context = contextBelow(state);
  const all = commandsIn(context).filter(
    (name) => BINDINGS[name].category !== "text" && !NOT_IN_PALETTE.includes(name) && isOffered(state, name),
  );
  const isMove = (name: CommandName): boolean => BINDINGS[name].category === "move";
  const names = [...all.filter((name) => !isMove(name)), ...all.filter(isMove)];
  const labels = names.map((name) => `${labelIn(state, name)} ${name}`);
  const keyed = names.filter((name) => keysOf(name, context).includes(query));
  const matching = bestOf(fuzzyOf(labels), query).flatMap((at) => names[at] ?? []);
  return [...new Set([...keyed, ...matching])];
}

const histories = new WeakMap<readonly string[], Fuzzy>();

/** The earlier tasks that match a query; without one, the newest first. */
export function historyRows({ history }: EntryState, query: string): readonly string[] {
  const fuzzy = histories.get(history) ?? fuzzyOf(history.map((task) => task.slice(0, 1_000)));
  histories.set(history, fuzzy);
  return bestOf(fuzzy, query).flatMap((at) => history[at] ?? []);
}

const bestOf = (fuzzy: Fuzzy, query: string): readonly number[] =>
  fuzzy.search(query, fuzzy.size).best.map(({ index }) => index);
