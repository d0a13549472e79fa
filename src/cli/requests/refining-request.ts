/** The arguments of `cra refine`, and the JSON request and failed attempt that they name, as one checked request. */
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { App } from "../../app/app.ts";
import type { RefineRequest } from "../../app/retrieval/refine.ts";
import type { Member } from "../../app/workspace/members.ts";
import { type FailedAttempt, failedAttempt } from "../../escalation/failure-task.ts";
import { isAbsolute } from "../../retrieval/anchors/path-index.ts";
import { withoutAddress } from "../../retrieval/anchors/typed-names.ts";
import { type RequestSource, readRefinement } from "../../retrieval/requests/read-refinement.ts";
import {
  asksNothing,
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  REFINEMENT_LISTS,
  type RefinementRequest,
  type StandingChoice,
} from "../../retrieval/requests/refinement.ts";
import { errorLines, symbolParts } from "../../retrieval/requests/request-names.ts";
import { endAmong, partAmong, pathAmong } from "../../source/files/path-among.ts";
import { checkStdinReader, emptyHandoff, readHandoff } from "../input/handoff.ts";
import { parseNamedJson, readNamedFile } from "../input/named-file.ts";
import { isQuick } from "../options/package-options.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { changesRequest } from "./work-request.ts";

/** Above the size of a request with all lists full of the longest entries. */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;

/** The folders that a typed path may be relative to, absolute, and the repositories that are asked instead of the one at the root. */
type Bases = { readonly cwd: string; readonly root: string; readonly members: readonly Member[] };

const TYPED: RequestSource = { typed: true };

/** The constraints that the flags of a command give. Throws a usage failure. */
export function typedConstraints(
  { values, environment }: Pick<Context, "values" | "environment">,
  { root, members }: Pick<App, "root" | "members">,
): Constraints {
  const from = { cwd: realFolder(environment.cwd), root, members: members() };
  const typed = readRefinement(flagLists(values, from), TYPED);
  return mergeConstraints(NO_CONSTRAINTS, typed);
}

/** The paths of `--hint-path`, as the index has them where they exist from the current folder. */
export function typedHints(
  { values, environment }: Pick<Context, "values" | "environment">,
  { root, members }: Pick<App, "root" | "members">,
): readonly string[] {
  const from = { cwd: realFolder(environment.cwd), root, members: members() };
  return values.list("--hint-path").map((path) => pathFrom(path, from));
}

/** What to do with what earlier rounds asked for, where the flags say so. */
export function standingChoice(values: Values): { readonly standing?: StandingChoice } {
  if (values.switch("--keep-constraints")) return { standing: "keep" };
  return values.switch("--drop-constraints") ? { standing: "drop" } : {};
}

/** The failure of `--handoff` or `--trace`; `isEmpty` if it was given and says nothing. */
type GivenAttempt = { readonly attempt: FailedAttempt | null; readonly isEmpty: boolean };

/** Reads `--handoff` or `--trace`. Throws a usage failure if `--request` reads standard input too. */
export async function readFailedAttempt(
  context: Pick<Context, "values" | "input" | "environment">,
): Promise<GivenAttempt> {
  checkStdinReader(context.values, context.values.text("--request"), "--request -");
  const bundle = await readHandoff(context);
  const attempt = bundle === null ? null : failedAttempt(bundle);
  return { attempt, isEmpty: bundle !== null && attempt === null };
}

/** What `cra refine` asks for. Throws a usage failure, also when an empty handoff is all there is. */
export async function refineRequest(
  context: Pick<Context, "values" | "input" | "environment">,
  { root, config, taskMembers }: Pick<App, "root" | "config" | "taskMembers">,
  { attempt, isEmpty }: GivenAttempt,
): Promise<Omit<RefineRequest, "onRefresh">> {
  const { values } = context;
  const taskId = values.argument("task-id") ?? "";
  const from = { cwd: realFolder(context.environment.cwd), root, members: await taskMembers(taskId) };
  const request = await readRequest(context, from, attempt);
  const budget = values.whole("--budget") ?? null;
  const coverage = values.flags.has("coverage") ? config.settings.coverage : null;
  const changes = changesRequest(values);
  const standing = standingChoice(values);
  const isOnlyHandoff =
    changes.changes === undefined && budget === null && coverage === null && standing.standing === undefined;
  if (isEmpty && isOnlyHandoff && asksNothing(request)) throw emptyHandoff();
  return {
    taskId,
    request,
    ...(attempt === null ? {} : { trace: attempt.trace }),
    ...changes,
    ...standing,
    budget,
    coverage,
    refresh: !values.switch("--no-refresh"),
    quick: isQuick(values, ["--no-quick", "--strict"]),
    strict: values.switch("--strict"),
  };
}

/** The constraints of flags, `--request`, `--reason` and a failed attempt together. */
async function readRequest(
  { values, input }: Pick<Context, "values" | "input">,
  from: Bases,
  failed: FailedAttempt | null,
): Promise<RefinementRequest> {
  const file = values.text("--request");
  const stored = file === undefined ? {} : await requestIn(file, input, from.cwd);
  const flags = flagLists(values, from);
  const typed = { ...flags, error_signatures: [...flags.error_signatures, ...(failed?.errors ?? [])] };
  const reason = values.text("--reason") ?? stored.reason ?? failed?.reason ?? undefined;
  const lists = REFINEMENT_LISTS.map((list) => [list, [...(stored[list] ?? []), ...typed[list]]] as const);
  return readRefinement({ ...(reason === undefined ? {} : { reason }), ...Object.fromEntries(lists) }, TYPED);
}

/** The request in a file, or on standard input for "-", checked on its own so that an error names its field. */
async function requestIn(file: string, input: Context["input"], cwd: string): Promise<RefinementRequest> {
  const where = file === "-" ? "the request" : file;
  const text =
    file === "-" ? await input.read(REQUEST_BYTES_MAX) : readNamedFile("--request", file, cwd, REQUEST_BYTES_MAX);
  return readRefinement(parseNamedJson(text, where, "refinement"), { typed: false, file: where });
}

/** Links resolved, as in the root. */
const realFolder = (cwd: string): string => (existsSync(cwd) ? realpathSync(cwd) : cwd);

const flagLists = (values: Values, from: Bases) => ({
  accepted_files: values.list("--accept").map((path) => pathFrom(path, from)),
  rejected_files: values.list("--reject").map((path) => pathFrom(path, from)),
  missing_files: values.list("--missing-file").map((path) => pathFrom(path, from)),
  missing_symbols: values.list("--missing-symbol"),
  missing_tests: values.list("--missing-test").map((name) => pathFrom(name, from)),
  error_signatures: errorLines(values.list("--error")),
  as_body: values.list("--body").map((name) => symbolFrom(name, from)),
  as_signature: values.list("--signature").map((name) => symbolFrom(name, from)),
  left_out: values.list("--leave-out").map((name) => symbolFrom(name, from)),
  changed: values.list("--changed").map((name) => {
    const path = pathFrom(name, from);
    return path === name && name.includes(":") ? symbolFrom(name, from) : path;
  }),
});

/** `path:name` with its path as the index has it. */
function symbolFrom(typed: string, from: Bases): string {
  const among = from.members.length === 0 ? null : partAmong(from.members, typed, [from.cwd, from.root]);
  if (among !== null) return among;
  const { path, name } = symbolParts(typed, (start) => existsSync(resolve(from.cwd, start)));
  const own = path === "" ? "" : pathFrom(path, from);
  return own === path ? fromElsewhere(typed, from) : `${own}:${name}`;
}

/**
 * A path as the index has it, if the file exists relative to the current folder and lies in the repository, or one of those asked, or if it is
 * absolute and ends as a path there; else as typed.
 */
function pathFrom(typed: string, from: Bases): string {
  const { cwd, root, members } = from;
  const among = members.length === 0 || typed === "" ? null : pathAmong(members, typed, [cwd, root]);
  if (among !== null) return among;
  const path = relative(root, resolve(cwd, typed)).replaceAll(sep, "/");
  const isInside = path !== "" && path !== ".." && !path.startsWith("../") && !typed.includes("\0");
  return isInside && (typed.startsWith("/") || existsSync(resolve(cwd, typed))) ? path : fromElsewhere(typed, from);
}

/** An absolute path of another machine, or `path:name`, as the index has it; else as typed. */
function fromElsewhere(typed: string, { root, members }: Bases): string {
  const path = withoutAddress(typed);
  if (!isAbsolute(path)) return typed;
  return endAmong(members.length === 0 ? [{ name: "", root }] : members, path) ?? typed;
}
