/** The selection: the files, symbols and lines that the stages have chosen so far. */
import type { FileRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { LineRange } from "../../text/ranges.ts";
import type { DefinitionScore, FileScore } from "./scores.ts";
import type { FileTier, SymbolTier } from "./tiers.ts";

/**
 * A file that the task names. `symbols` are the ones named in it; `reason` quotes the naming text. `given`: by the user,
 * as a hint or in a refinement; `missing` are those of its symbols that a refinement reports missing, `changed` those that were changed
 * (there, but empty, when of the file nothing more is known).
 */
export type Seed = {
  readonly fileId: number;
  readonly reason: string;
  readonly symbols: readonly number[];
  readonly given: boolean;
  readonly missing?: readonly number[];
  readonly changed?: readonly number[];
};

/** A file in scope. `relation` says in words what brought it in. `rank` counts from 1: hints first, then by score. */
export type ScopedFile = {
  readonly file: FileRow;
  readonly tier: FileTier;
  readonly relation: string;
  readonly score: FileScore;
  readonly rank: number;
};

/**
 * A symbol with its tier. `floor`: the task names it (or it is the best of a file that the task names),
 * so it can be cut to its signature but never left out. `score` is comparable across files, in 0..1
 * relative to the best, and a little above 1 for what the best use. `usedBy` are the symbols whose relation brought
 * a supporting one in. `companionOf` are those it is shown along with while it is short (`companions.ts`). `requested`: it is shown
 * so because a refinement asks for it.
 */
export type PlacedSymbol = {
  readonly symbol: SymbolRow;
  readonly tier: SymbolTier;
  readonly floor: boolean;
  readonly score: number;
  readonly why: string;
  readonly usedBy: readonly number[];
  readonly companionOf?: readonly number[];
  /** A model judged it primary: packed before what it did not. */
  readonly ahead?: true;
  readonly requested?: "body" | "signature";
};

/** Lines outside any symbol that match the task. */
export type PlacedSnippet = {
  readonly fileId: number;
  readonly ranges: readonly LineRange[];
  readonly score: number;
  readonly floor: boolean;
  readonly why: string;
};

/** What the stages have chosen so far. `leftOut` are symbols that a refinement wants not to be shown. */
export type Selection = {
  readonly seeds: readonly Seed[];
  readonly files: readonly ScopedFile[];
  readonly symbols: readonly PlacedSymbol[];
  readonly snippets: readonly PlacedSnippet[];
  /** Ranked definitions of the scoped files, best first. */
  readonly definitions: readonly DefinitionScore[];
  readonly leftOut?: readonly SymbolRow[];
};

export const EMPTY_SELECTION: Selection = { seeds: [], files: [], symbols: [], snippets: [], definitions: [] };
