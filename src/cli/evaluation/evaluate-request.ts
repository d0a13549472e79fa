/** The arguments of `cra evaluate`, and the files they name, as a request. */
import { dirname, resolve } from "node:path";
import { defaultWork, type EvaluateRequest } from "../../app/evaluate/evaluate.ts";
import { keyFacts } from "../../config/keys.ts";
import { CASES_BYTES_MAX, passes, type ReadCase, readCases, readFilter } from "../../evaluation/cases.ts";
import { Failed } from "../../failure.ts";
import { readNamedFile } from "../input/named-file.ts";
import { readAppRequest } from "../requests/retrieve-request.ts";
import type { Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

type Typed = Pick<Context, "values" | "environment">;

/** A case file and its cases, whose paths are relative to its folder. */
type CaseFile = { readonly path: string; readonly cases: readonly ReadCase[] };

/** Reads `--cases`. Throws a usage failure that names file, line and field. */
export function readCaseFile({ values, environment }: Typed): CaseFile {
  const typed = values.text("--cases");
  if (typed === undefined)
    throw new Failed({
      code: "usage",
      message: "there are no cases to evaluate",
      next: "name a file with --cases, or use the repository's history with --from-git",
    });
  const path = resolve(environment.cwd, typed);
  const text = readNamedFile("--cases", typed, environment.cwd, CASES_BYTES_MAX);
  return { path, cases: readCases(text, typed) };
}

/** The cases that `--filter` and `--limit` leave. Throws a usage failure when that is none. */
export function chosenCases(cases: readonly ReadCase[], values: Values): readonly ReadCase[] {
  const filter = values.text("--filter");
  const conditions = filter === undefined ? [] : readFilter(filter);
  const chosen = cases.filter((one) => passes(one, conditions)).slice(0, values.whole("--limit"));
  if (chosen.length > 0) return chosen;
  throw new Failed({ code: "usage", message: `--filter: none of the ${cases.length} cases matches ${filter ?? ""}` });
}

/** The request for the chosen cases of `file`. `repo` is the one repository of all of them, or null. */
export function evaluateRequest(
  context: Typed,
  file: { readonly path: string; readonly chosen: readonly ReadCase[] },
  repo: string | null,
): EvaluateRequest {
  const { values, environment } = context;
  const folder = (typed: string | undefined): string | null =>
    typed === undefined ? null : resolve(environment.cwd, typed);
  const { flags } = readAppRequest(context);
  const work = folder(values.text("--work")) ?? defaultWork(environment);
  return {
    environment,
    flags,
    cases: file.chosen,
    casesFolder: dirname(file.path),
    repos: folder(values.text("--repos")),
    repo,
    work,
    fresh: values.switch("--fresh"),
    keepIndexes: values.switch("--keep-indexes"),
    provisional: values.switch("--provisional"),
    ablate: values.switch("--ablate"),
    among: amongOf(values),
    jobs: values.whole("--jobs") ?? 1,
    argumentsFor: (casesPath, one) => childArguments(values, work, casesPath, one),
  };
}

const amongOf = (values: Values): readonly string[] =>
  values.list("--among").flatMap((folders) => folders.split(",").filter((folder) => folder !== ""));

/** The arguments with which another cra runs the cases of a file on one repository. */
function childArguments(values: Values, work: string, casesPath: string, repo: string): readonly string[] {
  const budget = values.text("--budget-config");
  const switches = ["--fresh", "--keep-indexes", "--provisional", "--ablate"].filter((flag) => values.switch(flag));
  const settings = [...values.flags].flatMap(([key, { flag, typed }]) =>
    keyFacts(key).notation === "switch" ? [flag] : [typed].flat().flatMap((text) => [flag, text]),
  );
  return [
    "evaluate",
    ...["--cases", casesPath, "--repo", repo, "--work", work, "--events", "jsonl", "--quiet"],
    ...(budget === undefined ? [] : ["--budget-config", budget]),
    ...switches,
    ...amongOf(values).flatMap((folder) => ["--among", folder]),
    ...settings,
  ];
}
