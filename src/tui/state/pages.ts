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
import { contextBelow, isOffered, labelIn } from "./key-context.ts";
import { hasNothingToRefine, unappliedChanges } from "./refinement-request.ts";
import type { PackageMove, ReviewState } from "./review-state.ts";
import type { EntryState, State } from "./state.ts";

/** Text about the screen, a category, or a command with its keys. */
export type HelpLine =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "heading"; readonly category: Category }
  | { readonly is: "command"; readonly name: CommandName; readonly keys: readonly string[]; readonly label: string };

/** The commands of a context by category, general ones last; by default of the screen under the overlay. */
export function helpLines(state: State, context: Context = contextBelow(state)): readonly HelpLine[] {
  const present = new Set(commandsIn(context).filter((name) => isOffered(state, name)));
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
        label: labelIn(state, name),
      })),
    ];
  });
  return [...words, ...keys];
}

/** Contexts that list files with their tier, abbreviated. */
const FILE_LISTS: readonly Context[] = ["run", "review", "preview"];
const TIER_LEGEND = "Seed: named  Deps: imports  Hist: commits  Meta: topics  Rank: score";

/** A change that a round made, or one that the next round would make, with its tokens; or a heading. */
export type ChangeLine =
  | { readonly is: "heading"; readonly text: string }
  | { readonly is: "made"; readonly kind: ChangeKind; readonly change: Change }
  | { readonly is: "coming"; readonly kind: "added" | "dropped"; readonly move: PackageMove };

/** What the next round would change, and what the newest one changed, in display order; null when there is neither. */
export function changeLines({ review }: Pick<State, "review">): readonly ChangeLine[] | null {
  if (review === null) return null;
  const changes = review.round?.package.provenance.changes ?? null;
  const made =
    changes === null
      ? null
      : CHANGE_KINDS.flatMap((kind) => changes[kind].map((change) => ({ is: "made" as const, kind, change })));
  const coming = comingChanges(review);
  if (coming === null) return made;
  const since = `Round ${review.round?.number ?? 1}, since round ${changes?.since_round ?? 1}`;
  return [
    { is: "heading", text: `The next round, not applied yet${coming.length === 0 ? " (nothing changes)" : ""}` },
    ...coming,
    ...(made === null ? [] : [{ is: "heading" as const, text: since }, ...made]),
  ];
}

/** What applying the decisions would change; null while nothing is to be applied, or that is not known. */
function comingChanges(review: ReviewState): readonly ChangeLine[] | null {
  const { result, requested, answered } = review.dryRun;
  if (hasNothingToRefine(review) || result === null || requested !== answered) return null;
  const lines = (kind: "added" | "dropped", moves: readonly PackageMove[]): readonly ChangeLine[] =>
    moves.map((move) => ({ is: "coming", kind, move }));
  return [...lines("added", result.enters), ...lines("dropped", result.leaves)];
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
      return helpLines(state).length;
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
      BINDINGS[name].category !== "text" &&
      BINDINGS[name].category !== "move" &&
      !NOT_IN_PALETTE.includes(name) &&
      isOffered(state, name),
  );
  const labels = names.map((name) => `${labelIn(state, name)} ${name}`);
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
