/** The `cra retrieve` call that reproduces the package of a round, derived from the options of the round. */
import { readBounded } from "../../config/read-files.ts";
import { budgetTokens, type Config } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import type { Constraints } from "../../retrieval/model/refinement.ts";
import type { StoredOptions } from "../../retrieval/record/stored-options.ts";
import { type FoundSettings, type Reproduction, reproductionOf } from "../../retrieval/refinement/reproduction.ts";
import { DEFAULT_TEMPLATE, parseTemplate, templateText } from "../../retrieval/render/prompt.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** A round made from the options of an earlier one. */
export type StoredRound = { readonly retrieve: RetrieveRequest; readonly options: StoredOptions };

export function reproductionOfRound(
  { retrieve, options }: StoredRound,
  {
    constraints,
    package: { task_id, provenance, review },
  }: { readonly constraints: Constraints; readonly package: ContextPackage },
  config: Config,
): Reproduction {
  const { task, template, settings } = retrieve;
  const { base_url, allow_remote_llm } = settings;
  const made = review === undefined ? options : { ...options, reviewed: review };
  const withServer = { ...made, settings: { ...options.settings, base_url, allow_remote_llm } };
  const sameTemplate = template?.text === configuredTemplate(config.settings.template);
  const kept = provenance.changes?.since_round;
  const keepShown = kept === undefined ? options.keepShown : `${task_id}:${kept}`;
  return reproductionOf(task, { ...withServer, keepShown }, constraints, settingsFound(config), sameTemplate);
}

/** The same for a first round. */
export function reproductionOfRequest(
  { task, settings, hintPaths, hintSymbols, only = [], keepShown = null, reviewed }: Omit<RetrieveRequest, "changes">,
  constraints: Constraints,
  config: Config,
): Reproduction {
  const options = {
    settings: { ...settings, budget: budgetTokens(settings) },
    hintPaths,
    hintSymbols,
    only,
    keepShown,
    reviewed,
  };
  // Its template is that of the settings, which the call finds too.
  return reproductionOf(task, options, constraints, settingsFound(config), true);
}

/** The settings that a call in the same folder finds; options of this call must be given again. */
const settingsFound = ({ settings, explained }: Config): FoundSettings => ({
  settings: { ...settings, budget: budgetTokens(settings) },
  typed: new Set(explained.flatMap(({ key, kind }) => (kind === "flag" ? [key] : []))),
});

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
