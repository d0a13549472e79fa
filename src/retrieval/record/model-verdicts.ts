/**
 * What a model said of things, told from what cra decided on them, and put beside it.
 *
 * Pure, on what the log holds: the verdicts of a model on a stage are recorded as `<stage>:judgement`.
 */

/** The part of a decision that says what it is on. */
type On = {
  readonly stage: string;
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
};

const JUDGEMENT = ":judgement";

/** The name that a model's verdicts on a stage are recorded under. */
export const judgementOf = (stage: string): string => `${stage}${JUDGEMENT}`;

/** Whether it is on the task's words and on areas, and not on a file or symbol that was considered. */
export const isOnTask = ({ stage }: Pick<On, "stage">): boolean => stage === judgementOf("analysis");

/** The same decisions in the same order, but that each verdict of a model follows the decision that it judges. */
export function judgedBeside<Row extends On>(decisions: readonly Row[]): readonly Row[] {
  const keyOf = ({ stage, path, symbol, line }: On): string => JSON.stringify([stage, path, symbol, line]);
  const decided = new Set(decisions.map(keyOf));
  const judgedAs = (row: Row): string | null => {
    if (!row.stage.endsWith(JUDGEMENT)) return null;
    const key = keyOf({ ...row, stage: row.stage.slice(0, -JUDGEMENT.length) });
    return decided.has(key) ? key : null;
  };
  const judged = Map.groupBy(decisions, judgedAs);
  const waiting = new Map(judged);
  return decisions.flatMap((row) => {
    if (judgedAs(row) !== null) return [];
    const key = keyOf(row);
    const beside = waiting.get(key) ?? [];
    waiting.delete(key);
    return [row, ...beside];
  });
}
