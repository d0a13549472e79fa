/**
 * The pages that are read line by line: the help, and what a round changed. Also what the palette and the history list.
 *
 * Pure. A page's length bounds how far it scrolls. Not here: how a line is drawn.
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
import { contextOf } from "./key-context.ts";
import type { EntryState, ReviewState, State } from "./state.ts";
import { unappliedChanges } from "./unapplied-changes.ts";

/** A heading (a category), an action with its keys, or words about what the screen shows. */
export type HelpLine =
  | { readonly is: "words"; readonly text: string }
  | { readonly is: "heading"; readonly category: Category }
  | { readonly is: "action"; readonly name: CommandName; readonly keys: readonly string[]; readonly label: string };

/** What can be done where the keys are below the overlay: what is special to it first, then what is everywhere. */
export function helpLines(context: Context): readonly HelpLine[] {
  const present = new Set(commandsIn(context));
  const words = LISTING.includes(context) ? [{ is: "words" as const, text: TIER_WORDS }] : [];
  const ordered = [...CATEGORIES.filter((category) => category !== "general"), "general" as const];
  const keys = ordered.flatMap((category): readonly HelpLine[] => {
    const names = COMMAND_NAMES.filter((name) => present.has(name) && BINDINGS[name].category === category);
    if (names.length === 0) return [];
    return [
      { is: "heading", category },
      ...names.map((name) => ({
        is: "action" as const,
        name,
        keys: keysOf(name, context),
        label: BINDINGS[name].label,
      })),
    ];
  });
  return [...words, ...keys];
}

/** Where files stand with the reason why they are in scope, short or as a letter. */
const LISTING: readonly Context[] = ["run", "review", "preview"];
const TIER_WORDS = "Seed: named  Deps: imports  Hist: commits  Meta: topics  Rank: score";

/** One change of a round, with its kind. */
export type ChangeLine = { readonly kind: ChangeKind; readonly change: Change };

/** What the newest round changed, in the order in which it is shown; null when it was the first. */
export function changeLines({ review }: State): readonly ChangeLine[] | null {
  const changes = review?.round?.package.provenance.changes ?? null;
  if (changes === null) return null;
  return CHANGE_KINDS.flatMap((kind) => changes[kind].map((change) => ({ kind, change })));
}

/** Columns that a line of the command surely has; a narrower terminal is too small. */
const COMMAND_COLUMNS = 30;

/** The command, and what it lacks above it. */
const commandLines = (review: ReviewState): number =>
  [unappliedChanges(review), review.round?.command]
    .map((text) => Math.ceil((text?.length ?? 0) / COMMAND_COLUMNS))
    .reduce((sum, lines) => sum + lines, 0);

/** Lines of the page that is open; 0 when none is. */
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

/** Where the keys will be when the overlay goes. */
export const contextBelow = (state: State): Context => contextOf({ ...state, overlay: null });

const PALETTE_LEFT_OUT: readonly CommandName[] = ["palette.open", "app.interrupt", "list.next", "list.previous"];

/** What the palette offers for a query: every action that has a key below it, typing apart. */
export function paletteRows(state: State, query: string): readonly CommandName[] {
  const names = commandsIn(contextBelow(state)).filter(
    (name) =>
      BINDINGS[name].category !== "text" && BINDINGS[name].category !== "move" && !PALETTE_LEFT_OUT.includes(name),
  );
  const labels = names.map((name) => `${BINDINGS[name].label} ${name}`);
  return bestOf(fuzzyOf(labels), query).flatMap((at) => names[at] ?? []);
}

const histories = new WeakMap<readonly string[], Fuzzy>();

/** The earlier tasks that a query leaves, the newest first without one. */
export function historyRows({ history }: EntryState, query: string): readonly string[] {
  const fuzzy = histories.get(history) ?? fuzzyOf(history.map((task) => task.slice(0, 1_000)));
  histories.set(history, fuzzy);
  return bestOf(fuzzy, query).flatMap((at) => history[at] ?? []);
}

const bestOf = (fuzzy: Fuzzy, query: string): readonly number[] =>
  fuzzy.search(query, fuzzy.size).best.map(({ index }) => index);
