/**
 * The content of the overlays: lines of the help, the changes and the command, and rows of the palette and the history.
 */
import { CHANGE_KINDS, type Change, type ChangeKind } from "../../retrieval/model/changes.ts";
import {
  BINDINGS,
  CATEGORIES,
  type Category,
  COMMAND_NAMES,
  type CommandName,
  type Context,
  commandsIn,
  keysOf,
} from "../keys/bindings.ts";
import { type Fuzzy, fuzzyOf } from "./fuzzy.ts";
import { contextBelow } from "./key-context.ts";
import { unappliedChanges } from "./refinement-request.ts";
import type { ReviewState } from "./review-state.ts";
import type { EntryState, State } from "./state.ts";

/** Text about the screen, a category, or a command with its keys. */
export type HelpLine =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "heading"; readonly category: Category }
  | { readonly is: "command"; readonly name: CommandName; readonly keys: readonly string[]; readonly label: string };

/** The commands of a context by category, general ones last. */
export function helpLines(context: Context): readonly HelpLine[] {
  const present = new Set(commandsIn(context));
  const words = FILE_LISTS.includes(context) ? [{ is: "text" as const, text: TIER_LEGEND }] : [];
  const ordered = [...CATEGORIES.filter((category) => category !== "general"), "general" as const];
  const keys = ordered.flatMap((category): readonly HelpLine[] => {
    const names = COMMAND_NAMES.filter((name) => present.has(name) && BINDINGS[name].category === category);
    if (names.length === 0) return [];
    return [
      { is: "heading", category },
      ...names.map((name) => ({
        is: "command" as const,
        name,
        keys: keysOf(name, context),
        label: BINDINGS[name].label,
      })),
    ];
  });
  return [...words, ...keys];
}

/** Contexts that list files with their tier, abbreviated. */
const FILE_LISTS: readonly Context[] = ["run", "review", "preview"];
const TIER_LEGEND = "Seed: named  Deps: imports  Hist: commits  Meta: topics  Rank: score";

type ChangeLine = { readonly kind: ChangeKind; readonly change: Change };

/** What the newest round changed, in display order; null for the first round. */
export function changeLines({ review }: State): readonly ChangeLine[] | null {
  const changes = review?.round?.package.provenance.changes ?? null;
  if (changes === null) return null;
  return CHANGE_KINDS.flatMap((kind) => changes[kind].map((change) => ({ kind, change })));
}

/** A line of the command has at least this many columns. */
const COMMAND_COLUMNS = 30;

/** An upper bound of the lines of the command and the warning above it. */
const commandLines = (review: ReviewState): number =>
  [unappliedChanges(review), review.round?.command]
    .map((text) => Math.ceil((text?.length ?? 0) / COMMAND_COLUMNS))
    .reduce((sum, lines) => sum + lines, 0);

/** The number of lines of the open page; 0 when none is open. */
export function pageLength(state: State): number {
  switch (state.overlay?.is) {
    case "help":
      return helpLines(contextBelow(state)).length;
    case "changes":
      return changeLines(state)?.length ?? 0;
    case "command":
      return state.review === null ? 0 : commandLines(state.review);
    default:
      return 0;
  }
}

const NOT_IN_PALETTE: readonly CommandName[] = ["palette.open", "app.interrupt", "list.next", "list.previous"];

/** The commands that match a query, of those with a key under the palette, without moving and typing. */
export function paletteRows(state: State, query: string): readonly CommandName[] {
  const names = commandsIn(contextBelow(state)).filter(
    (name) =>
      BINDINGS[name].category !== "text" && BINDINGS[name].category !== "move" && !NOT_IN_PALETTE.includes(name),
  );
  const labels = names.map((name) => `${BINDINGS[name].label} ${name}`);
  return bestOf(fuzzyOf(labels), query).flatMap((at) => names[at] ?? []);
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
