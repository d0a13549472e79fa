/**
 * Keeps answers for files that ask the same.
 *
 * Files come in path order and neighbours ask the same questions, so it is emptied when it is full: with the answers for all folders of a large
 * repository it would outgrow all else.
 */
export function answerCache<Answer>(
  answersMax: number = ANSWERS_MAX,
): (question: string, find: () => Answer) => Answer {
  const known = new Map<string, Answer>();
  return (question, find) => {
    const answer = known.get(question);
    if (answer !== undefined) return answer;
    const found = find();
    if (known.size >= answersMax) known.clear();
    known.set(question, found);
    return found;
  };
}

const ANSWERS_MAX = 8_000;
