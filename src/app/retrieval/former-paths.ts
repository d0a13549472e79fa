/** The paths that a request names and no file has: few requests have any, and only for those history is read. */
import { conceptsOf } from "../../retrieval/anchors/concepts.ts";
import { unplacedPaths } from "../../retrieval/anchors/unplaced-paths.ts";
import { analyzeTask } from "../../task/analyze.ts";
import type { NamedFormerly } from "../../task/query.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";

/** What became of these paths; nothing is looked up in several repositories. */
export async function formerPathsOf(
  workspace: Workspace,
  { task, hintPaths, hintSymbols, settings, constraints, refines }: RetrieveRequest,
  signal: AbortSignal,
): Promise<readonly NamedFormerly[]> {
  if (settings["workspace.repos"].length > 0) return [];
  const kb = workspace.index.open();
  const given = { paths: hintPaths, symbols: hintSymbols, languages: settings.hint_language, purpose: settings.for };
  const errors = [...(constraints?.error_signatures ?? []), ...(refines?.request.error_signatures ?? [])];
  const analyzed = analyzeTask(task, { given, concepts: conceptsOf(kb), errors });
  const names = unplacedPaths(analyzed, kb.files());
  return names.length === 0 ? [] : (await import("./path-history.ts")).formerPathsNamed(workspace, names, signal);
}
