/** The `cra retrieve` call that reproduces the package of a round, derived from the options of the round. */
import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { readBounded } from "../../config/read-files.ts";
import { budgetTokens } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import type { StoredOptions } from "../../retrieval/record/stored-options.ts";
import { type FoundSettings, type Reproduction, reproductionOf } from "../../retrieval/refinement/reproduction.ts";
import { DEFAULT_TEMPLATE, parseTemplate, templateText } from "../../retrieval/render/prompt.ts";
import { type Constraints, REFINEMENT_LISTS, type RefinementList } from "../../retrieval/requests/refinement.ts";
import { typedMemberPaths } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** Where the call is made. */
type Place = Pick<Workspace, "config" | "root" | "environment">;

/** A round made from the options of an earlier one. */
export type StoredRound = { readonly retrieve: RetrieveRequest; readonly options: StoredOptions };

export function reproductionOfRound(
  { retrieve, options }: StoredRound,
  {
    constraints,
    package: { task_id, provenance, review },
  }: { readonly constraints: Constraints; readonly package: ContextPackage },
  place: Place,
): Reproduction {
  const { config } = place;
  const { task, template, settings } = retrieve;
  const { base_url, allow_remote_llm, format, allow_secrets } = settings;
  const made = review === undefined ? options : { ...options, reviewed: review };
  const withServer = {
    ...made,
    settings: typedIn(place, { ...options.settings, base_url, allow_remote_llm, format, allow_secrets }),
  };
  const sameTemplate = template?.text === configuredTemplate(config.settings.template);
  const kept = provenance.changes?.since_round;
  const keepShown = kept === undefined ? options.keepShown : `${task_id}:${kept}`;
  return reproductionIn(place, task, { ...withServer, keepShown }, constraints, sameTemplate);
}

/** The same for a first round. */
export function reproductionOfRequest(
  { task, settings, hintPaths, hintSymbols, only = [], keepShown = null, reviewed }: Omit<RetrieveRequest, "changes">,
  constraints: Constraints,
  place: Place,
): Reproduction {
  const options = {
    settings: typedIn(place, { ...settings, budget: budgetTokens(settings) }),
    hintPaths,
    hintSymbols,
    only,
    keepShown,
    reviewed,
  };
  // Its template is that of the settings, which the call finds too.
  return reproductionIn(place, task, options, constraints, true);
}

/** Lists whose names are typed as paths. */
const PATH_LISTS: ReadonlySet<RefinementList> = new Set([
  ...(["accepted_files", "rejected_files", "missing_files", "missing_tests"] as const),
  ...(["as_body", "as_signature", "left_out", "changed"] as const),
]);

/** The call, with paths as they are typed in the current folder. */
function reproductionIn(
  place: Place,
  task: string,
  options: Parameters<typeof reproductionOf>[1],
  constraints: Constraints,
  sameTemplate: boolean,
): Reproduction {
  // A path that begins with the name of a repository that is asked means the same everywhere.
  const isSeveral = options.settings["workspace.repos"].length > 0;
  const typed = (name: string): string => (isSeveral ? name : typedPath(place, name));
  const lists = REFINEMENT_LISTS.map((list) => [
    list,
    PATH_LISTS.has(list) ? constraints[list].map(typed) : constraints[list],
  ]);
  const { hintPaths, only = [] } = options;
  return reproductionOf(
    task,
    { ...options, hintPaths: hintPaths.map(typed), only: only.map(typed) },
    { ...constraints, ...Object.fromEntries(lists) },
    settingsFound(place),
    sameTemplate,
  );
}

/**
 * A path, or path:name, that a call in the current folder reads as it is meant: in a folder of the repository that has a file of the same
 * relative path, only its absolute form.
 */
function typedPath({ root, environment: { cwd } }: Place, name: string): string {
  if (cwd === root || name.startsWith("/")) return name;
  const starts = [...name.matchAll(/:/g)].map(({ index }) => name.slice(0, index));
  return [...starts, name].some((start) => start !== "" && existsSync(resolve(cwd, start)))
    ? `${root.replaceAll(sep, "/")}/${name}`
    : name;
}

/** The settings that a call in the same folder finds; options of this call must be given again. */
const settingsFound = (place: Place): FoundSettings => ({
  settings: typedIn(place, { ...place.config.settings, budget: budgetTokens(place.config.settings) }),
  typed: new Set(place.config.explained.flatMap(({ key, kind }) => (kind === "flag" ? [key] : []))),
});

/** Settings with the repositories as they are typed in the current folder. */
function typedIn<S extends FoundSettings["settings"]>({ root, environment }: Place, settings: S): S {
  return { ...settings, "workspace.repos": typedMemberPaths(settings["workspace.repos"], root, environment.cwd) };
}

const TEMPLATE_BYTES_MAX = 256 * 1024;

/** The template used without `--template`, in the form that the log is read in; null where it cannot be used. */
function configuredTemplate(path: string | null): string | null {
  try {
    const text = path === null ? DEFAULT_TEMPLATE : readBounded(path, true, TEMPLATE_BYTES_MAX);
    return text === null ? null : templateText(parseTemplate(text, "the template"));
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}
