/**
 * The user's decisions since the last finished round (marks, another coverage, another budget), with undo and redo.
 *
 * One undo step may hold many changes. Undo and redo together keep at most `STEPS_MAX` steps and `CHANGES_MAX` changes,
 * because they are saved at every key press.
 */
import { z } from "zod";
import { coverageSchema } from "../../config/keys.ts";
import type { Coverage } from "../../retrieval/model/budget.ts";

export const FILE_MARKS = ["accepted", "rejected"] as const;
export type FileMark = (typeof FILE_MARKS)[number];

/** "missing" asks for a definition that the finder added, in whatever detail fits. */
export const SYMBOL_MARKS = ["body", "signature", "out", "missing"] as const;
export type SymbolMark = (typeof SYMBOL_MARKS)[number];

/** A changed decision; null is no decision. */
export const Change = z.discriminatedUnion("of", [
  z.strictObject({
    of: z.literal("file"),
    key: z.string(),
    before: z.enum(FILE_MARKS).nullable(),
    after: z.enum(FILE_MARKS).nullable(),
  }),
  z.strictObject({
    of: z.literal("symbol"),
    key: z.string(),
    before: z.enum(SYMBOL_MARKS).nullable(),
    after: z.enum(SYMBOL_MARKS).nullable(),
  }),
  z.strictObject({
    of: z.literal("coverage"),
    before: coverageSchema().nullable(),
    after: coverageSchema().nullable(),
  }),
  z.strictObject({
    of: z.literal("budget"),
    before: z.int().positive().nullable(),
    after: z.int().positive().nullable(),
  }),
]);
export type Change = Readonly<z.infer<typeof Change>>;

/** Changes that are undone together. */
type DecisionStep = readonly Change[];

export type Decisions = {
  /** By path. */
  readonly files: ReadonlyMap<string, FileMark>;
  /** By `symbolKey`. */
  readonly symbols: ReadonlyMap<string, SymbolMark>;
  /** Of the next round; null when unchanged. */
  readonly coverage: Coverage | null;
  /** Of the next round, in tokens; null when unchanged. */
  readonly budget: number | null;
  /** The newest last. */
  readonly undo: readonly DecisionStep[];
  /** The next to redo last. */
  readonly redo: readonly DecisionStep[];
};

export const NO_DECISIONS: Decisions = {
  files: new Map(),
  symbols: new Map(),
  coverage: null,
  budget: null,
  undo: [],
  redo: [],
};

export const STEPS_MAX = 200;
export const CHANGES_MAX = 6_000;

export const markCount = ({ files, symbols }: Decisions): number => files.size + symbols.size;

/** Marks files in one step. Marks that are already set are skipped, and an empty step is not recorded. */
export function markFiles(
  decisions: Decisions,
  marks: Iterable<readonly [path: string, mark: FileMark | null]>,
): Decisions {
  const step: Change[] = [];
  for (const [key, after] of marks) {
    const before = decisions.files.get(key) ?? null;
    if (before !== after) step.push({ of: "file", key, before, after });
  }
  return withStep(decisions, step);
}

/** Marks one symbol in one step. */
export function markSymbol(decisions: Decisions, key: string, after: SymbolMark | null): Decisions {
  const before = decisions.symbols.get(key) ?? null;
  return withStep(decisions, before === after ? [] : [{ of: "symbol", key, before, after }]);
}

/** Chooses the coverage of the next round in one step; null goes back to that of the round. */
export function chooseCoverage(decisions: Decisions, after: Coverage | null): Decisions {
  const before = decisions.coverage;
  return withStep(decisions, before === after ? [] : [{ of: "coverage", before, after }]);
}

/** Chooses the budget of the next round in one step; null goes back to that of the round. */
export function chooseBudget(decisions: Decisions, after: number | null): Decisions {
  const before = decisions.budget;
  return withStep(decisions, before === after ? [] : [{ of: "budget", before, after }]);
}

function withStep(decisions: Decisions, step: DecisionStep): Decisions {
  if (step.length === 0) return decisions;
  return { ...applied(decisions, step, "after"), undo: newestSteps([...decisions.undo, step]), redo: [] };
}

/** Reverts the newest step; null when there is none. */
export function undone(decisions: Decisions): Decisions | null {
  const { undo, redo } = decisions;
  const step = undo.at(-1);
  return step === undefined
    ? null
    : { ...applied(decisions, step, "before"), undo: undo.slice(0, -1), redo: [...redo, step] };
}

/** Repeats the step that was undone last; null when there is none. */
export function redone(decisions: Decisions): Decisions | null {
  const { undo, redo } = decisions;
  const step = redo.at(-1);
  return step === undefined
    ? null
    : { ...applied(decisions, step, "after"), undo: [...undo, step], redo: redo.slice(0, -1) };
}

/** A step holds each key once, so the order of its changes does not matter. */
function applied(
  decisions: Decisions,
  step: DecisionStep,
  side: "before" | "after",
): Pick<Decisions, "files" | "symbols" | "coverage" | "budget"> {
  const files = new Map(decisions.files);
  const symbols = new Map(decisions.symbols);
  let { coverage, budget } = decisions;
  for (const change of step) {
    if (change.of === "file") setOrDelete(files, change.key, change[side]);
    else if (change.of === "symbol") setOrDelete(symbols, change.key, change[side]);
    else if (change.of === "coverage") coverage = change[side];
    else budget = change[side];
  }
  return { files, symbols, coverage, budget };
}

function setOrDelete<Value>(map: Map<string, Value>, key: string, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

/** The newest steps within the limits, at least one. */
function newestSteps(steps: readonly DecisionStep[]): readonly DecisionStep[] {
  let changes = 0;
  let from = steps.length;
  while (from > 0 && steps.length - from < STEPS_MAX) {
    changes += steps[from - 1]?.length ?? 0;
    if (changes > CHANGES_MAX && from < steps.length) break;
    from -= 1;
  }
  return from === 0 ? steps : steps.slice(from);
}
