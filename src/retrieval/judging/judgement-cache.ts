/**
 * Answers of a model that a task has been given already, kept in its session: a run that was killed, or a further round,
 * asks nothing twice.
 *
 * Every round holds what was asked in it; all rounds are read. Not here: what a fingerprint is made of, and whether a
 * remembered answer is one (`judgement/`).
 */
import { z } from "zod";
import type { Session } from "../../db/session/session.ts";
import type { JudgementMemory } from "../../judgement/judge.ts";

/** Answers by fingerprint, as a session keeps them. */
export const JudgementsJson = z.record(z.string().regex(/^[0-9a-f]{64}$/), z.json());

/** The memory of the round `round`, in which new answers are kept at once. */
export function judgementMemory(session: Pick<Session, "rounds" | "get" | "set">, round: number): JudgementMemory {
  const known = new Map<string, unknown>();
  const own = new Map<string, unknown>();
  for (const { round: at } of session.rounds()) {
    const kept = JudgementsJson.safeParse(session.get(at, "judgements"));
    if (!kept.success) continue; // Damage of a session is for doctor to find; here it costs a question.
    for (const [fingerprint, answer] of Object.entries(kept.data)) {
      known.set(fingerprint, answer);
      if (at === round) own.set(fingerprint, answer);
    }
  }
  return {
    recall: (fingerprint) => known.get(fingerprint),
    keep(fingerprint, verdicts) {
      known.set(fingerprint, verdicts);
      own.set(fingerprint, verdicts);
      session.set(round, "judgements", Object.fromEntries(own));
    },
  };
}
