/**
 * Memoizes lookups that lead to other lookups, and possibly back to themselves: Rust modules may re-export each other's names. No answer
 * depends on the order of the lookups, so an index after a change equals a fresh one.
 *
 * A lookup that leads back to itself gets null there. What follows from that null is kept for the present lookup only.
 */
type CyclicMemo<Answer> = {
  /** `find` may ask more. Null if there is no answer. */
  ask(key: string, find: () => Answer | null): Answer | null;
  /** To be called before each step of `find` that may ask; false when the present lookup has taken all its steps. */
  mayFollow(): boolean;
};

/** `stepsMax`: the steps of one lookup and all that it leads to. */
export function openCyclicMemo<Answer>(stepsMax: number): CyclicMemo<Answer> {
  /** Answers that hold wherever they are asked for, and the steps that they took. */
  const settled = new Map<string, { readonly answer: Answer | null; readonly steps: number }>();
  /** Answers that hold for a whole lookup only. */
  const whole = new Map<string, Answer | null>();
  /** The answers within the present lookup; null for those that are being looked for. */
  const present = new Map<string, Answer | null>();
  let steps = 0;
  /** Whether an answer of `present` was used, or the steps were not enough. */
  let isCut = false;

  const take = (count: number): boolean => {
    steps += count;
    isCut ||= steps > stepsMax;
    return steps <= stepsMax;
  };
  const within = (key: string, find: () => Answer | null): Answer | null => {
    const known = settled.get(key);
    // It takes the steps again, or the limit would depend on what was asked before.
    if (known !== undefined) return take(known.steps) ? known.answer : null;
    const here = present.get(key);
    if (here !== undefined) {
      isCut = true;
      return here;
    }
    const [before, wasCut] = [steps, isCut];
    isCut = false;
    present.set(key, null);
    const answer = find();
    present.set(key, answer);
    if (!isCut) settled.set(key, { answer, steps: steps - before });
    isCut ||= wasCut;
    return answer;
  };
  return {
    ask(key, find) {
      if (present.size > 0) return within(key, find);
      const known = whole.get(key);
      if (known !== undefined) return known;
      [steps, isCut] = [0, false];
      const answer = within(key, find);
      present.clear();
      if (isCut) whole.set(key, answer);
      return answer;
    },
    mayFollow: () => take(1),
  };
}
