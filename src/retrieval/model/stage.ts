/**
 * What a stage is, and the selection that is threaded through the stages.
 *
 * A stage is an async generator: it yields events as things happen and returns its outcome. It writes
 * to nothing; the runner (`retrieve.ts`) records what it returns. Adding a stage is adding a module
 * and a row in `stages.ts`.
 */
import type { FileRow, KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../failure.ts";
import type { TaskQuery } from "../../task/query.ts";
import type { LineRange } from "../../text/ranges.ts";
import type { Anchor } from "../anchors/anchors.ts";
import type { StageJudge } from "../judging/judging.ts";
import type { SymbolWishes } from "../precision/symbol-requests.ts";
import type { DefinitionScore, FileScore } from "../ranking/score.ts";
import type { Weights } from "../ranking/weights.ts";
import type { Seed } from "../scope/seeds.ts";
import type { PipelineEvent } from "./events.ts";

/** Why a file is in scope, strongest first. */
export const FILE_TIERS = ["seed", "dependency", "co_change", "metadata", "ranked"] as const;
export type FileTier = (typeof FILE_TIERS)[number];

/** How much of a symbol the task needs, most first. */
export const SYMBOL_TIERS = ["primary", "supporting", "type_context", "excluded"] as const;
export type SymbolTier = (typeof SYMBOL_TIERS)[number];

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
 * relative to the best, and a little above 1 for what the best use. `primaryOf` are the symbols whose relation brought
 * a supporting one in. `beside` are those it is shown along with while it is short (`companions.ts`). `wish`: it is shown
 * so because a refinement asks for it.
 */
export type PlacedSymbol = {
  readonly symbol: SymbolRow;
  readonly tier: SymbolTier;
  readonly floor: boolean;
  readonly score: number;
  readonly why: string;
  readonly primaryOf: readonly number[];
  readonly beside?: readonly number[];
  /** A model judged it primary: packed before what it did not. */
  readonly ahead?: true;
  readonly wish?: "body" | "signature";
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

/** How much of a thing is shown. */
export type Detail = "body" | "excerpt" | "signature" | "none";

/** A recorded verdict on one file (`symbol` null) or one symbol. */
export type Decision = {
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
  readonly kind: string | null;
  readonly tier: string;
  readonly included: boolean;
  readonly detail: Detail;
  readonly score: number;
  readonly terms: FileScore["terms"] | null;
  readonly tokens: number | null;
  readonly reason: string;
};

/**
 * What a model's verdicts did to a stage: a row for each thing it judged (its tier is the model's class, `included` what
 * came of it), and the stage's decisions as they are after it.
 */
export type StageJudgement = { readonly verdicts: readonly Decision[]; readonly decisions: readonly Decision[] };

/** `decisions` are those without a model; `selection` is what holds. */
export type StageOutcome = {
  readonly selection: Selection;
  readonly decisions: readonly Decision[];
  /** Null when no model judged. */
  readonly judgement: StageJudgement | null;
  readonly notices: readonly Notice[];
};

/** The knobs of a run that choose what is selected. */
export type ScopeOptions = {
  readonly scopeSize: number;
  readonly depth: 1 | 2 | 3;
  readonly weights: Weights;
  /** Folders and files that all candidates lie in, from the root; everywhere when left out. */
  readonly only?: readonly string[];
  /** Globs; a file is a candidate when it matches one of `include` (or that is empty) and none of `exclude`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
};

export type StageInput = {
  readonly kb: KnowledgeBase;
  readonly task: TaskQuery;
  readonly anchors: readonly Anchor[];
  /** The files that may be selected, by path. */
  readonly files: readonly FileRow[];
  readonly options: ScopeOptions;
  /** What a refinement wishes of single symbols. */
  readonly wishes: SymbolWishes;
  readonly selection: Selection;
  /** Null when the run has no model. */
  readonly judge: StageJudge | null;
  /** Lets signals in; rejects when one of them ends the run. To be awaited between steps that take long. */
  readonly pause: () => Promise<void>;
};

/** A stage's work, with what it was given and what it gave. */
export type StageRun = { readonly input: StageInput; readonly outcome: StageOutcome };

export type Stage = {
  readonly name: string;
  readonly what: string;
  /** Whether it would give the same with other wishes and all else as it was. A stage without it heeds any wish. */
  isUnmovedBy?(wishes: SymbolWishes, before: StageRun): boolean;
  run(input: StageInput): AsyncGenerator<PipelineEvent, StageOutcome>;
};
