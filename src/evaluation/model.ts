/** The data of an evaluation: a case with its known answer, what cra answered, and the result. */
import type { CurveLabel } from "./curve-points.ts";
import type { AmountName, MetricName } from "./metric-names.ts";
import type { TierTokens } from "./tier-tokens.ts";

/** A definition that the accepted change touches; without lines it is identified by name only. */
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

/** Whether the text of the task already names an expected path, file name or definition. */
export type AnswerLeak = { readonly path: boolean; readonly basename: boolean; readonly symbol: boolean };

/** Cases of one group ask for the same target; a higher level asks more exactly. */
export type Exactness = { readonly group: string /** 1 to 9. */; readonly level: number };

export type EvaluationCase = {
  readonly id: string;
  /** `owner/name`; null: the repository given to the command. */
  readonly repo: string | null;
  /** The commit before the change; null: the current state of the repository. */
  readonly baseCommit: string | null;
  readonly baseDate: string | null;
  readonly language: string | null;
  readonly source: string | null;
  readonly task: string;
  readonly expectedFiles: readonly string[];
  readonly expectedSymbols: readonly GoldSymbol[];
  /** Tests that the accepted change touches and that exist before it. */
  readonly expectedTestFiles: readonly string[];
  readonly expectedLines: readonly GoldLines[];
  readonly answerLeak: AnswerLeak | null;
  readonly exactness: Exactness | null;
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

/** Lines of a file in a package, from 1, both inclusive. */
export type PackedSpan = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "whole" | "body" | "signature" | "outline";
  readonly tokens: number;
};

export type PackageAnswer = {
  /** In tokens, as requested: the section of the task may be excluded. */
  readonly budget: number;
  readonly tokenizer: string;
  /** Tokens of the whole text, with the section of the task. */
  readonly tokens: number;
  readonly taskTokens: number;
  readonly spans: readonly PackedSpan[];
};

/** A package at a point of the curve of recall against tokens. */
export type CurvePackage = PackageAnswer & { readonly label: CurveLabel };

/** The answer of cra to one case. */
export type CaseAnswer = {
  /** Files by score: those in scope and the best of the others; the rest is not ranked. */
  readonly rankedFiles: readonly RankedFile[];
  /** The ranking of definitions, best first. */
  readonly rankedSymbols: readonly RankedSymbol[];
  /** Every indexed definition with the name of one that is expected by name only, ranked or not. */
  readonly namedSymbols: readonly RankedSymbol[];
  readonly scopeFiles: readonly string[];
  /** Lines within expected definitions that belong to their members (`own-lines.ts`). */
  readonly foreign: readonly GoldLines[];
  /** At fixed budgets: counted exactly, and approximately without the section of the task. */
  readonly packages: readonly PackageAnswer[];
  /** At the points of the curve, counted exactly. */
  readonly curve: readonly CurvePackage[];
  /** At the configured budget. */
  readonly main: PackageAnswer;
  /** Of the package at the configured budget. */
  readonly tierTokens: TierTokens;
  readonly ms: { readonly index: number; readonly retrieve: number };
};

/** By name; a metric that does not apply to the case is absent. */
export type Scores = Readonly<Partial<Record<MetricName, number>>>;

export type Metrics = {
  readonly scores: Scores;
  /** By name; the amount of a missing package is absent. */
  readonly amounts: Readonly<Partial<Record<AmountName, number>>>;
  /** The rank of every expected file among all files, from 1; null: not ranked. */
  readonly fileRanks: readonly (number | null)[];
  /** Milliseconds. */
  readonly ms: CaseAnswer["ms"];
};

export type CaseResult = Pick<EvaluationCase, "id" | "repo" | "language" | "source" | "answerLeak" | "exactness"> & {
  readonly metrics: Metrics;
};
