/** Tells a model's verdicts from cra's own decisions in the log, where a verdict's stage is `<stage>:judgement`. */

/** What a decision is about. */
type Subject = {
  readonly stage: string;
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
};

const JUDGEMENT = ":judgement";

/** The stage name under which a model's verdicts on a stage are recorded. */
export const judgementOf = (stage: string): string => `${stage}${JUDGEMENT}`;

/** Whether the verdict is on the task's words or areas, not on a file or symbol. */
export const isOnTask = ({ stage }: Pick<Subject, "stage">): boolean => stage === judgementOf("analysis");

/** The same decisions in the same order, except that each verdict of a model follows the decision that it judges. */
export function judgedBeside<Row extends Subject>(decisions: readonly Row[]): readonly Row[] {
  const keyOf = ({ stage, path, symbol, line }: Subject): string => JSON.stringify([stage, path, symbol, line]);
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
