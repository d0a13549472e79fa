/**
 * The model's earlier verdicts for a task, stored in its session, so that an interrupted or further run repeats no question.
 *
 * A round stores its own answers and reads those of all rounds.
 */
import { z } from "zod";
import type { Session } from "../../db/session/session.ts";
import type { JudgementMemory } from "../../judgement/judge.ts";

/** Answers by fingerprint, as a session stores them. */
export const JudgementsJson = z.record(z.string().regex(/^[0-9a-f]{64}$/), z.json());

/** The memory of a round, which stores new answers at once. */
export function judgementMemory(session: Pick<Session, "rounds" | "get" | "set">, round: number): JudgementMemory {
  const known = new Map<string, unknown>();
  const own = new Map<string, unknown>();
  for (const { round: at } of session.rounds()) {
    const stored = JudgementsJson.safeParse(session.get(at, "judgements"));
    if (!stored.success) continue; // Damage of a session is for doctor to find; here it costs a question.
    for (const [fingerprint, answer] of Object.entries(stored.data)) {
      known.set(fingerprint, answer);
      if (at === round) own.set(fingerprint, answer);
    }
  }
  return {
    recall: (fingerprint) => known.get(fingerprint),
    keep(entries) {
      for (const [fingerprint, answer] of entries) {
        known.set(fingerprint, answer);
        own.set(fingerprint, answer);
      }
      session.set(round, "judgements", Object.fromEntries(own));
    },
  };
}
