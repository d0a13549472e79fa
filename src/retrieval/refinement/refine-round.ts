/**
 * What a round is run with: its request, and the constraints and shown items of the task's earlier rounds.
 *
 * They come from the session. Somebody may have edited it: what cannot be read counts as missing, and the log is asked.
 */

import type { z } from "zod";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { RawLog } from "../../db/raw-log/raw-log.ts";
import type { Session } from "../../db/session/session.ts";
import type { Notice } from "../../failure.ts";
import type { RoundShown, ShownItem } from "../model/changes.ts";
import type { ContextPackage } from "../model/package-schema.ts";
import {
  type Constraints,
  isConstrained,
  joinRequests,
  mergeConstraints,
  type RefinementRequest,
  StoredRequest,
} from "../model/refinement.ts";
import { FinalContext } from "../record/selection-json.ts";
import { changesSince } from "./changes.ts";
import { withFrames } from "./failure-frames.ts";
import { constraintsInLog, shownInLog } from "./rounds-in-log.ts";

/**
 * A task's further round. `taskId` is that of its first one. `again`: it is an old round made once more, so its
 * constraints are those that are given, and no others.
 */
export type Refinement = {
  readonly taskId: string;
  readonly request: RefinementRequest;
  /** A text with stack frames: what they name in the index is missed. */
  readonly trace?: string;
  readonly again?: true;
};

/** `since` is the last finished round before this one; null when there is none that can be compared with. */
export type RefinedRound = {
  readonly constraints: Constraints;
  readonly since: RoundShown | null;
  readonly notices: readonly Notice[];
};

/** Where the rounds of a task are known from. */
type Rounds = {
  readonly session: Pick<Session, "rounds" | "get" | "getMember" | "alike">;
  readonly log: Pick<RawLog, "runs" | "decisions">;
  readonly taskId: string;
};

/**
 * The constraints of a round that has begun, and what it is compared with; `standing` are those that it adds to. The
 * request is kept in the session; one that a killed attempt at this round left there is part of it.
 */
export function refinedRound(
  {
    session,
    log,
    taskId,
    kb,
    only,
  }: Rounds & {
    readonly session: Pick<Session, "set">;
    readonly kb: KnowledgeBase;
    readonly only?: readonly string[] | undefined;
  },
  round: number,
  { request: asked, trace = "" }: Refinement,
  standing: Constraints,
): RefinedRound {
  const { request, notices } = withFrames(asked, trace, kb, standing, only);
  const left = StoredRequest.safeParse(session.get(round, "refinement_request"));
  const whole = left.success ? joinRequests(left.data, request) : request;
  session.set(round, "refinement_request", whole);
  const [last] = finishedBefore(session, round);
  const shown = last === undefined ? undefined : keptOf(session, last, "shown", FinalContext.shape.shown);
  return {
    constraints: mergeConstraints(standing, whole),
    since: last === undefined || shown === undefined ? shownInLog(log, taskId, round) : { round: last, shown },
    notices,
  };
}

/**
 * What a task has been asked for before a round: the constraints of the newest finished round that had any, since a
 * plain `cra retrieve` in between takes nothing back. Of a session that was archived or lost, what the log knows. Null
 * when there are none.
 */
export function standingConstraints({ session, log, taskId }: Rounds, round: number): Constraints | null {
  const finished = finishedBefore(session, round);
  // A task that is asked again mostly gives what it gave, so its newest round tells for those that keep the same.
  let told: ReadonlySet<number> = new Set();
  let read = 0;
  for (const earlier of finished) {
    if (read === 1) told = new Set(session.alike(finished[0] ?? earlier, "final_context"));
    if (!told.has(earlier)) {
      const constraints = keptOf(session, earlier, "constraints", FinalContext.shape.constraints);
      // What is newer than the rest and cannot be read may hold others.
      if (constraints === undefined) break;
      if (isConstrained(constraints)) return constraints;
    }
    read += 1;
  }
  // Rounds have consecutive numbers: where the session has them all, the log has no other.
  if (read === round - 1) return null;
  return constraintsInLog(log, taskId, round);
}

/** The finished rounds before this one, the newest first. */
const finishedBefore = (session: Pick<Session, "rounds">, before: number): readonly number[] =>
  session
    .rounds()
    .filter(({ round, status }) => status === "finished" && round < before)
    .map(({ round }) => round)
    .reverse();

/**
 * What a finished round kept under one name; undefined where it kept none that can be read. A round keeps a line for
 * each of thousands of symbols, and a task may have many rounds, so nothing else is read.
 */
function keptOf<T>(
  session: Pick<Session, "getMember">,
  round: number,
  name: string,
  shape: z.ZodType<T>,
): T | undefined {
  return shape.safeParse(session.getMember(round, "final_context", name)).data;
}

/** Whether the last round was begun and never finished, so that it can be continued. */
export const isUnfinished = (session: Pick<Session, "rounds">): boolean =>
  session.rounds().at(-1)?.status === "running";

/** The package with what this round changed since an earlier one; the text that is shown stays as it is. */
export function withChanges(
  pkg: ContextPackage,
  since: RefinedRound["since"],
  shown: readonly ShownItem[],
): ContextPackage {
  const changes = since === null ? null : changesSince(since.round, since.shown, shown);
  return { ...pkg, provenance: { ...pkg.provenance, changes } };
}
