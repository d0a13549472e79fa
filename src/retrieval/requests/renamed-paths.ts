/** Requests that name files which were renamed since: the paths that they name, and the same requests with the current paths. */
import type { NamedFormerly } from "../../task/query.ts";
import {
  type Constraints,
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementList,
  type RefinementRequest,
  requestOf,
} from "./refinement.ts";
import { asDefined, symbolParts } from "./request-names.ts";

/** The lists that hold paths, and those whose names may have a path before them. */
const PATH_LISTS = ["accepted_files", "rejected_files", "missing_files", "missing_tests", "changed"] as const;
const NAME_LISTS = ["missing_symbols", "missing_tests", "as_body", "as_signature", "left_out", "changed"] as const;

const PLACED: ReadonlySet<RefinementList> = new Set([...PATH_LISTS, ...NAME_LISTS]);

/** All that may be a path in a request, or in all constraints of a task. */
export function pathsNamed(request: RefinementRequest | Constraints): readonly string[] {
  const whole = PATH_LISTS.flatMap((list) => request[list] ?? []);
  const before = NAME_LISTS.flatMap((list) => request[list] ?? []).map((text) => symbolParts(asDefined(text)).path);
  return [...new Set([...whole, ...before])].filter((path) => path !== "");
}

/** The request with the current path wherever it names a file that a commit renamed. */
export function requestAfterRenames(request: RefinementRequest, former: readonly NamedFormerly[]): RefinementRequest {
  const current = new Map(former.flatMap(({ named, now }) => (now === null ? [] : [[named, now]])));
  const renamed = (text: string): string => {
    const { path, name } = symbolParts(asDefined(text), (one) => current.has(one));
    const now = current.get(path);
    return current.get(text) ?? (now === undefined ? text : `${now}:${name}`);
  };
  return requestOf(request.reason, (list) => {
    const names = request[list] ?? [];
    return PLACED.has(list) ? names.map(renamed) : names;
  });
}

/** The constraints with the current paths. A file that is then both wanted and rejected stays rejected. */
export function constraintsAfterRenames(constraints: Constraints, former: readonly NamedFormerly[]): Constraints {
  if (former.length === 0) return constraints;
  const { rejected_files = [], ...others } = requestAfterRenames(
    requestOf(undefined, (list) => constraints[list]),
    former,
  );
  return mergeConstraints(mergeConstraints(NO_CONSTRAINTS, others), { rejected_files });
}
