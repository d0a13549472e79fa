/** The tool `retrieve`: starts a task and returns its first package. */
import { z } from "zod";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../app/retrieval/retrieve-request.ts";
import { failureInLog } from "../../escalation/failure-log.ts";
import { failureTask } from "../../escalation/failure-task.ts";
import { Failed } from "../../failure.ts";
import { PackageAnswer } from "../../present/answers.ts";
import { askedInWords } from "../../retrieval/requests/review-words.ts";
import { cleanText, withoutComments } from "../../task/sections/markup.ts";
import { boundsInside, fromRoot } from "../path-sandbox.ts";
import {
  AIMED,
  ASKED,
  answerOf,
  budget,
  budgetOf,
  CHANGES,
  changesIn,
  coverage,
  indexNeeds,
  packageText,
  REFINE_NEXT,
  standing,
  trace,
} from "./package-round.ts";
import { type Call, tool } from "./tool.ts";

const RetrieveInput = z.strictObject({
  ...ASKED,
  budget,
  coverage,
  trace,
  ...CHANGES,
  ...AIMED,
  standing,
  with_memory: z.boolean().optional().describe("add a section with what was learned before"),
});

/** Where nothing is recorded, there is no task to refine. */
const AGAIN = "retrieve the same task with hint_paths or hint_symbols";

export const RETRIEVE = tool({
  name: "retrieve",
  title: "Retrieve code for a task",
  description:
    'Finds the code that a task needs and returns it as one package within a token budget: definitions to read or change, with types, tests and callers. Use it first, before you search or read files, for any fix, change, review or question about this repository. Not for one name (search) or a place that you know (read). Pass trace for a failed run; diff or since for a review. Example: {"task": "after a timeout, login redirects to the wrong page"}.',
  writes: true,
  isIdempotent: false,
  less: "ask again with a smaller budget",
  input: RetrieveInput,
  output: PackageAnswer,
  async answer(input, call) {
    const { found, isRecorded } = await packageFor(input, call);
    return packageText(found, isRecorded ? REFINE_NEXT : AGAIN);
  },
});

/** The package of a call, from the updated index. */
export const retrieved = async (
  input: z.infer<typeof RetrieveInput>,
  call: Pick<Call, "app" | "limits" | "follow" | "signal">,
): Promise<RetrieveResult> => await call.follow.run(call.app.retrieve(requestOf(input, call), call.signal));

const packageFor = (input: z.infer<typeof RetrieveInput>, call: Call) =>
  answerOf(call.app.retrieve(requestOf(input, call), call.signal), call);

/** The request of a call. Throws a usage failure before any work if the call is not allowed. */
function requestOf(
  {
    task: typed = "",
    trace: log,
    hint_paths,
    hint_symbols,
    only,
    standing: choice,
    with_memory,
    ...input
  }: z.infer<typeof RetrieveInput>,
  call: Pick<Call, "app" | "limits" | "follow">,
): RetrieveRequest {
  const { app, limits } = call;
  const { settings } = app.config;
  const changes = changesIn(input);
  const worded = changes === undefined ? askedInWords(typed) : null;
  const served = { root: app.root, members: app.members(), repos: settings["workspace.repos"] };
  return {
    task: taskOf(typed, log, changes !== undefined),
    settings: {
      ...settings,
      budget: budgetOf(input.budget, limits),
      context_window: null,
      reserved_tokens: null,
      for: input.for ?? settings.for,
      coverage: input.coverage ?? settings.coverage,
      format: "markdown",
      with_memory: with_memory ?? settings.with_memory,
    },
    hintPaths: (hint_paths ?? []).map((path) => fromRoot(served, path)),
    hintSymbols: hint_symbols ?? [],
    only: only === undefined ? [] : boundsInside(served, only),
    ...(changes === undefined ? {} : { changes }),
    ...(worded === null ? {} : { worded }),
    ...(choice === undefined ? {} : { standing: choice }),
    template: null,
    ...indexNeeds(call),
    strict: false,
  };
}

/** The text of the task. Throws a usage failure if the call has no task, no failure and no changes. */
export function taskOf(typed: string, log: string | undefined, hasChanges: boolean): string {
  const isTask = cleanText(withoutComments(typed)).trim() !== "";
  const bundle = log === undefined ? null : failureInLog(log);
  const failure = bundle === null ? null : failureTask(bundle, isTask ? typed : "");
  if (failure !== null) return failure;
  if (isTask) return typed;
  if (hasChanges) return "";
  throw new Failed({ code: "usage", message: "the task is empty", next: "describe in task what to do" });
}
