/**
 * The changes that a reader requests for the next package, and all requests for a task so far.
 *
 * Invariants: paths are relative to the repository, with `/` between names; no path is accepted or missing and rejected at
 * the same time; a symbol is in only one of the lists for its detail; no list contains duplicates.
 */

import { z } from "zod";
import { listed } from "../../text/listed.ts";
import { entry, symbolParts } from "./request-names.ts";

/** Entries of a list. */
export const REFINEMENT_ENTRIES_MAX = 1_000;

const entries = (what: string) => z.array(entry).max(REFINEMENT_ENTRIES_MAX).optional().describe(what);

/** One request, as published. Every field may be left out. */
export const RefinementRequest = z.strictObject({
  reason: entry.optional().describe("why the package was not enough; kept, and not interpreted"),
  missing_files: entries("files that should be in: a path from the repository's root, or the end of one"),
  missing_symbols: entries("definitions that should be in: a name, a qualified name, or path:name"),
  missing_tests: entries("tests that should be in: a test file, a test's name, or the file or symbol to be tested"),
  error_signatures: entries("lines of errors that were met since, read as part of the task"),
  accepted_files: entries("files that must be in every later package; paths from the root"),
  rejected_files: entries("files that must be in no later package; paths from the root"),
  as_body: entries("symbols to show in full before all else; each path:qualified.name"),
  as_signature: entries("symbols to show by their signature alone; each path:qualified.name"),
  left_out: entries("symbols not to show; each path:qualified.name"),
  changed: entries("what was changed of late, to look at first: paths from the root, or path:qualified.name"),
});
export type RefinementRequest = z.infer<typeof RefinementRequest>;

export type RefinementList = Exclude<keyof RefinementRequest, "reason">;

/** The lists of a request, in the order in which they are written. */
export const REFINEMENT_LISTS = [
  "accepted_files",
  "rejected_files",
  "missing_files",
  "missing_symbols",
  "missing_tests",
  "error_signatures",
  "as_body",
  "as_signature",
  "left_out",
  "changed",
] as const satisfies readonly RefinementList[];

/** The lists that say how much of a symbol is to be shown. */
const DETAIL_LISTS = ["as_body", "as_signature", "left_out"] as const satisfies readonly RefinementList[];

const stored = z.array(entry);
const STORED = {
  accepted_files: stored,
  rejected_files: stored,
  missing_files: stored,
  missing_symbols: stored,
  missing_tests: stored,
  error_signatures: stored,
} as const;

const STORED_LISTS: ReadonlySet<string> = new Set(Object.keys(STORED));

/** All that a task has been asked for. Older versions stored no lists of detail, and empty ones are not stored. */
export const Constraints = z.strictObject({
  ...STORED,
  as_body: stored.default([]),
  as_signature: stored.default([]),
  left_out: stored.default([]),
  changed: stored.default([]),
});
export type Constraints = {
  readonly [List in RefinementList]: readonly string[];
};

/** Constraints as the session and the log store them. Empty lists of later versions are left out, so that old runs keep their ids. */
export const storedConstraints = (constraints: Constraints): Partial<Record<RefinementList, string[]>> =>
  Object.fromEntries(
    REFINEMENT_LISTS.filter((list) => STORED_LISTS.has(list) || constraints[list].length > 0).map((list) => [
      list,
      [...constraints[list]],
    ]),
  );

/** A round's request as its session stores it. Joined requests may have longer lists. */
export const StoredRequest = z
  .strictObject({ ...STORED, as_body: stored, as_signature: stored, left_out: stored, changed: stored })
  .partial()
  .extend({ reason: entry.optional() });

export const NO_CONSTRAINTS: Constraints = {
  accepted_files: [],
  rejected_files: [],
  missing_files: [],
  missing_symbols: [],
  missing_tests: [],
  error_signatures: [],
  as_body: [],
  as_signature: [],
  left_out: [],
  changed: [],
};

export const isConstrained = (constraints: Constraints): boolean =>
  REFINEMENT_LISTS.some((list) => constraints[list].length > 0);

/** Whether all lists of a request are empty. A reason alone asks for nothing. */
export const asksNothing = (request: RefinementRequest): boolean =>
  REFINEMENT_LISTS.every((list) => (request[list] ?? []).length === 0);

/** The command line option of each list. */
export const REFINEMENT_FLAGS: Readonly<Record<RefinementList, string>> = {
  accepted_files: "--accept",
  rejected_files: "--reject",
  missing_files: "--missing-file",
  missing_symbols: "--missing-symbol",
  missing_tests: "--missing-test",
  error_signatures: "--error",
  as_body: "--body",
  as_signature: "--signature",
  left_out: "--leave-out",
  changed: "--changed",
};

/** A request with these lists; empty ones are left out. Texts become well formed, as SQLite stores them. */
export function requestOf(
  reason: string | undefined,
  entriesOf: (list: RefinementList) => readonly string[],
): RefinementRequest {
  const request: RefinementRequest = reason === undefined ? {} : { reason: reason.toWellFormed() };
  for (const list of REFINEMENT_LISTS) {
    const found = entriesOf(list);
    if (found.length > 0) request[list] = found.map((text) => text.toWellFormed());
  }
  return request;
}

/**
 * Adds a request to the constraints. Where they contradict each other, about a path or about how much of a symbol to show,
 * the request wins.
 */
export function mergeConstraints(before: Constraints, request: RefinementRequest): Constraints {
  const rejectedNow = new Set(request.rejected_files);
  const { accepted_files = [], missing_files = [], missing_tests = [] } = request;
  const wantedNow = new Set([...accepted_files, ...missing_files, ...missing_tests]);
  const merged = (list: RefinementList, dropped: ReadonlySet<string>): readonly string[] => [
    ...new Set([...before[list].filter((name) => !dropped.has(name)), ...(request[list] ?? [])]),
  ];
  const sorted = (list: RefinementList, dropped: ReadonlySet<string>) => merged(list, dropped).toSorted();
  const detailedNow = new Set(DETAIL_LISTS.flatMap((list) => request[list] ?? []));
  return {
    accepted_files: sorted("accepted_files", rejectedNow),
    rejected_files: sorted("rejected_files", wantedNow),
    missing_files: sorted("missing_files", rejectedNow),
    missing_symbols: sorted("missing_symbols", NOTHING),
    missing_tests: sorted("missing_tests", rejectedNow),
    // Their order says which error came first.
    error_signatures: merged("error_signatures", NOTHING),
    as_body: sorted("as_body", detailedNow),
    as_signature: sorted("as_signature", detailedNow),
    left_out: sorted("left_out", detailedNow),
    changed: sorted("changed", NOTHING).filter(
      (name) => !rejectedNow.has(name) && !rejectedNow.has(symbolParts(name, (path) => rejectedNow.has(path)).path),
    ),
  };
}

/** What is to be done with the constraints of a task's earlier rounds: apply them, or forget them. */
export type StandingChoice = "keep" | "drop";

/** How a sentence about earlier rounds calls the names of each list. */
const ASKED_WORDS: Readonly<Record<RefinementList, string>> = {
  accepted_files: "accepted",
  rejected_files: "rejected",
  missing_files: "missing",
  missing_symbols: "missing",
  missing_tests: "missing test",
  error_signatures: "error",
  as_body: "in full",
  as_signature: "as a signature",
  left_out: "left out",
  changed: "changed",
};

/** Names of a list that a sentence holds. */
const NAMED_MAX = 3;

/** The constraints in words, such as "rejected: a.py; missing: Cart.sum". */
export const constraintsInWords = (constraints: Constraints): string =>
  REFINEMENT_LISTS.flatMap((list) => {
    const names = constraints[list];
    return names.length === 0 ? [] : [`${ASKED_WORDS[list]}: ${listed(names, NAMED_MAX)}`];
  }).join("; ");

/** Adds constraints to others; the added ones win. */
export const addConstraints = (before: Constraints, added: Constraints): Constraints =>
  mergeConstraints(
    before,
    requestOf(undefined, (list) => added[list]),
  );

/** Joins two requests of one round. Where they contradict each other, the second wins. */
export function joinRequests(first: RefinementRequest, second: RefinementRequest): RefinementRequest {
  const lists = mergeConstraints(mergeConstraints(NO_CONSTRAINTS, first), second);
  return requestOf(second.reason ?? first.reason, (list) => lists[list]);
}

const NOTHING: ReadonlySet<string> = new Set();
