/**
 * What was typed of a refinement, with the request that a file or standard input holds, as one checked request.
 */
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { readBounded } from "../../config/read-files.ts";
import type { FailedAttempt } from "../../escalation/failure-task.ts";
import { Failed } from "../../failure.ts";
import { symbolParts } from "../../retrieval/model/named-place.ts";
import {
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  REFINEMENT_LISTS,
  type RefinementRequest,
  type RequestSource,
  readRefinement,
} from "../../retrieval/model/refinement.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

/** All lists full of the longest entries, and their escapes. */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;

/** Where paths that are typed may start: the working folder, or the repository's root. Absolute. */
type TypedFrom = { readonly cwd: string; readonly root: string };

const TYPED: RequestSource = { typed: true };

/** What the flags of a command ask for, checked. Throws a usage failure. */
export function typedConstraints(
  { values, environment }: Pick<Context, "values" | "environment">,
  root: string,
): Constraints {
  const typed = readRefinement(flagLists(values, { cwd: realFolder(environment.cwd), root }), TYPED);
  return mergeConstraints(NO_CONSTRAINTS, typed);
}

/** The same for `cra refine`, where `--request`, `--reason` and a failed attempt may say more. */
export async function readRequest(
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

/** The request in a file, or on standard input for "-", checked by itself so that the message names its own field. */
async function requestIn(file: string, input: Context["input"], cwd: string): Promise<RefinementRequest> {
  const where = file === "-" ? "the request" : file;
  const text =
    file === "-" ? await input.read(REQUEST_BYTES_MAX) : readBounded(resolve(cwd, file), true, REQUEST_BYTES_MAX);
  if (text === null) throw new Failed({ code: "usage", message: `--request: there is no file ${file}` });
  return readRefinement(parsed(text, where), { typed: false, file: where });
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // Nested beyond all measure, JSON is refused with a RangeError.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new Failed({ code: "usage", message: `${where} is not JSON`, next: "see: cra schema refinement" });
  }
}

/** The root has its links resolved, so the working folder must have too. */
const realFolder = (cwd: string): string => (existsSync(cwd) ? realpathSync(cwd) : cwd);

const flagLists = (values: Values, from: TypedFrom) => ({
  accepted_files: values.list("--accept").map((path) => pathFrom(path, from)),
  rejected_files: values.list("--reject").map((path) => pathFrom(path, from)),
  missing_files: values.list("--missing-file").map((path) => pathFrom(path, from)),
  missing_symbols: values.list("--missing-symbol"),
  missing_tests: values.list("--missing-test").map((name) => pathFrom(name, from)),
  // A trace is pasted whole; each of its lines says something.
  error_signatures: values
    .list("--error")
    .flatMap((text) => text.split(/\r?\n/))
    .map((line) => line.replaceAll("\t", " "))
    .filter((line) => line.trim() !== ""),
  as_body: values.list("--body").map((name) => symbolFrom(name, from)),
  as_signature: values.list("--signature").map((name) => symbolFrom(name, from)),
  left_out: values.list("--leave-out").map((name) => symbolFrom(name, from)),
  changed: values.list("--changed").map((name) => (name.includes(":") ? symbolFrom(name, from) : pathFrom(name, from))),
});

/** The path of `path:name` as `pathFrom` has it. */
function symbolFrom(typed: string, from: TypedFrom): string {
  const { path, name } = symbolParts(typed);
  return path === "" ? typed : `${pathFrom(path, from)}:${name}`;
}

/** A path as seen from the working folder, where there is such a file in the repository; else as it stands. */
function pathFrom(typed: string, { cwd, root }: TypedFrom): string {
  const path = relative(root, resolve(cwd, typed)).replaceAll(sep, "/");
  const isInside = path !== "" && path !== ".." && !path.startsWith("../");
  return isInside && !typed.includes("\0") && (typed.startsWith("/") || existsSync(resolve(cwd, typed))) ? path : typed;
}
