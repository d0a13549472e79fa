/** The tool `refine`: makes another round of a package from feedback. */
import { z } from "zod";
import type { App } from "../../app/app.ts";
import { failureInLog } from "../../escalation/failure-log.ts";
import { type FailedAttempt, failedAttempt } from "../../escalation/failure-task.ts";
import { PackageAnswer } from "../../present/answers.ts";
import { readRefinement } from "../../retrieval/requests/read-refinement.ts";
import { REFINEMENT_ENTRIES_MAX, REFINEMENT_LISTS, RefinementRequest } from "../../retrieval/requests/refinement.ts";
import { errorLines } from "../../retrieval/requests/request-names.ts";
import { cleanText } from "../../task/sections/markup.ts";
import { fromRoot, type Served } from "../path-sandbox.ts";
import {
  answerOf,
  budget,
  budgetOf,
  CHANGES,
  changesIn,
  coverage,
  indexNeeds,
  packageText,
  REFINE_NEXT,
  show,
  standing,
  trace,
} from "./package-round.ts";
import { type Limits, tool } from "./tool.ts";

const PASTED_CHARS_MAX = 100_000;
/** As it stands in a log or an answer: of several lines. */
const pasted = z.string().max(PASTED_CHARS_MAX);
const { reason, error_signatures } = RefinementRequest.shape;

const RefineInput = RefinementRequest.extend({
  reason: pasted.optional().describe(reason.description ?? ""),
  error_signatures: z
    .array(pasted)
    .max(REFINEMENT_ENTRIES_MAX)
    .optional()
    .describe(error_signatures.description ?? ""),
  task_id: z.string().min(1).max(100).describe("of the package, or the beginning of it"),
  trace,
  ...CHANGES,
  standing,
  budget,
  coverage,
  show,
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
    const { coverage: share = null, show: shown, ...lists } = input;
    const { app, limits } = call;
    const bundle = log === undefined ? null : failureInLog(log);
    const failed = bundle === null ? null : failedAttempt(bundle);
    const request = requestFrom(lists, failed, { root: app.root, members: await app.taskMembers(taskId) });
    const changes = changesIn({ diff, since });
    const tokens =
      asked === undefined
        ? await budgetBefore(app, taskId, { limits, isStated: shown !== undefined })
        : budgetOf(asked, limits);
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
    const { found, isRecorded } = await answerOf(round, call, shown);
    return packageText(found, isRecorded ? REFINE_NEXT : `${REFINE_NEXT}, and repeat what this round asked for`);
  },
});

/** Throws a usage failure for names that are none. Paths may be absolute, as agents have them. */
function requestFrom(
  { reason: typed, error_signatures: pastedErrors = [], ...names }: RefinementRequest,
  failed: FailedAttempt | null,
  served: Served,
): RefinementRequest {
  const said = typed === undefined ? "" : cleanText(typed).replaceAll(/\s+/g, " ").trim();
  const reason = said === "" ? (failed?.reason ?? undefined) : said;
  const errors = [...errorLines(pastedErrors), ...(failed?.errors ?? [])];
  const lists = REFINEMENT_LISTS.flatMap((list) => {
    const entries = list === "error_signatures" ? errors : names[list]?.map((name) => fromRoot(served, name));
    return entries === undefined || entries.length === 0 ? [] : [[list, entries] as const];
  });
  return readRefinement(
    { ...(reason === undefined ? {} : { reason }), ...Object.fromEntries(lists) },
    { typed: false, file: "the request" },
  );
}

const StoredBudget = z.looseObject({ tokens: z.int().positive() });

/**
 * The default budget if the previous round exceeds the limit of clients; null keeps the budget of that round. A stated budget makes a
 * round that asks for nothing else.
 */
async function budgetBefore(
  app: App,
  taskId: string,
  { limits: { budgetDefault, budgetMax }, isStated }: { readonly limits: Limits; readonly isStated: boolean },
): Promise<number | null> {
  const { rounds } = await app.runRecord(taskId, null);
  const stored = StoredBudget.safeParse(rounds.at(-1)?.budget).data?.tokens ?? budgetDefault;
  return stored > budgetMax ? budgetDefault : isStated ? stored : null;
}
