/**
 * What the user decided since the last finished round, with the way back and forth.
 *
 * Pure. Decisions are on files (accepted, rejected) and on symbols (body, signature, out, missing), by path and by
 * `path:qualified name`. One step may hold many changes; undoing it and doing it again gives the same decisions.
 * Invariants: the two lists of steps together are as long as `STEPS_MAX` and as heavy as `CHANGES_MAX` at most; a new
 * step forgets what was undone. Not here: what earlier rounds hold, and the request (`refinement-request.ts`).
 */
import { z } from "zod";

export const FILE_MARKS = ["accepted", "rejected"] as const;
export type FileMark = (typeof FILE_MARKS)[number];

/** "missing" asks for a definition that the finder added, in whatever form fits. */
export const SYMBOL_MARKS = ["body", "signature", "out", "missing"] as const;
export type SymbolMark = (typeof SYMBOL_MARKS)[number];

/** One decision that changed; null is none. */
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
]);
export type Change = Readonly<z.infer<typeof Change>>;

/** Changes that are undone together. */
export type DecisionStep = readonly Change[];

export type Decisions = {
  readonly files: ReadonlyMap<string, FileMark>;
  readonly symbols: ReadonlyMap<string, SymbolMark>;
  /** The newest last. */
  readonly undo: readonly DecisionStep[];
  /** The next to be done again last. */
  readonly redo: readonly DecisionStep[];
};

export const NO_DECISIONS: Decisions = { files: new Map(), symbols: new Map(), undo: [], redo: [] };

/** Steps and changes that are remembered: they are written at every key press. */
export const STEPS_MAX = 200;
export const CHANGES_MAX = 6_000;

export const hasNoDecisions = ({ files, symbols }: Decisions): boolean => files.size === 0 && symbols.size === 0;

/** The marks of files as one step; what is already so is no part of it, and a step of nothing is none. */
export function markFiles(
  decisions: Decisions,
  marks: Iterable<readonly [path: string, mark: FileMark | null]>,
): Decisions {
  const step: Change[] = [];
  for (const [key, after] of marks) {
    const before = decisions.files.get(key) ?? null;
    if (before !== after) step.push({ of: "file", key, before, after });
  }
  return decided(decisions, step);
}

/** The wish for one symbol, as one step. */
export function markSymbol(decisions: Decisions, key: string, after: SymbolMark | null): Decisions {
  const before = decisions.symbols.get(key) ?? null;
  return decided(decisions, before === after ? [] : [{ of: "symbol", key, before, after }]);
}

function decided(decisions: Decisions, step: DecisionStep): Decisions {
  if (step.length === 0) return decisions;
  return { ...applied(decisions, step, "after"), undo: lightened([...decisions.undo, step]), redo: [] };
}

/** Takes the newest step back; null when there is none. */
export function undone(decisions: Decisions): Decisions | null {
  const step = decisions.undo.at(-1);
  if (step === undefined) return null;
  return {
    ...applied(decisions, step, "before"),
    undo: decisions.undo.slice(0, -1),
    redo: [...decisions.redo, step],
  };
}

/** Does the step again that was undone last; null when there is none. */
export function redone(decisions: Decisions): Decisions | null {
  const step = decisions.redo.at(-1);
  if (step === undefined) return null;
  return {
    ...applied(decisions, step, "after"),
    undo: [...decisions.undo, step],
    redo: decisions.redo.slice(0, -1),
  };
}

/** A step holds a key once, so its changes may be made in any order. */
function applied(
  decisions: Decisions,
  step: DecisionStep,
  side: "before" | "after",
): Pick<Decisions, "files" | "symbols"> {
  const files = new Map(decisions.files);
  const symbols = new Map(decisions.symbols);
  for (const change of step) {
    if (change.of === "file") put(files, change.key, change[side]);
    else put(symbols, change.key, change[side]);
  }
  return { files, symbols };
}

function put<Value>(map: Map<string, Value>, key: string, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

/** The newest steps, as many as are remembered; the newest always. */
function lightened(steps: readonly DecisionStep[]): readonly DecisionStep[] {
  let changes = 0;
  let from = steps.length;
  while (from > 0 && steps.length - from < STEPS_MAX) {
    changes += steps[from - 1]?.length ?? 0;
    if (changes > CHANGES_MAX && from < steps.length) break;
    from -= 1;
  }
  return from === 0 ? steps : steps.slice(from);
}
