/** The tool `refine`: makes another round of a package from feedback. */
import { z } from "zod";
import type { App } from "../../app/app.ts";
import { failureInLog } from "../../escalation/failure-log.ts";
import { failedAttempt } from "../../escalation/failure-task.ts";
import { PackageAnswer } from "../../present/answers.ts";
import { readRefinement } from "../../retrieval/model/read-refinement.ts";
import { RefinementRequest } from "../../retrieval/model/refinement.ts";
import {
  budget,
  budgetOf,
  CHANGES,
  changesIn,
  coverage,
  indexNeeds,
  packageAnswer,
  packageText,
  standing,
  trace,
} from "./package-round.ts";
import { type Limits, tool } from "./tool.ts";

const RefineInput = RefinementRequest.extend({
  task_id: z.string().min(1).max(100).describe("of the package, or the beginning of it"),
  trace,
  ...CHANGES,
  standing,
  budget,
  coverage,
});

export const REFINE = tool({
  name: "refine",
  title: "Refine a package",
  description:
    'Makes the next round of a package from retrieve: name what was missing, right or wrong, or the errors that came up since. Use it when a package lacks something or your attempt failed, not retrieve again, which begins afresh; earlier feedback still applies. Example: {"task_id": "9b12", "missing_symbols": ["Session.close"], "rejected_files": ["src/legacy.py"]}.',
  writes: true,
  isIdempotent: false,
  less: "ask again with a smaller budget",
  input: RefineInput,
  output: PackageAnswer,
  async answer({ task_id: taskId, trace: log, diff, since, standing: choice, budget: asked, ...input }, call) {
    const { coverage: share = null, ...lists } = input;
    const { app, limits } = call;
    const bundle = log === undefined ? null : failureInLog(log);
    const failed = bundle === null ? null : failedAttempt(bundle);
    const reason = lists.reason ?? failed?.reason ?? undefined;
    const errors = [...(lists.error_signatures ?? []), ...(failed?.errors ?? [])];
    const request = readRefinement(
      {
        ...lists,
        ...(reason === undefined ? {} : { reason }),
        ...(errors.length === 0 ? {} : { error_signatures: errors }),
      },
      { typed: false, file: "the request" },
    );
    const changes = changesIn({ diff, since });
    const tokens = asked === undefined ? await budgetBefore(app, taskId, limits) : budgetOf(asked, limits);
    const round = app.refine(
      {
        taskId,
        request,
        ...(failed === null ? {} : { trace: failed.trace }),
        ...(changes === undefined ? {} : { changes }),
        ...(choice === undefined ? {} : { standing: choice }),
        budget: tokens,
        coverage: share,
        ...indexNeeds(call),
      },
      call.signal,
    );
    return packageText(await packageAnswer(await call.follow.run(round), call));
  },
});

const StoredBudget = z.looseObject({ tokens: z.int().positive() });

/** The default budget if the previous round exceeds the limit of clients; null keeps the budget of that round. */
async function budgetBefore(app: App, taskId: string, { budgetDefault, budgetMax }: Limits): Promise<number | null> {
  const { rounds } = await app.runRecord(taskId, null);
  const stored = StoredBudget.safeParse(rounds.at(-1)?.budget).data?.tokens ?? budgetDefault;
  return stored > budgetMax ? budgetDefault : null;
}
