/**
 * `cra refine`: a task's package again, with what is said of the one before.
 *
 * The package goes where that of `cra retrieve` goes. What changed, and the one call that gives the same package, go to
 * stderr.
 */
import type { RefineResult } from "../../app/app-types.ts";
import { failedAttempt } from "../../escalation/failure-task.ts";
import { counted } from "../../present/layout.ts";
import { CHANGE_KINDS, type Change, type Changes } from "../../retrieval/model/changes.ts";
import { asksNothing } from "../../retrieval/model/refinement.ts";
import { oneLine } from "../../retrieval/refinement/one-line.ts";
import { demandOneReader, nothingHandedOn, readHandoff } from "../input/handoff.ts";
import { changesWish } from "../options/work-options.ts";
import { copyText } from "../output/clipboard.ts";
import { writeWhole } from "../output/write-file.ts";
import { appRequest } from "../requests/app-request.ts";
import { readRequest } from "../requests/refining-request.ts";
import { readTarget, withJson } from "../requests/retrieve-request.ts";
import type { Runner } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withIndexed } from "../with-app.ts";
import { closingLine, demandInputs, follow } from "./retrieve.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const target = readTarget(context);
  demandOneReader(values, values.text("--request"), "--request -");
  const bundle = await readHandoff(context);
  const failed = bundle === null ? null : failedAttempt(bundle);
  return await withIndexed(context, withJson(appRequest(context), values), async (app) => {
    const request = await readRequest(context, app.root, failed);
    const budget = values.whole("--budget") ?? null;
    const changes = changesWish(values);
    const isAll = changes.changes === undefined && budget === null && asksNothing(request);
    if (bundle !== null && failed === null && isAll) throw nothingHandedOn();
    const wishes = {
      taskId: values.argument("task-id") ?? "",
      request,
      ...(failed === null ? {} : { trace: failed.trace }),
      ...changes,
      budget,
      refresh: !values.switch("--no-refresh"),
      strict: values.switch("--strict"),
    };
    const result = await follow(
      context,
      app,
      (onRefresh) => app.refine({ ...wishes, onRefresh }, context.signal),
      target,
    );
    if (target.path !== null) writeWhole(target.path, result.rendered, target);
    else if (!target.events) await output.data(result.rendered);
    if (values.switch("--copy")) await copyText(context, result.rendered, app.root);
    await output.say(changeLines(result));
    await output.say(closingLine(result, target));
    await output.say(sameInOneLine(result, values));
    demandInputs(result, wishes.strict);
    return 0;
  });
};

/** Files that one line names, and parts of each; the package's JSON has all. */
const FILES_NAMED = 8;
const PARTS_NAMED = 4;

/** A line for each kind of change that there is. */
function changeLines({ package: found, round }: RefineResult): string {
  const { changes } = found.provenance;
  if (changes === undefined || changes === null) return `cra: round ${round}: nothing to compare it with`;
  const lines = CHANGE_KINDS.flatMap((kind) =>
    changes[kind].length === 0 ? [] : [`  ${kind}: ${named(changes[kind])}`],
  );
  return [
    `cra: round ${round}, ${lines.length === 0 ? "the same as" : "against"} round ${changes.since_round}`,
    ...lines,
  ].join("\n");
}

function named(changes: Changes["added"]): string {
  const files = [...Map.groupBy(changes, ({ path }) => path)];
  const rest = files.length - FILES_NAMED;
  const shown = files.slice(0, FILES_NAMED).map(([path, own]) => `${path}${partsOf(own)}`);
  return `${shown.join(", ")}${rest > 0 ? `, and ${counted(rest, "more file")}` : ""}`;
}

function partsOf(changes: readonly Change[]): string {
  const parts = changes.flatMap(({ item }) => (item === null ? [] : [item]));
  if (parts.length === 0) return "";
  const rest = parts.length - PARTS_NAMED;
  return ` (${parts.slice(0, PARTS_NAMED).join(", ")}${rest > 0 ? `, ${rest} more` : ""})`;
}

/** A longer call is for a program, which has the requests. */
const LINE_CHARS_MAX = 8_000;

/** The one call, as it can be pasted into a shell. */
function sameInOneLine({ reproduction }: RefineResult, values: Values): string {
  const line = oneLine(placeWords(values), reproduction);
  if (line.length > LINE_CHARS_MAX) return "cra: the same at once is too long for a line";
  const { unsaid } = reproduction;
  const but = unsaid.length === 0 ? "" : ` (but for ${unsaid.join(", ")})`;
  return `cra: the same at once${but}: ${line}`;
}

/** The flags that said where the repository and its data are, as they were typed. */
export const placeWords = (values: Values): readonly string[] =>
  (["--repo", "--data-dir"] as const).flatMap((flag) => placed(flag, values));

function placed(flag: "--repo" | "--data-dir", values: Values): readonly string[] {
  const typed = flag === "--repo" ? values.text(flag) : values.flags.get("data_dir")?.typed;
  return typeof typed === "string" ? [flag, typed] : [];
}
