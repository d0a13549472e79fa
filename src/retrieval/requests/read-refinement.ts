/** Checks a refinement request from outside, and names the field that is wrong in the words of its source. */
import type { z } from "zod";
import { Failed } from "../../failure.ts";
import { firstOfEachField } from "../../text/schema-issues.ts";
import { truncated } from "../../text/truncated.ts";
import {
  REFINEMENT_ENTRIES_MAX,
  REFINEMENT_FLAGS,
  REFINEMENT_LISTS,
  type RefinementList,
  RefinementRequest,
  requestOf,
} from "./refinement.ts";
import { ENTRY_CHARS_MAX, repositoryPath, symbolParts } from "./request-names.ts";

/** The source of a request: options, or the JSON of a file (or its equivalent in a message). */
export type RequestSource = { readonly typed: true } | { readonly typed: false; readonly file: string };

/** Normalizes the names of a list; `read` returns null for an invalid name. */
type NameForm = { readonly what: string; read(text: string): string | null };

const PATH: NameForm = { what: "path", read: repositoryPath };
const SYMBOL: NameForm = {
  what: "path:name",
  read(text) {
    const { path, name } = symbolParts(text);
    const relative = repositoryPath(path);
    return relative === null || name === "" ? null : `${relative}:${name}`;
  },
};
const PATH_OR_SYMBOL: NameForm = {
  what: "path",
  read(text) {
    const { path, name } = symbolParts(text);
    const relative = repositoryPath(path === "" ? text : path);
    return relative === null || name === "" ? relative : `${relative}:${name}`;
  },
};

/** Lists that are left out take any text. */
const FORMS: Readonly<Partial<Record<RefinementList, NameForm>>> = {
  accepted_files: PATH,
  rejected_files: PATH,
  missing_files: PATH,
  as_body: SYMBOL,
  as_signature: SYMBOL,
  left_out: SYMBOL,
  changed: PATH_OR_SYMBOL,
};

/** Lists that may not share a name. */
const CONTRADICTIONS = [
  ["accepted_files", "rejected_files"],
  ["missing_files", "rejected_files"],
  ["missing_tests", "rejected_files"],
  ["as_body", "as_signature"],
  ["as_body", "left_out"],
  ["as_signature", "left_out"],
] as const satisfies readonly (readonly [RefinementList, RefinementList])[];

/** The request with its paths in one form. A wrong one is a usage failure. */
export function readRefinement(value: unknown, source: RequestSource): RefinementRequest {
  const checked = RefinementRequest.safeParse(value);
  if (!checked.success) {
    const problems = firstOfEachField(checked.error.issues).map((issue) => problemOf(issue, source));
    throw refused(source, problems.join("; "));
  }
  const { data } = checked;
  const request = requestOf(data.reason, (list) =>
    (data[list] ?? []).map((text, at) => {
      const form = FORMS[list];
      const read = form === undefined ? text : form.read(text);
      if (read === null)
        throw refused(
          source,
          `${nameOf(list, source, at)}: ${quoted(text)} is not a ${form?.what} inside the repository`,
        );
      return read;
    }),
  );
  for (const [list, other] of CONTRADICTIONS) {
    const others = new Set(request[other]);
    const both = request[list]?.find((name) => others.has(name));
    if (both !== undefined)
      throw refused(source, `${quoted(both)} is in ${nameOf(list, source)} and in ${nameOf(other, source)}`);
  }
  return request;
}

/** What a field, or its entry at `at`, is called in the source. */
function nameOf(field: string, { typed }: RequestSource, at?: PropertyKey): string {
  if (!typed) return at === undefined ? field : `${field}[${String(at)}]`;
  const list = REFINEMENT_LISTS.find((name) => name === field);
  return list === undefined ? `--${field}` : REFINEMENT_FLAGS[list];
}

function problemOf(issue: z.core.$ZodIssue, source: RequestSource): string {
  if (issue.code === "unrecognized_keys") return `unknown field ${issue.keys.map(quoted).join(", ")}`;
  const [name, at] = issue.path;
  if (name === undefined) return "is not a JSON object";
  const field = nameOf(String(name), source, at);
  if (issue.code === "too_big")
    return issue.origin === "array"
      ? `${field} has more than ${REFINEMENT_ENTRIES_MAX} entries`
      : `${field} is longer than ${ENTRY_CHARS_MAX} characters`;
  if (issue.code === "too_small") return `${field} is empty`;
  if (issue.code === "invalid_format") return `${field} ${issue.message}`;
  return `${field} is not ${at !== undefined || name === "reason" ? "a text" : "a list of texts"}`;
}

const refused = (source: RequestSource, message: string): Failed =>
  new Failed(
    source.typed
      ? { code: "usage", message }
      : { code: "usage", message: `${source.file}: ${message}`, next: "see: cra schema refinement" },
  );

const quoted = (text: string): string => JSON.stringify(truncated(text, 100));
