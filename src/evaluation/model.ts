/** What is measured: a task with its known answer, what cra answered to it, and how good that was. */
import type { MetricName } from "./metric-names.ts";

/** A definition that the accepted change touches. Without lines (the plain format), it is known by its names alone. */
export type GoldSymbol = {
  readonly path: string | null;
  readonly qualified: string;
  readonly name: string;
  /** From 1, both inclusive. */
  readonly lines: { readonly start: number; readonly end: number } | null;
  /** Only the innermost ones are scored. */
  readonly role: "innermost" | "enclosing";
};

export type GoldLines = { readonly path: string; readonly start: number; readonly end: number };

/** Whether the task's text already names what is sought. */
export type GivesAway = { readonly path: boolean; readonly basename: boolean; readonly symbol: boolean };

export type EvaluationCase = {
  readonly id: string;
  /** `owner/name`, or null: the one repository that is named to the command. */
  readonly repo: string | null;
  /** The code as it was before the change; null: as the repository stands. */
  readonly baseCommit: string | null;
  readonly baseDate: string | null;
  readonly language: string | null;
  readonly source: string | null;
  readonly task: string;
  readonly expectedFiles: readonly string[];
  readonly expectedSymbols: readonly GoldSymbol[];
  readonly expectedLines: readonly GoldLines[];
  readonly givesAway: GivesAway | null;
};

export type RankedFile = { readonly path: string; readonly isTest: boolean };

/** A definition in the ranking; lines from 1, both inclusive. */
export type RankedSymbol = {
  readonly path: string;
  readonly qualified: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
};

/** A part of a package; lines from 1, both inclusive. */
export type PackedPiece = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "whole" | "body" | "signature" | "outline";
  readonly tokens: number;
};

export type PackageAnswer = {
  /** In tokens, as it was asked for: a budget net of the task's section does not count what that takes. */
  readonly budget: number;
  readonly tokenizer: string;
  /** Of the whole text, the task's section included. */
  readonly tokens: number;
  readonly taskTokens: number;
  readonly pieces: readonly PackedPiece[];
};

/** What cra answered to one case. */
export type CaseAnswer = {
  /** Files in order of score: those in scope, and the best of the others; what is behind them is not ranked. */
  readonly rankedFiles: readonly RankedFile[];
  /** The ranking of definitions, best first. */
  readonly rankedSymbols: readonly RankedSymbol[];
  /** Every definition of the index that has the name of one which is expected by name alone, ranked or not. */
  readonly namedSymbols: readonly RankedSymbol[];
  readonly scopeFiles: readonly string[];
  /** Lines inside of expected definitions that are not their own (`own-lines.ts`). */
  readonly foreign: readonly GoldLines[];
  /** At fixed budgets: counted exactly, and approximately net of the task's section. */
  readonly packages: readonly PackageAnswer[];
  /** At the configured budget. */
  readonly main: PackageAnswer;
  readonly ms: { readonly index: number; readonly retrieve: number };
};

/** By name; a metric that does not apply to the case is absent. */
export type Scores = Readonly<Partial<Record<MetricName, number>>>;

export type Metrics = {
  readonly scores: Scores;
  /** The rank of every expected file among all files, from 1; null: not ranked. */
  readonly fileRanks: readonly (number | null)[];
  /** Milliseconds. */
  readonly ms: CaseAnswer["ms"];
};

export type CaseResult = Pick<EvaluationCase, "id" | "repo" | "language" | "source" | "givesAway"> & {
  readonly metrics: Metrics;
};
