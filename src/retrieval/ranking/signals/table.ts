/**
 * The ranking signals, one row each. A new signal is a file with its measure and a row here.
 *
 * Terms of a score are listed in this order. Signals without a default weight are those of the first design: they count
 * under `--weights classic`, or where a setting gives them a weight; otherwise they are measured for provenance
 * (`uncounted-signals.ts`). Settings, help and the terminal UI read the rows at start-up, so a measure is loaded when it is used.
 */
import type { TaskType } from "../../../task/query.ts";
import type { Signal } from "./signal.ts";

/** Named weight tables. `classic` is the table of the first design; `default` was measured on real tasks. */
export const WEIGHT_PROFILES = ["default", "classic"] as const;
export type WeightProfile = (typeof WEIGHT_PROFILES)[number];

/** For every task, or by its type. */
export type SignalWeight = number | (Readonly<Partial<Record<TaskType, number>>> & { readonly other: number });

export type SignalRow = {
  /** The reason that is shown for a file. */
  readonly why: string;
  /** By profile; without an entry the signal has no weight. */
  readonly weights: Readonly<Partial<Record<WeightProfile, SignalWeight>>>;
  /** For a signal that reads whole texts: it is computed last, for at most this many files. */
  readonly bestFilesMax?: number;
  load(): Promise<Signal>;
};

export const SIGNALS = {
  content_match: {
    why: "the file's text, names and path hold the task's rarer words",
    weights: { default: 1 },
    load: async () => (await import("./content-match.ts")).contentMatch,
  },
  definition_match: {
    why: "single definitions of the file hold many of the task's words together",
    weights: { default: 1.5 },
    load: async () => (await import("./definition-match.ts")).definitionMatch,
  },
  mention: {
    why: "the task names the file, or something that it defines",
    weights: { default: 2 },
    load: async () => (await import("./mention.ts")).mention,
  },
  trace_match: {
    why: "the file is in the stack trace",
    weights: { default: 0.6 },
    load: async () => (await import("./trace-match.ts")).traceMatch,
  },
  phrase_match: {
    why: "the file repeats the task's phrases or messages word for word",
    weights: { default: 0.1 },
    bestFilesMax: 300,
    load: async () => (await import("./phrase-match.ts")).phraseMatch,
  },
  history_match: {
    why: "commits with like messages changed the file",
    weights: { default: 0.5 },
    load: async () => (await import("./history-match.ts")).historyMatch,
  },
  prefix_match: {
    why: "the title begins with the name of the file or of its folder (`parser: …`, `fix(parser): …`)",
    weights: { default: 0.8 },
    load: async () => (await import("./prefix-match.ts")).prefixMatch,
  },
  path_match: {
    why: "folders or the file's name are words of the task",
    weights: { classic: 0.2 },
    load: async () => (await import("./path-match.ts")).pathMatch,
  },
  symbol_match: {
    why: "symbols of the file are named like words of the task",
    weights: { classic: { test: 0.3, other: 0.25 } },
    load: async () => (await import("./symbol-match.ts")).symbolMatch,
  },
  dependency_proximity: {
    why: "the file imports, or is imported by, files that the task names",
    weights: { classic: 0.15 },
    load: async () => (await import("./dependency-proximity.ts")).dependencyProximity,
  },
  cochange_affinity: {
    why: "the file changes together with files that the task names",
    weights: { classic: 0.1 },
    load: async () => (await import("./cochange-affinity.ts")).cochangeAffinity,
  },
  recency: {
    why: "the file changed lately",
    weights: { classic: { bug_fix: 0.15, other: 0.05 } },
    load: async () => (await import("./recency.ts")).recency,
  },
  domain_match: {
    why: "the file's domain or module is a concept of the task",
    weights: { classic: 0.1 },
    load: async () => (await import("./domain-match.ts")).domainMatch,
  },
  concept_overlap: {
    why: "the file is about the task's concepts",
    weights: { classic: 0.1 },
    load: async () => (await import("./concept-overlap.ts")).conceptOverlap,
  },
  structural_centrality: {
    why: "many files import it",
    weights: { classic: { bug_fix: 0, refactor: 0.15, other: 0.05 } },
    load: async () => (await import("./structural-centrality.ts")).structuralCentrality,
  },
  entry_point: {
    why: "the file is a route, a controller, a page or a main file",
    weights: {},
    load: async () => (await import("./entry-point.ts")).entryPoint,
  },
  file_size: {
    why: "the file is large, which makes a match in it a little likelier to be meant",
    weights: { default: 0.2 },
    load: async () => (await import("./file-size.ts")).fileSize,
  },
} as const satisfies Readonly<Record<string, SignalRow>>;

export type SignalName = keyof typeof SIGNALS;

const isSignal = (name: string): name is SignalName => Object.hasOwn(SIGNALS, name);
export const SIGNAL_NAMES = Object.keys(SIGNALS).filter(isSignal);
