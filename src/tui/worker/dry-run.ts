/** What a change of the decisions would do to the package, for the review screen. */

import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import type { DryRunChange, PackageMove } from "../../retrieval/dry-run.ts";
import { joinRequests } from "../../retrieval/requests/refinement.ts";
import type { DryRun } from "../state/review-state.ts";

/** Null while the index is being written. */
export async function previewChange(
  { dryRun, package: { budget: before, provenance } }: RetrieveResult,
  change: DryRunChange,
  rejecting: string | null,
  signal: AbortSignal,
): Promise<DryRun | null> {
  const { budget } = change;
  // After a first answer, the next round ranks all files again.
  const isFinal = provenance.provisional === undefined;
  const outlook = await dryRun.preview(change, signal);
  if (outlook.kind === "index-busy") return null;
  if (outlook.kind === "budget-too-small") {
    const { floor, budget: wanted } = outlook.failure;
    const nothing = { enters: [], leaves: [], nextOut: null, nextIn: null, rejecting: null };
    return { tokens: floor, budget: budget ?? wanted, exact: isFinal, ...nothing };
  }
  const { package: found, exact, enters, leaves, next } = outlook;
  return {
    tokens: found.token_count,
    budget: budget ?? before,
    exact: exact && isFinal,
    enters,
    leaves,
    nextOut: next.out,
    nextIn: next.in,
    rejecting: rejecting === null ? null : await previewRejection(dryRun, change, rejecting, enters, signal),
  };
}

/** The tokens freed by rejecting one more file, and what would enter only because of that. */
async function previewRejection(
  dryRun: RetrieveResult["dryRun"],
  change: DryRunChange,
  path: string,
  alreadyEntering: readonly PackageMove[],
  signal: AbortSignal,
): Promise<DryRun["rejecting"]> {
  const frees = dryRun.tokensOf(path);
  const without = { ...change, request: joinRequests(change.request, { rejected_files: [path] }) };
  const outlook = await dryRun.preview(without, signal);
  const known = new Set(alreadyEntering.map(keyOf));
  const enters = outlook.kind === "package" ? outlook.enters.filter((move) => !known.has(keyOf(move))) : [];
  return { path, frees, enters };
}

const keyOf = ({ path, item }: PackageMove): string => `${path}\0${item ?? ""}`;
