/**
 * The options that say what was worked on: what failed, what was changed, and in which part of the repository.
 */
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { Failed } from "../../failure.ts";
import { repositoryPath } from "../../retrieval/model/named-place.ts";
import type { ChangesWish } from "../../source/revisions/work-tree-diff.ts";
import type { Context, Option } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";

/** Of every command that is told of a failed attempt. */
export const FAILURE_OPTIONS: readonly Option[] = [
  {
    flag: "--handoff",
    value: "file",
    summary: 'what a failed attempt hands on, as JSON (cra schema handoff); "-" is standard input',
    conflicts: ["--trace"],
    completes: "file",
  },
  {
    flag: "--trace",
    value: "file",
    summary: 'a log or stack trace, of which the last failure counts; "-" is standard input',
    conflicts: ["--handoff"],
    completes: "file",
  },
];

/** Of every command that is told of work in progress. */
export const WORK_OPTIONS: readonly Option[] = [
  ...FAILURE_OPTIONS,
  {
    flag: "--diff",
    value: "ref",
    optional: true,
    summary: "what is not committed is what it is about, against HEAD or a commit",
  },
  { flag: "--since", value: "ref", summary: "what was committed since the branch left this one is what it is about" },
];

export const ONLY_OPTION: Option = {
  flag: "--only",
  value: "path",
  repeatable: true,
  summary: "nothing but this folder or file, such as one package",
  completes: "file",
};

/** What was typed of it; nothing when nothing was. Throws a usage failure for two commits to compare with. */
export function changesWish(values: Values): { readonly changes?: ChangesWish } {
  const [diff, since] = [values.text("--diff"), values.text("--since")];
  if (diff === undefined && since === undefined) return {};
  if (since !== undefined && diff !== undefined && diff !== "")
    throw new Failed({
      code: "usage",
      message: "--since and --diff with a commit exclude each other",
      next: "for what is committed and what is not: --since REF --diff",
    });
  return { changes: { since: since ?? null, diff: diff === undefined ? null : diff === "" ? "HEAD" : diff } };
}

/** The places of `--only`, from the root. Throws a usage failure for one that is not there. */
export function onlyPlaces(
  { values, environment }: Pick<Context, "values" | "environment">,
  root: string,
): readonly string[] {
  const cwd = existsSync(environment.cwd) ? realpathSync(environment.cwd) : environment.cwd;
  const places = values.list("--only").map((typed) => {
    // An empty variable of a script is no wish for everything.
    if (typed === "") throw new Failed({ code: "usage", message: "--only: the value is empty" });
    const found = [cwd, root].map((base) => placeIn(root, resolve(base, typed))).find((place) => place !== null);
    if (found !== undefined && found !== null) return found;
    throw new Failed({
      code: "usage",
      message: `--only: ${typed} is no folder or file of the repository`,
      next: "give one as seen from here, or from the repository's root",
    });
  });
  // The root is no bound.
  return places.includes("") ? [] : [...new Set(places)].sort();
}

/** From the root, "" for the root itself; null for what is not there, or not in it. */
function placeIn(root: string, path: string): string | null {
  if (path.includes("\0") || !existsSync(path)) return null;
  const place = relative(root, realpathSync(path)).replaceAll(sep, "/");
  return place === "" ? "" : place.startsWith("../") || place === ".." ? null : repositoryPath(place);
}
