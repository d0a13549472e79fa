/** The selection: the files, symbols and lines that the stages have chosen so far. */
import type { FileRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { LineRange } from "../../text/ranges.ts";
import type { TracedLine } from "./anchor.ts";
import type { DefinitionScore, FileScore } from "./scores.ts";
import type { FileTier, SymbolTier } from "./tiers.ts";

/** A file that the task names. Symbols are by id. */
export type Seed = {
  readonly fileId: number;
  /** Quotes the text that names it. */
  readonly reason: string;
  /** The symbols of the file that are named. */
  readonly symbols: readonly number[];
  /** By the user, as a hint or in a refinement. */
  readonly given: boolean;
  /** It comes before other files in rank, because the file itself is named or a symbol of it: in a short task, or as a hint. */
  readonly first?: "file" | "symbol";
  /** The file itself is named: by its path in the text, or by a hint. */
  readonly isPath?: true;
  /** The lines of the file that a stack trace names, the deepest frame first. */
  readonly traced?: readonly TracedLine[];
  /** Symbols that a refinement reports missing. */
  readonly missing?: readonly number[];
  /** Symbols that were changed. Empty when only the file is known to have changed. */
  readonly changed?: readonly number[];
};

/**
 * A file in scope. `relation` says in words what brought it in, `match` which words of the task match where in it. `rank`
 * counts from 1: hints first, then by score.
 */
export type ScopedFile = {
  readonly file: FileRow;
  readonly tier: FileTier;
  readonly relation: string;
  readonly match?: readonly string[];
  readonly score: FileScore;
  readonly rank: number;
};

/** A symbol with its tier. */
export type PlacedSymbol = {
  readonly symbol: SymbolRow;
  readonly tier: SymbolTier;
  /** The task names it, or it is the best of a file that the task names: it can be cut but never left out. */
  readonly floor: boolean;
  /** Comparable across files: 0..1 relative to the best, and a little above 1 for what the best use. */
  readonly score: number;
  readonly why: string;
  /** The symbols whose relation brought in a supporting one. */
  readonly usedBy: readonly number[];
  /** The symbols it is shown along with while it is short (`companions.ts`). */
  readonly companionOf?: readonly number[];
  /** It uses what a review changes or removes, or what an exact task names. */
  readonly isCaller?: true;
  /** It is a member of a class that an exact task names. */
  readonly isMember?: true;
  /** Of a symbol in a test file: the file's place among those that are likely to belong to the task, from 0. */
  readonly testOrder?: number;
  /** By how much a model's verdict multiplies the probability that it matters; 1 if left out. */
  readonly evidence?: number;
  /** A refinement requests that it is shown so. */
  readonly requested?: "body" | "signature";
};

/** Lines outside any symbol that match the task. */
export type PlacedSnippet = {
  readonly fileId: number;
  readonly ranges: readonly LineRange[];
  readonly score: number;
  readonly floor: boolean;
  readonly why: string;
  /** A review names the file, and no definition of it. Most of what was changed is in the diff. */
  readonly ofChangedFile?: true;
  /** They use what a review's changes removed. */
  readonly isCaller?: true;
  /** As of a symbol. */
  readonly testOrder?: number;
};

/** What the stages have chosen so far. `leftOut` are symbols that a refinement wants hidden. */
export type Selection = {
  readonly seeds: readonly Seed[];
  readonly files: readonly ScopedFile[];
  readonly symbols: readonly PlacedSymbol[];
  readonly snippets: readonly PlacedSnippet[];
  /** Ranked definitions of the scoped files, best first. */
  readonly definitions: readonly DefinitionScore[];
  readonly leftOut?: readonly SymbolRow[];
  /** The task is vague: the files are a map of the repository, shown by signatures. */
  readonly isMap?: true;
};

export const EMPTY_SELECTION: Selection = { seeds: [], files: [], symbols: [], snippets: [], definitions: [] };
