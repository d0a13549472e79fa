/** The arguments of `cra refine`, and the JSON request and failed attempt that they name, as one checked request. */
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { App } from "../../app/app.ts";
import type { RefineRequest } from "../../app/retrieval/refine.ts";
import { type FailedAttempt, failedAttempt } from "../../escalation/failure-task.ts";
import { type RequestSource, readRefinement } from "../../retrieval/model/read-refinement.ts";
import {
  asksNothing,
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  REFINEMENT_LISTS,
  type RefinementRequest,
  type StandingChoice,
} from "../../retrieval/model/refinement.ts";
import { errorLines, symbolParts } from "../../retrieval/model/request-names.ts";
import { checkStdinReader, emptyHandoff, readHandoff } from "../input/handoff.ts";
import { parseNamedJson, readNamedFile } from "../input/named-file.ts";
import { isQuick } from "../options/package-options.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { changesRequest } from "./work-request.ts";

/** Above the size of a request with all lists full of the longest entries. */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;

/** The folders that a typed path may be relative to. Absolute. */
type Bases = { readonly cwd: string; readonly root: string };

const TYPED: RequestSource = { typed: true };

/** The constraints that the flags of a command give. Throws a usage failure. */
export function typedConstraints(
  { values, environment }: Pick<Context, "values" | "environment">,
  root: string,
): Constraints {
  const typed = readRefinement(flagLists(values, { cwd: realFolder(environment.cwd), root }), TYPED);
  return mergeConstraints(NO_CONSTRAINTS, typed);
}

/** The paths of `--hint-path`, from the root where they exist from the current folder. */
export const typedHints = (
  { values, environment }: Pick<Context, "values" | "environment">,
  root: string,
): readonly string[] =>
  values.list("--hint-path").map((path) => pathFrom(path, { cwd: realFolder(environment.cwd), root }));

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
  { root, config }: Pick<App, "root" | "config">,
  { attempt, isEmpty }: GivenAttempt,
): Promise<Omit<RefineRequest, "onRefresh">> {
  const { values } = context;
  const request = await readRequest(context, root, attempt);
  const budget = values.whole("--budget") ?? null;
  const coverage = values.flags.has("coverage") ? config.settings.coverage : null;
  const changes = changesRequest(values);
  const standing = standingChoice(values);
  const isOnlyHandoff =
    changes.changes === undefined && budget === null && coverage === null && standing.standing === undefined;
  if (isEmpty && isOnlyHandoff && asksNothing(request)) throw emptyHandoff();
  return {
    taskId: values.argument("task-id") ?? "",
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
  { values, input, environment }: Pick<Context, "values" | "input" | "environment">,
  root: string,
  failed: FailedAttempt | null,
): Promise<RefinementRequest> {
  const cwd = realFolder(environment.cwd);
  const file = values.text("--request");
  const stored = file === undefined ? {} : await requestIn(file, input, cwd);
  const flags = flagLists(values, { cwd, root });
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

/** `path:name` with its path from the root. */
function symbolFrom(typed: string, from: Bases): string {
  const { path, name } = symbolParts(typed, (start) => existsSync(resolve(from.cwd, start)));
  return path === "" ? typed : `${pathFrom(path, from)}:${name}`;
}

/** A path from the root, if the file exists relative to the current folder and lies in the repository; else as typed. */
function pathFrom(typed: string, { cwd, root }: Bases): string {
  const path = relative(root, resolve(cwd, typed)).replaceAll(sep, "/");
  const isInside = path !== "" && path !== ".." && !path.startsWith("../");
  return isInside && !typed.includes("\0") && (typed.startsWith("/") || existsSync(resolve(cwd, typed))) ? path : typed;
}
