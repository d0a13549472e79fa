/** The fields with which a client asks for a package, the same over HTTP and as a tool, and the request that they make. */
import { z } from "zod";
import type { RetrieveRequest } from "../app/retrieval/retrieve-request.ts";
import type { Config } from "../config/settings.ts";
import { Failed } from "../failure.ts";
import { AIMED, ASKED, budget, coverage, trace } from "../mcp/tools/package-round.ts";
import { taskOf } from "../mcp/tools/retrieve.ts";
import type { Format } from "../retrieval/render/formats.ts";
import { readRefinement } from "../retrieval/requests/read-refinement.ts";
import { mergeConstraints, NO_CONSTRAINTS, RefinementRequest } from "../retrieval/requests/refinement.ts";
import { repositoryPath } from "../retrieval/requests/request-names.ts";

/** What to look for, and how much of it. */
export const PackageFields = z.strictObject({
  ...ASKED,
  budget,
  coverage,
  trace,
  ...AIMED,
  ...RefinementRequest.omit({ reason: true }).shape,
});
export type PackageFields = z.infer<typeof PackageFields>;

/** The size of packages: null for that of the repository's settings. */
type Sizes = { readonly budgetDefault: number | null; readonly budgetMax: number };

/** Throws a usage failure for what is no task, no path of a repository, or too large. */
export function packageRequest(
  {
    task = "",
    trace: log,
    for: purpose,
    budget: asked,
    coverage,
    hint_paths,
    hint_symbols,
    only,
    ...lists
  }: PackageFields,
  { settings }: Config,
  { format, budgetDefault, budgetMax }: Sizes & { readonly format: Format },
): RetrieveRequest {
  const tokens = asked ?? budgetDefault;
  if (tokens !== null && tokens > budgetMax)
    throw new Failed({
      code: "usage",
      message: `budget: ${tokens} tokens are more than this server allows (${budgetMax})`,
      next: "ask for less",
    });
  const size = tokens === null ? {} : { budget: tokens, context_window: null, reserved_tokens: null };
  return {
    task: taskOf(task, log, false),
    settings: { ...settings, ...size, format, for: purpose ?? settings.for, coverage: coverage ?? settings.coverage },
    hintPaths: hint_paths ?? [],
    hintSymbols: hint_symbols ?? [],
    only: bounds(only ?? []),
    constraints: mergeConstraints(NO_CONSTRAINTS, readRefinement(lists, { typed: false, file: "the request" })),
    template: null,
    refresh: false,
    onRefresh: () => {},
    strict: false,
  };
}

/** Paths from the root, in one form; empty where one is the root, which is no limit. */
function bounds(typed: readonly string[]): readonly string[] {
  const paths = typed.map((path) => {
    const inside = path === "." || path === "./" ? "" : repositoryPath(path);
    if (inside !== null) return inside;
    const message = `only: ${JSON.stringify(path.slice(0, 100).toWellFormed())} is not a path inside the repository`;
    throw new Failed({ code: "usage", message, next: "give a path relative to the repository's root" });
  });
  return paths.includes("") ? [] : [...new Set(paths)].sort();
}
