/** Which rounds of packages this server has sent: a round that follows one of them need not repeat it. */

/** `root` is that of the repository. */
export type SentRounds = {
  has(root: string, taskId: string, round: number): boolean;
  add(root: string, taskId: string, round: number): void;
};

/** For answers that nobody goes on from, and for a server of many clients. */
export const NOTHING_SENT: SentRounds = { has: () => false, add: () => {} };

export function openSentRounds(): SentRounds {
  const sent = new Set<string>();
  const keyOf = (root: string, taskId: string, round: number): string => `${root}\0${taskId}:${round}`;
  return {
    has: (...round) => sent.has(keyOf(...round)),
    add: (...round) => void sent.add(keyOf(...round)),
  };
}
