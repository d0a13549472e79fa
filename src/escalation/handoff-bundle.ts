/**
 * A handoff bundle: what a failed attempt passes on, as JSON from a file or a program.
 *
 * In a bundle that was read, every field is present, well formed and free of NUL; absent and null fields are empty; unknown
 * fields are ignored.
 */

import { z } from "zod";
import { Failed } from "../failure.ts";
import { JSON_DEPTH_MAX, stringEnd } from "../text/json-depth.ts";
import { isRecord, parseJson } from "../text/parse-json.ts";
import { firstOfEachField } from "../text/schema-issues.ts";
import { truncated } from "../text/truncated.ts";

/** The largest bundle; a whole pasted log is smaller. */
export const HANDOFF_BYTES_MAX = 1024 * 1024;
const CHANGES_MAX = 1_000;
/** The most of a field's name that an error shows. */
const NAME_CHARS_MAX = 60;

/** Keys that can change the prototype of an object. */
const PROTOTYPE_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

const text = z
  .string()
  .refine((value) => !value.includes("\0"), "contains a NUL character")
  .refine((value) => value.isWellFormed(), "contains half of a surrogate pair");
const optionalText = (what: string) => text.nullish().describe(what);

/** The published schema: every field may be absent or null. */
export const HandoffDocument = z
  .looseObject({
    error_message: optionalText("the error as it was printed"),
    stack_trace: optionalText("the stack trace as it was printed"),
    root_cause: optionalText("what the attempt found to be the cause"),
    recent_changes: z
      .array(text)
      .max(CHANGES_MAX)
      .nullish()
      .describe("what was changed before it failed: paths of files, one an entry"),
  })
  .nullable();

/** What a failed attempt passes on. */
export type HandoffBundle = {
  readonly error_message: string;
  readonly stack_trace: string;
  readonly root_cause: string;
  readonly recent_changes: readonly string[];
  /** Whether the bundle had no keys at all, or was null. */
  readonly isEmpty: boolean;
};

/** Reads a bundle. `where` names its source in errors. Throws a usage failure that names each wrong field. */
export function readHandoffBundle(json: string, where: string): HandoffBundle {
  const found = parsed(json, where);
  if (isRecord(found)) {
    const key = Object.keys(found).find((name) => PROTOTYPE_KEYS.includes(name));
    if (key !== undefined) throw refused(where, `the field ${key} is not allowed`);
  }
  const checked = HandoffDocument.safeParse(found);
  if (!checked.success) throw refused(where, firstOfEachField(checked.error.issues).map(problemOf).join("; "));
  const { error_message, stack_trace, root_cause, recent_changes } = checked.data ?? {};
  return {
    error_message: error_message ?? "",
    stack_trace: stack_trace ?? "",
    root_cause: root_cause ?? "",
    recent_changes: recent_changes ?? [],
    isEmpty: !isRecord(found) || Object.keys(found).length === 0,
  };
}

function parsed(json: string, where: string): unknown {
  const plain = json.replace(/^\uFEFF/, "");
  if (Buffer.byteLength(plain) > HANDOFF_BYTES_MAX) throw refused(where, `is larger than ${HANDOFF_BYTES_MAX} bytes`);
  const deep = fieldTooDeep(plain);
  if (deep !== null) throw refused(where, `${deep} is nested more than ${JSON_DEPTH_MAX} deep`);
  const value = parseJson(plain);
  if (value === undefined) throw refused(where, plain.trim() === "" ? "is empty" : "is not JSON");
  return value;
}

/** The outermost field that is nested too deep, "it" for the whole; null if none is. */
function fieldTooDeep(json: string): string | null {
  let depth = 0;
  let field = "it";
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      const end = stringEnd(json, at);
      // The last string on the first level is the name of the field that opens next.
      if (depth === 1) field = truncated(json.slice(at, end + 1), NAME_CHARS_MAX);
      at = end;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth > JSON_DEPTH_MAX) return field;
  }
  return null;
}

function problemOf(issue: z.core.$ZodIssue): string {
  const [name, at] = issue.path;
  if (name === undefined) return "is not a JSON object";
  const field = `${String(name)}${at === undefined ? "" : `[${String(at)}]`}`;
  if (issue.code === "custom") return `${field} ${issue.message}`;
  if (issue.code === "too_big") return `${field} has more than ${CHANGES_MAX} entries`;
  return `${field} is not ${name === "recent_changes" && at === undefined ? "a list of strings" : "a string"}`;
}

const refused = (where: string, message: string): Failed =>
  new Failed({ code: "usage", message: `${where}: ${message}`, next: "see: cra schema handoff" });
