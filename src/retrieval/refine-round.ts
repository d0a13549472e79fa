/**
 * What a round is asked for: what the task's earlier rounds were, and the request that begins it.
 *
 * Read from the session, where someone may have edited it: what cannot be read counts as not there. Not here: running
 * the round (`retrieve.ts`).
 */
import type { Session } from "../db/session.ts";
import { changesSince, type ShownItem } from "./changes.ts";
import type { ContextPackage } from "./package-schema.ts";
import {
  type Constraints,
  joinRequests,
  mergeConstraints,
  type RefinementRequest,
  StoredRequest,
} from "./refinement.ts";
import { FinalContext } from "./selection-json.ts";

/** A task's further round. `taskId` is that of its first one. */
export type Refinement = { readonly taskId: string; readonly request: RefinementRequest };

/** `since` is the last finished round before this one; null when there is none that can be compared with. */
export type RefinedRound = {
  readonly constraints: Constraints;
  readonly since: { readonly round: number; readonly shown: readonly ShownItem[] } | null;
};

/**
 * The constraints of a round that has begun, and what it is compared with; `known` are those that the log knows of, for
 * a session that was lost. The request is kept in the session; one that a killed attempt at this round left there is
 * part of it.
 */
export function refinedRound(
  session: Pick<Session, "rounds" | "get" | "set">,
  round: number,
  { request }: Refinement,
  known: Constraints,
): RefinedRound {
  const left = StoredRequest.safeParse(session.get(round, "refinement_request"));
  const whole = left.success ? joinRequests(left.data, request) : request;
  session.set(round, "refinement_request", whole);
  const last = session
    .rounds()
    .filter((row) => row.status === "finished" && row.round < round)
    .at(-1);
  const context =
    last === undefined ? null : (FinalContext.safeParse(session.get(last.round, "final_context")).data ?? null);
  return {
    constraints: mergeConstraints(context?.constraints ?? known, whole),
    since: last === undefined || context?.shown === undefined ? null : { round: last.round, shown: context.shown },
  };
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
